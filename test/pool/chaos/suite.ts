/** The tests of a workspace, which run in parts on several workers. */
const FILES = 6;
const TESTS_PER_FILE = 2;
const TOTAL = FILES * TESTS_PER_FILE;

/** The folder of the tests in a workspace, and the file that decides whether one of them fails. */
export const SUITE_FOLDER = "suite";
const VERDICT_FILE = `${SUITE_FOLDER}/verdict.txt`;

/** Tests that take long enough to be disturbed. Each also needs what was installed before its part. */
export const SUITE: Readonly<Record<string, string>> = {
  [VERDICT_FILE]: "pass\n",
  [`${SUITE_FOLDER}/package.json`]: '{"scripts": {"test": "node --test"}}\n',
  ...Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [
      `${SUITE_FOLDER}/${at}.test.js`,
      `const test = require("node:test"), assert = require("node:assert"), fs = require("node:fs");
test("${at} waits", () => new Promise((done) => setTimeout(done, 800)));
test("${at} is judged", () => {
  assert.match(fs.readFileSync("verdict.txt", "utf8"), ${at === 3 ? "/pass/" : "/pass|fail/"});
});
`,
    ]),
  ),
};

/** Writes into a workspace whether its tests are to pass. */
export function verdictFile(passes: boolean): readonly [path: string, text: string] {
  return [VERDICT_FILE, passes ? "pass\n" : "fail\n"];
}

/** Lists what is wrong with a reply about the tests; undefined for a reply that is no verdict, after which they run again. */
export function suiteFaults(reply: Record<string, unknown>, passes: boolean): string[] | undefined {
  const { success, exit_code: exitCode, summary, detail, error } = reply;
  if (error !== undefined || (success !== true && typeof exitCode !== "number")) return undefined;
  const { passed = 0, failed = 0 } = isCounts(summary) ? summary : {};
  const wanted = passes
    ? { success: true, passed: TOTAL, failed: 0 }
    : { success: false, passed: TOTAL - 1, failed: 1 };
  const seen = { success, passed, failed };
  return JSON.stringify(seen) === JSON.stringify(wanted)
    ? []
    : [`the tests in parts are ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}: ${String(detail)}`];
}

function isCounts(value: unknown): value is { readonly passed?: number; readonly failed?: number } {
  return typeof value === "object" && value !== null;
}
