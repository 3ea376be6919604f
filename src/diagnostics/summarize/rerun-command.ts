import type { TestFailure, TestSummary } from "../../model/test-summary.ts";

/** The program that takes what a parser found to select one test, by the id of the runner. */
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

/** Commands that a parser gives whole, because the runner prints them so. */
const IS_COMMAND = /^(?:go|ginkgo|rails|bin\/rails|npx|python3?) /;

/** The command that runs just this test, as one would type it; undefined where the program is not known, as of a compiled test. */
export function rerunCommand(runner: string, failure: TestFailure): string | undefined {
  const { rerun } = failure;
  if (rerun === undefined || rerun === "" || IS_COMMAND.test(rerun)) return rerun;
  if (runner === "maven") return `mvn test -Dtest=${shellWord(rerun)}`;
  if (runner === "minitest") return minitest(rerun, failure);
  const program = PROGRAMS[runner];
  return program === undefined ? rerun : `${program} ${isOneWord(rerun) ? shellWord(rerun) : rerun}`;
}

/** The summaries with commands in place of what only selects a test. */
export function withRerunCommands(tests: readonly TestSummary[]): TestSummary[] {
  return tests.map((summary) => ({
    ...summary,
    failures: summary.failures.map((failure) => {
      const rerun = rerunCommand(summary.runner, failure);
      return rerun === undefined ? failure : { ...failure, rerun };
    }),
  }));
}

/** Rails is told a place; a plain file of tests is run by Ruby itself. */
function minitest(rerun: string, { file, name }: Pick<TestFailure, "file" | "name">): string {
  if (!rerun.startsWith("-n ")) return `bin/rails test ${rerun}`;
  return file === undefined
    ? rerun
    : `ruby -Itest ${shellWord(file)} -n ${shellWord(name.replace(/^.*#/, ""))}`;
}

/** What has options, or quotes of its own, was written for a shell already. */
function isOneWord(rerun: string): boolean {
  return !/^-|["']|\s-/.test(rerun);
}

/** A word as a shell hands it on unchanged. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
