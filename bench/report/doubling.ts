/** Inputs that grow with `n`, made to find work that grows faster than the input; each is about 50 KB for n = 1,000. */
export const GROWING: Readonly<Record<string, (n: number) => string>> = {
  "one long line": (n) => "error: src/a.ts:3:5: ".repeat(n * 3),
  "a line of blanks": (n) => `${" ".repeat(n * 50)}x\n`,
  "a document without an end": (n) => `{"runs": [\n${'  {"a": [1, 2, {"b": "c"}]},\n'.repeat(n * 2)}`,
  "documents that turn out not to be any": (n) => '{"a": 1\nnot json\n[{"b": 2}\n'.repeat(n * 2),
  "XML without an end": (n) => `<testsuites>\n${'<testcase name="a"><failure>\n'.repeat(n * 2)}`,
  "packages that are never the same": (n) =>
    Array.from(
      { length: n },
      (_, i) => `p${i}:build: cache miss, executing 0${i}\np${i}:build: a.ts(1,2): error TS1: x\n`,
    ).join(""),
  "scripts one after the other": (n) => "\n> shop@1.0.0 test\n> tsc\n\na.ts(1,2): error TS1: x\n".repeat(n),
  "a message without an end": (n) =>
    `a.ts(1,2): error TS1: x\n${"  and more of it, and more\n".repeat(n * 2)}`,
  "a failure without an end": (n) =>
    `=== FAILURES ===\n____ test_a ____\n${"    assert a == b, and more of it\n".repeat(n * 2)}`,
  "distinct errors": (n) =>
    Array.from({ length: n }, (_, i) => `src/f${i}.c:${i}:5: error: unknown type name t${i}\n`).join(""),
  "failed steps": (n) =>
    "##[group]Run make\n##[endgroup]\n##[error]Process completed with exit code 2.\n".repeat(n),
  "nested folders": (n) => "make[1]: Entering directory '/shop/api'\n".repeat(n),
};
