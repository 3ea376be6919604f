import { expect, it } from "vitest";
import { NEAR, Nearness } from "../../../src/runs/reply/nearness.ts";
import { makeFolder } from "../../support/folder.ts";

const FILES = {
  "tests/test_cart.py":
    "import shop\nfrom shop.money import round\n\n\ndef test_total():\n    assert shop.total([1]) == 2\n",
};

const NO_LINES = { total: 0, first: [], last: [] };

/** The failure of a test, after output of another test that passed. */
function nearnessOfFailure(): Nearness {
  const failure = {
    name: "test_total",
    kind: "test",
    message: "assert 1 == 2",
    file: "tests/test_cart.py",
    line: 6,
  } as const;
  const summary = {
    runner: "pytest",
    passed: 1,
    failed: 1,
    skipped: 0,
    total: 2,
    failedSuites: 0,
    unhandledErrors: 0,
  };
  return new Nearness({
    cwd: makeFolder(FILES),
    prefix: "",
    findings: {
      diagnostics: [],
      counts: { error: 0, warning: 0, info: 0 },
      notKept: { diagnostics: 0, failures: 0 },
      testsExpected: true,
      unclaimed: { stdout: NO_LINES, stderr: NO_LINES },
      suspects: [],
      tests: [{ ...summary, failures: [failure] }],
    },
    output: '  File "other/log.py", line 3, in warn\n',
  });
}

it("measures the way from the failures to a file", () => {
  const near = nearnessOfFailure();
  const steps = {
    "tests/test_cart.py": NEAR.named,
    "shop/cart.py": NEAR.namesake,
    "shop/money.py": NEAR.imported,
    "other/log.py": NEAR.namesake,
    "shop/tax.py": NEAR.importedFolder,
    "shop/__init__.py": NEAR.importedFolder,
    "tests/helpers.py": NEAR.sameFolder,
    "other/print.py": NEAR.elsewhere,
    "docs/shop.md": NEAR.unlikely,
  };
  expect(Object.fromEntries(Object.keys(steps).map((path) => [path, near.of(path)]))).toEqual(steps);
  expect(near.linesIn("other/log.py")).toEqual([3]);
});

it("weighs words by where the failures have them", () => {
  const near = nearnessOfFailure();
  expect(["test_total", "total", "shop", "unknown", "assert"].map((word) => near.weightOf(word))).toEqual([
    4, 4, 1, 0, 0,
  ]);
  expect([near.isSaid("test_total"), near.isSaid("shop")]).toEqual([true, false]);
});
