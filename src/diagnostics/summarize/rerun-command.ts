import type { TestFailure, TestSummary } from "../../model/test-summary.ts";

/** Commands that run a single test when a parser's selector is appended, by runner id. */
const PROGRAMS: Readonly<Record<string, string>> = {
  ava: "npx ava",
  bazel: "bazel test",
  bun: "bun test",
  "cargo-nextest": "cargo nextest run",
  "cargo-test": "cargo test",
  ctest: "ctest",
  "dart-test": "dart test",
  deno: "deno test",
  "dotnet-test": "dotnet test --filter",
  exunit: "mix test",
  gradle: "gradle test --tests",
  jasmine: "npx jasmine",
  jest: "npx jest",
  junit: "pytest",
  maven: "mvn test",
  meson: "meson test",
  mocha: "npx mocha",
  "node-test": "node --test",
  phpunit: "vendor/bin/phpunit",
  playwright: "npx playwright test",
  pytest: "pytest",
  rspec: "rspec",
  "swift-test": "swift test --filter",
  tap: "node --test",
  unittest: "python3 -m unittest",
  vitest: "npx vitest run",
};

/** Matches selectors that are complete commands because the runner prints them that way. */
const IS_COMMAND = /^(?:go|ginkgo|rails|bin\/rails|npx|python3?) /;

/** Returns the command that runs only this test. For runners without a known command, such as compiled tests, it returns the selector itself. */
export function rerunCommand(runner: string, failure: TestFailure): string | undefined {
  const { rerun } = failure;
  if (rerun === undefined || rerun === "" || IS_COMMAND.test(rerun)) return rerun;
  if (runner === "maven") return `mvn test -Dtest=${shellWord(rerun)}`;
  if (runner === "minitest") return minitest(rerun, failure);
  const program = PROGRAMS[runner];
  return program === undefined ? rerun : `${program} ${isOneWord(rerun) ? shellWord(rerun) : rerun}`;
}

/** Replaces the selectors in the summaries with complete commands. */
export function withRerunCommands(tests: readonly TestSummary[]): TestSummary[] {
  return tests.map((summary) => ({
    ...summary,
    failures: summary.failures.map((failure) => {
      const rerun = rerunCommand(summary.runner, failure);
      return rerun === undefined ? failure : { ...failure, rerun };
    }),
  }));
}

/** Builds the command for minitest: Rails accepts a location, a plain test file is run by Ruby itself. */
function minitest(rerun: string, { file, name }: Pick<TestFailure, "file" | "name">): string {
  if (!rerun.startsWith("-n ")) return `bin/rails test ${rerun}`;
  return file === undefined
    ? rerun
    : `ruby -Itest ${shellWord(file)} -n ${shellWord(name.replace(/^.*#/, ""))}`;
}

/** Returns whether the selector must be quoted as one word. One with options or quotes is already written for a shell. */
function isOneWord(rerun: string): boolean {
  return !/^-|["']|\s-/.test(rerun);
}

/** Quotes a word for a shell if necessary. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
