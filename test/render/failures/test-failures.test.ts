import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import type { TestFailure, TestSummary } from "../../../src/model/test-summary.ts";
import { renderTestFailures, renderTestLine } from "../../../src/render/failures/test-failures.ts";

function summary(part: Partial<TestSummary>): TestSummary {
  const { passed = 0, failed = 0, skipped = 0 } = part;
  const rest = { failedSuites: 0, unhandledErrors: 0, failures: [] };
  return { runner: "vitest", passed, failed, skipped, total: passed + failed + skipped, ...rest, ...part };
}

function failure(part: Partial<TestFailure>): TestFailure {
  return { name: "adds", kind: "test", message: "", file: "test/a.test.ts", line: 3, ...part };
}

describe("the counts of a test runner", () => {
  it("does not take packages for tests", () => {
    const packages = { passedArePackages: true } as const;
    expect(renderTestLine(summary({ ...packages, total: 1, passed: 1, failed: 0 }), true)).toMatch(
      / 1 package passed$/,
    );
    expect(renderTestLine(summary({ ...packages, total: 7, passed: 2, failed: 5 }), false)).toMatch(
      / 5 failed, 2 packages passed$/,
    );
  });

  it("include tests that are expected to fail and tests that a filter left out", () => {
    const counts = { passed: 2, failed: 0, xfailed: 3, xpassed: 1, deselected: 7, total: 6 };
    expect(renderTestLine(summary(counts), true)).toMatch(
      /^PASS \S+ 2 passed, 3 xfailed, 1 xpassed, 7 deselected$/,
    );
    expect(renderTestLine(summary({ ...counts, passed: 0, total: 4 }), true)).toMatch(
      /^PASS \S+ 3 xfailed, 1 xpassed, 7 deselected$/,
    );
    expect(renderTestLine(summary({ total: 0, passed: 0, failed: 0, deselected: 7 }), false)).toMatch(
      /^FAIL \S+ no test ran, 7 deselected$/,
    );
  });

  it("are no pass of a runner without tests, although another one had some", () => {
    expect(renderTestLine(summary({ total: 0, passed: 0, failed: 0 }), true)).toMatch(/^\S+ no test ran$/);
  });
});

describe("the line of a test runner", () => {
  it("is short if all tests passed", () => {
    expect(renderTestLine(summary({ passed: 485 }), true)).toBe("PASS vitest 485 passed");
    expect(encode(renderTestLine(summary({ passed: 485, skipped: 3 }), true)).length).toBeLessThanOrEqual(12);
  });

  it("counts errors before and after a test apart from files that did not load", () => {
    const failure = { kind: "suite" as const, message: "RuntimeError: no db" };
    const failures = [
      { ...failure, name: "test_a.py::test_b", file: "test_a.py" },
      { ...failure, name: "test_c.py", file: "test_c.py" },
    ];
    expect(renderTestLine(summary({ passed: 1, failedSuites: 2, failures }), false)).toBe(
      "FAIL vitest 1 passed, 1 suite did not load, 1 error in setup or teardown",
    );
  });

  it("never says PASS for a failure, a suite that did not load, or a run that did not pass", () => {
    for (const part of [
      { passed: 50, failedSuites: 1 },
      { passed: 50, unhandledErrors: 1 },
      { passed: 1, failed: 1 },
    ])
      expect(renderTestLine(summary(part), true)).toMatch(/^FAIL /);
    expect(renderTestLine(summary({ passed: 50 }), false)).toBe("FAIL vitest 50 passed");
    expect(renderTestLine(summary({}), false)).toBe("FAIL vitest no test ran");
    expect(renderTestLine(summary({ passed: 50, failedSuites: 2, unhandledErrors: 1 }), false)).toBe(
      "FAIL vitest 50 passed, 2 suites did not load, 1 error outside tests",
    );
  });
});

describe("failed tests", () => {
  it("cut lines as long as a document, and begin two long values where they differ", () => {
    const start = "a".repeat(3_000);
    const failures = [
      failure({ name: "prints", message: `Expected ${start}` }),
      failure({ name: "compares", expected: `${start}one`, received: `${start}two` }),
    ];
    const { text } = renderTestFailures(summary({ failed: 2, failures }), new Budget(2_000));
    expect(text).toContain(`Expected ${start.slice(0, 491)}… (+2509 characters, in the log)`);
    expect(text).toContain(`-(same 2920 characters) ${"a".repeat(80)}one`);
    expect(text).toContain(`+(same 2920 characters) ${"a".repeat(80)}two`);
  });

  it("are listed by file with both values, and with one rerun pattern for all", () => {
    const failures = [
      failure({
        message: "AssertionError: expected 2 to be 3",
        expected: "3",
        received: "2",
        rerun: 'test/a.test.ts -t "adds"',
      }),
      failure({ name: "throws", line: 9, message: "TypeError: no", rerun: 'test/a.test.ts -t "throws"' }),
      failure({
        name: "throws too",
        line: 12,
        message: "TypeError: no",
        rerun: 'test/a.test.ts -t "throws too"',
      }),
    ];
    expect(renderTestFailures(summary({ failed: 3, failures }), new Budget(1_000)).text).toBe(
      [
        "test/a.test.ts",
        " :3 adds",
        "  -3",
        "  +2",
        " :9 throws",
        " :12 throws too",
        "  TypeError: no",
        'rerun: FILE -t "NAME"',
      ].join("\n"),
    );
  });

  it("show common lines of both values once, and no message that only repeats the values", () => {
    const failures = [2, 7].map((i) =>
      failure({
        name: `orders > adds ${i}`,
        message: `AssertionError: expected { id: ${i}, sum: ${i} } to deeply equal { id: ${i}, sum: 9 }`,
        expected: `{\n  "id": ${i},\n  "sum": 9,\n}`,
        received: `{\n  "id": ${i},\n  "sum": ${i},\n}`,
        rerun: `test/a.test.ts -t "orders adds ${i}"`,
      }),
    );
    expect(renderTestFailures(summary({ failed: 2, failures }), new Budget(1_000)).text).toBe(
      [
        "test/a.test.ts",
        " :3 orders > adds 2",
        "   {",
        '     "id": 2,',
        '  -  "sum": 9,',
        '  +  "sum": 2,',
        "   }",
        " :3 orders > adds 7",
        "   {",
        '     "id": 7,',
        '  -  "sum": 9,',
        '  +  "sum": 7,',
        "   }",
        'rerun: FILE -t "NAME"',
      ].join("\n"),
    );
  });

  it("keep the message if the values look the same or must differ", () => {
    const alike = failure({ message: "expected 5 not to be 5", expected: "5", received: "5" });
    expect(renderTestFailures(summary({ failures: [alike] }), new Budget(1_000)).text).toContain(
      "  expected 5 not to be 5\n  -5\n  +5",
    );
    const not = failure({ message: "expected 5 not to equal 6", expected: "6", received: "5" });
    expect(renderTestFailures(summary({ failures: [not] }), new Budget(1_000)).text).toContain(
      "not to equal",
    );
  });

  it("keep what a message adds to the values", () => {
    const failures = [
      failure({ message: "the cart is empty: expected 2 to be 3", expected: "3", received: "2" }),
    ];
    expect(renderTestFailures(summary({ failures }), new Budget(1_000)).text).toContain("the cart is empty");
  });

  it("include suites that did not load and errors outside tests", () => {
    const failures = [
      failure({ kind: "suite", name: "test/a.test.ts", line: 1, message: "Cannot find module './x'" }),
      failure({ kind: "unhandled", name: "Unhandled rejection", line: 7, message: "Error: late" }),
    ];
    expect(renderTestFailures(summary({ failures }), new Budget(1_000)).text).toBe(
      "test/a.test.ts\n :1 did not load:\n  Cannot find module './x'\n :7 outside tests: Unhandled rejection\n  Error: late",
    );
  });

  it("with the same message are grouped, with their message once", () => {
    const failures = ["adds", "sums", "ends"].map((title, index) =>
      failure({
        name: `shopping cart > totals > ${title}`,
        line: index === 2 ? 9 : 3,
        message: "Error: no",
        rerun: `-g "shopping cart totals ${title}"`,
      }),
    );
    const other = failure({
      name: "shopping cart > pays (card)",
      message: "Error: late",
      rerun: String.raw`-g "shopping cart pays \(card\)"`,
    });
    expect(renderTestFailures(summary({ failures: [...failures, other] }), new Budget(1_000)).text).toBe(
      `test/a.test.ts
 :3 shopping cart > totals > adds; shopping cart > totals > sums
 :9 shopping cart > totals > ends
  Error: no
 :3 shopping cart > pays (card)
  Error: late
rerun: -g "NAME" (as a regular expression)`,
    );
  });

  it("share one rerun pattern, in single quotes if the name of one needs them", () => {
    const named = (name: string, quote: string): TestFailure =>
      failure({ name: `app > ${name}`, rerun: `test/a.test.ts -t ${quote}app ${name}${quote}` });
    const failures = [
      ...["adds", "sums", "ends"].map((name) => named(name, '"')),
      ...["with `route`", "with `use`"].map((name) => named(name, "'")),
    ];
    const lines = renderTestFailures(summary({ failures }), new Budget(1_000)).text.split("\n");
    expect(lines.filter((line) => line.startsWith("rerun"))).toEqual(["rerun: FILE -t 'NAME'"]);
  });

  it("show the statement that failed, unless the lines below it repeat it", () => {
    const text = (one: Partial<TestFailure>): string =>
      renderTestFailures(summary({ failures: [failure(one)] }), new Budget(1_000)).text;
    const values = { expected: "4", received: "3", message: "assert 3 == 4" };
    expect(text({ ...values, source: "assert cart.total() == 4" })).toContain(
      "\n  > assert cart.total() == 4\n",
    );
    expect(text({ ...values, source: "assert total(\n    [1]\n) == 4" })).toContain(
      "\n  > assert total(\n      [1]\n  ) == 4\n",
    );
    expect(text({ ...values, source: "assert 3 == 4" })).not.toContain(">");
  });

  it("are named without their file if the file has several", () => {
    const named = (name: string): TestFailure =>
      failure({ file: "a.py", name: `a.py::${name}`, rerun: `a.py::${name}` });
    const text = (...names: string[]): string =>
      renderTestFailures(summary({ failures: names.map(named) }), new Budget(1_000)).text;
    expect(text("test_one")).toBe("a.py\n :3 a.py::test_one");
    expect(text("TestShoppingCart::test_one", "TestShoppingCart::test_two")).toBe(
      "a.py\n :3 TestShoppingCart::test_one; TestShoppingCart::test_two",
    );
  });

  it("stay inside the budget and count what is left out", () => {
    const failures = Array.from({ length: 200 }, (_, i) =>
      failure({ name: `case ${i}`, line: i + 1, message: `Error: number ${i} is wrong` }),
    );
    const rendered = renderTestFailures(summary({ failed: 200, failures }), new Budget(300));
    expect(rendered.total).toBe(200);
    expect(rendered.shown).toBeGreaterThan(5);
    expect(rendered.shown).toBeLessThan(200);
    expect(encode(rendered.text).length).toBeLessThanOrEqual(320);
  });
});
