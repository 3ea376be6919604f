/** 700 errors in 40 files with some warnings and notes, as a compiler prints them. */
export const DIAGNOSTICS = {
  errors: Array.from(
    { length: 700 },
    (_, index) => `src/file${index % 40}.c:${index + 1}:5: error: 'name${index}' undeclared`,
  ),
  warnings: Array.from(
    { length: 90 },
    (_, index) => `src/file${index}.c:${index + 900}:7: warning: unused variable 'left${index}'`,
  ),
};

/** Failed tests as pytest prints them. */
export function pytestOutput(failed: number): string {
  const names = Array.from({ length: failed }, (_, index) => `test_case_${index}`);
  return [
    "============================= test session starts ==============================",
    `collected ${failed + 5} items`,
    "",
    "=================================== FAILURES ===================================",
    ...names.flatMap((name, index) => [
      `________________________________ ${name} ________________________________`,
      "",
      `    def ${name}():`,
      `>       assert compute(${index}) == ${index + 1}`,
      `E       assert ${index} == ${index + 1}`,
      "",
      `tests/test_mod.py:${index + 10}: AssertionError`,
    ]),
    "=========================== short test summary info ============================",
    ...names.map((name, index) => `FAILED tests/test_mod.py::${name} - assert ${index} == ${index + 1}`),
    `======================== ${failed} failed, 5 passed in 1.23s ========================`,
    "",
  ].join("\n");
}

/** Failed tests as cargo prints them. */
export function cargoOutput(failed: number): string {
  const names = Array.from({ length: failed }, (_, index) => `tests::case_${index}`);
  return [
    `running ${failed} tests`,
    ...names.map((name) => `test ${name} ... FAILED`),
    "",
    "failures:",
    "",
    ...names.flatMap((name, index) => [
      `---- ${name} stdout ----`,
      `thread '${name}' panicked at src/lib.rs:${index + 10}:9:`,
      "assertion `left == right` failed",
      `  left: ${index}`,
      ` right: ${index + 1}`,
      "",
    ]),
    "failures:",
    ...names.map((name) => `    ${name}`),
    "",
    `test result: FAILED. 0 passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`,
    "",
  ].join("\n");
}

interface Cut {
  readonly shown: number;
  readonly total: number;
}

interface SummaryJson {
  readonly failures?: readonly unknown[];
  readonly runners?: readonly { readonly failures?: readonly unknown[] }[];
}

interface FindingsJson {
  readonly errors?: readonly unknown[];
  readonly warnings?: readonly unknown[];
  readonly summary?: SummaryJson;
  readonly truncated?: Readonly<Record<string, Cut>>;
}

/** The length of a list in a JSON reply, and the numbers of shown and of all entries that the reply states. */
export function jsonList(text: string, name: "errors" | "warnings" | "failures"): Cut & { listed: number } {
  const { summary, truncated, ...reply } = JSON.parse(text) as FindingsJson;
  const ofRunners = (summary?.runners ?? []).flatMap(({ failures = [] }) => failures);
  const items = name === "failures" ? [...(summary?.failures ?? []), ...ofRunners] : (reply[name] ?? []);
  const listed = items.length;
  return { listed, ...(truncated?.[name] ?? { shown: listed, total: listed }) };
}

/** Parses "shown k of n"; undefined if everything is shown. */
export function statedCounts(text: string, noun: string): Cut | undefined {
  const [, shown, total] = new RegExp(`^shown (\\d+) of (\\d+) ${noun}`, "m").exec(text) ?? [];
  return shown === undefined ? undefined : { shown: Number(shown), total: Number(total) };
}
