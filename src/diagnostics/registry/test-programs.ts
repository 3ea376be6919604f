// Generated from the tools' `programs` by `npm run gen`; edit the tools instead.

/** Names of programs that do nothing but run tests. */
export const TEST_PROGRAMS: ReadonlySet<string> = new Set([
  "ava",
  "cargo-nextest",
  "ctest",
  "gotestsum",
  "jasmine",
  "jest",
  "karma",
  "mocha",
  "nextest",
  "pest",
  "phpunit",
  "playwright",
  "py.test",
  "pytest",
  "rspec",
  "tap",
  "tape",
  "vitest",
]);
