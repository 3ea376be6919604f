import { describe, expect, it } from "vitest";
import { declarationState, findDeclaration } from "../../../src/runs/record/test-declarations.ts";

/** A test's name, the file that declares it, and the same file after an edit. */
interface Edited {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly state: "there" | "missing" | "skipped" | undefined;
}

const JS =
  "describe('sum', () => {\n  it('adds', () => {\n    expect(1).toBe(2);\n  });\n  it('subs', () => {});\n});\n";
const PY =
  "import pytest\n\nclass TestCart:\n    def test_adds(self):\n        assert 1 == 2\n\n    def test_subs(self):\n        pass\n";
const CASES = '@pytest.mark.parametrize("x", [\n    1,\n    2,\n])\ndef test_par(x):\n    assert x == 1\n';
const PAIRS =
  '@pytest.mark.parametrize(("x", "y"), [\n    (1, 1),\n    (1, 2),\n    (2, 2),\n])\ndef test_pair(x, y):\n    assert x == y\n';
const GO_TABLE =
  'func TestAdd(t *testing.T) {\n\tcases := []sum{\n\t\t{"negative", -1, 2},\n\t\t{"zero", 0, 0},\n\t}\n\tfor _, c := range cases {\n\t\tt.Run(c.name, c.test)\n\t}\n}\n';
const RUST =
  "mod tests {\n    #[test]\n    fn wrong() { assert!(false); }\n    #[test]\n    fn right() {}\n}\n";
const GO = 'func TestAdd(t *testing.T) {\n\tfor _, c := range cases("negative") {\n\t\tt.Fail()\n\t}\n}\n';
const JAVA = "class CartTest {\n  @Test\n  void adds() {\n    fail();\n  }\n}\n";
const RUBY = "RSpec.describe 'Sum' do\n  it 'adds numbers' do\n    expect(1).to eq 2\n  end\nend\n";

const EDITS: Readonly<Record<string, Edited>> = {
  "a body that changed": {
    name: "sum > adds",
    before: JS,
    after: JS.replace("toBe(2)", "toBe(1)"),
    state: "there",
  },
  "other quotes and another word": {
    name: "sum > adds",
    before: JS,
    after: JS.replace("it('adds'", 'test("adds"'),
    state: "there",
  },
  "a test that was deleted": {
    name: "sum > adds",
    before: JS,
    after: JS.replace(/ {2}it\('adds'[^]*?\n {2}\}\);\n/, ""),
    state: "missing",
  },
  "a title that is still there as data": {
    name: "sum > adds",
    before: JS,
    after: `${JS.replace("it('adds'", "it('adds up'")}const verbs = ['adds'];\n`,
    state: "missing",
  },
  "a suite that was renamed": {
    name: "sum > adds",
    before: JS,
    after: JS.replace("'sum'", "'total'"),
    state: "missing",
  },
  "a test in a comment": {
    name: "sum > adds",
    before: JS,
    after: JS.replace("  it('adds'", "  // it('adds'"),
    state: "missing",
  },
  "a mark that leaves it out": {
    name: "sum > adds",
    before: JS,
    after: JS.replace("it('adds'", "it.skip('adds'"),
    state: "skipped",
  },
  "one of two with the same title": {
    name: "sum > works",
    before:
      "describe('sum', () => { it('works', f); it('works', g); });\ndescribe('b', () => {\n  it('works', h);\n});\n",
    after: "describe('sum', () => {});\ndescribe('b', () => {\n  it('works', h);\n});\n",
    state: undefined,
  },
  "pytest, a method": {
    name: "tests/test_cart.py::TestCart::test_adds",
    before: PY,
    after: PY.replace("1 == 2", "1 == 1"),
    state: "there",
  },
  "pytest, a decorator": {
    name: "tests/test_cart.py::TestCart::test_adds",
    before: PY,
    after: PY.replace(
      "    def test_adds",
      "    @pytest.mark.skip(\n        reason='later')\n    def test_adds",
    ),
    state: "skipped",
  },
  "pytest, the decorator of the test above": {
    name: "tests/test_cart.py::TestCart::test_subs",
    before: PY,
    after: PY.replace("    def test_adds", "    @pytest.mark.skip\n    def test_adds").replace(
      "\n\n    def test_subs",
      "\n    def test_subs",
    ),
    state: "there",
  },
  "pytest, a call that skips": {
    name: "tests/test_cart.py::TestCart::test_adds",
    before: PY,
    after: PY.replace("assert 1 == 2", "pytest.skip('later')"),
    state: "skipped",
  },
  "pytest, a case that is still there": {
    name: "test_a.py::test_par[2]",
    before: CASES,
    after: CASES.replace("x == 1", "x < 3"),
    state: "there",
  },
  "pytest, a case that is gone": {
    name: "test_a.py::test_par[2]",
    before: CASES,
    after: CASES.replace("    2,\n", ""),
    state: "missing",
  },
  "pytest, a case that is gone while its values stand in other cases": {
    name: "test_a.py::test_pair[1-2]",
    before: PAIRS,
    after: PAIRS.replace("    (1, 2),\n", ""),
    state: undefined,
  },
  "pytest, cases that are the same in another body": {
    name: "test_a.py::test_pair[1-2]",
    before: PAIRS,
    after: PAIRS.replace("x == y", "x <= y"),
    state: "there",
  },
  "Go, a subtest whose expectation changed": {
    name: "TestAdd/negative",
    before: GO_TABLE,
    after: GO_TABLE.replace("-1, 2", "-1, -2"),
    state: "there",
  },
  "Go, a subtest that is gone while its words stand in others": {
    name: "TestAdd/two_negative",
    before: GO_TABLE.replace('{"negative"', '{"two negative", -1, 0}, {"negative"'),
    after: GO_TABLE.replace('{"zero"', '{"two",'),
    state: undefined,
  },
  "pytest, a case whose values are computed": {
    name: "test_a.py::test_par[value7]",
    before: CASES,
    after: CASES,
    state: undefined,
  },
  "Rust, renamed": {
    name: "tests::wrong",
    before: RUST,
    after: RUST.replace("fn wrong", "fn other"),
    state: "missing",
  },
  "Rust, ignored": {
    name: "tests::wrong",
    before: RUST,
    after: RUST.replace("    #[test]\n    fn wrong", "    #[test]\n    #[ignore]\n    fn wrong"),
    state: "skipped",
  },
  "Go, a subtest": { name: "TestAdd/negative", before: GO, after: GO, state: "there" },
  "Go, skipped inside": {
    name: "TestAdd",
    before: GO,
    after: GO.replace("t.Fail()", 't.Skip("later")'),
    state: "skipped",
  },
  "Java, disabled": {
    name: "com.acme.CartTest.adds",
    before: JAVA,
    after: JAVA.replace("  @Test\n", "  @Test\n  @Disabled\n"),
    state: "skipped",
  },
  "Java, there": { name: "com.acme.CartTest.adds", before: JAVA, after: JAVA, state: "there" },
  "RSpec, names with blanks": { name: "Sum adds numbers", before: RUBY, after: RUBY, state: "there" },
};

describe("a test that was declared", () => {
  it.each(Object.entries(EDITS))("%s", (_, { name, before, after, state }) => {
    const declared = findDeclaration(name, before);
    expect(declared).toBeDefined();
    if (declared !== undefined) expect(declarationState(declared, after)).toBe(state);
  });

  it("is not found if only its title is mentioned", () => {
    expect(
      findDeclaration("admin", "const roles = ['admin'];\nexpect(role).toBe('admin');\n"),
    ).toBeUndefined();
    expect(findDeclaration("sum > adds 1 + 2", "it.each(rows)('adds %i + %i', f);\n")).toBeUndefined();
    expect(findDeclaration("test_adds", "return test_adds(1)\n")).toBeUndefined();
  });

  it("is not searched in generated lines of extreme length", () => {
    const line = `it(${"'adds', it(".repeat(100_000)}`;
    expect(findDeclaration("sum > adds", `${line}\n`)).toBeUndefined();
  });
});
