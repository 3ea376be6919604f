import { describe, expect, it } from "vitest";
import { groupClosely, groupDiagnostics } from "../../../src/diagnostics/summarize/group.ts";
import { Budget } from "../../../src/kernel/budget.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { renderDiagnostics } from "../../../src/render/list/diagnostics.ts";

function one(file: string, part: Partial<Diagnostic> = {}): Diagnostic {
  return { tool: "t", severity: "error", code: "E1", message: "bad", file, line: 1, ...part };
}

function rendered(diagnostics: readonly Diagnostic[], tokens = 2_000): string {
  return renderDiagnostics(groupDiagnostics(diagnostics), new Budget(tokens)).text;
}

describe("a list of diagnostics", () => {
  it("names a folder once, and consecutive lines as a range", () => {
    const lines = [3, 4, 5, 9].map((line) => one("src/a.ts", { line }));
    expect(rendered([...lines, one("src/b.ts", { line: 7 }), one("lib/c.ts", { line: 2 })])).toBe(
      "E E1: bad\n src/: a.ts:3-5,9; b.ts:7\n lib/c.ts:2",
    );
  });

  it("joins the names of files without lines by shell braces", () => {
    const files = ["src/ast.ts", "src/emit.ts", "src/ast.test.ts", "src/emit.test.ts", "src/x.js", "README"];
    const plain = files.map((file): Diagnostic => ({
      tool: "t",
      severity: "error",
      code: "E1",
      message: "bad",
      file,
    }));
    expect(rendered(plain)).toBe("E E1: bad\n README\n src/: {ast,emit}.ts; {ast,emit}.test.ts; x.js");
  });

  it("puts the folder of all files before the list if that saves much", () => {
    const folder = "packages/server/src/main/java/com/example/shop/";
    const many = Array.from({ length: 12 }, (_, i) =>
      one(`${folder}${i % 2 === 0 ? "cart" : "stock"}/File${i}.java`, {
        code: `E${i}`,
        message: `bad ${i} `,
      }),
    );
    const text = rendered(many);
    expect(text).toMatch(/^in packages\/server\/src\/main\/java\/com\/example\/shop\/\n/);
    expect(text.match(/com\/example/g)).toHaveLength(1);
    for (const { file = "" } of many) expect(text).toContain(file.slice(folder.length));
  });

  it("keeps different help at its place, and writes repeated help once", () => {
    const helped = (line: number, help: string, code = "E1"): Diagnostic =>
      one("a.sh", { line, help: [help], code, message: "quote this" });
    expect(rendered([helped(1, "use $a"), helped(2, "use $b")])).toBe(
      "E E1: quote this\n a.sh:1 (use $a), 2 (use $b)",
    );
    const same = ["x is odd", "y is odd", "z is even"].map((message, line) =>
      one("a.sh", { line: line + 1, message, help: ["see the manual"] }),
    );
    expect(rendered(same).match(/see the manual/g)).toHaveLength(1);
  });

  it("writes a related place only if it differs from the place of the diagnostic", () => {
    const related = [
      { file: "a.c", line: 1, message: "note" },
      { file: "a.c", line: 9, message: "declared here" },
      { file: "b.h", line: 2 },
    ];
    expect(rendered([one("a.c", { related })])).toBe("E E1: bad\n a.c:1 (note; :9 declared here; b.h:2)");
  });

  it("moves the common beginning of names into the message", () => {
    const method = (name: string, line: number): Diagnostic =>
      one("Cart.php", { line, message: `Method Acme\\Shop\\Cart::${name}() has no type` });
    expect(rendered([method("add", 3), method("total", 9)])).toBe(
      String.raw`E E1: Method Acme\Shop\Cart::…() has no type` + "\n Cart.php:3 add, 9 total",
    );
  });

  it("lists messages about one file below that file", () => {
    const list = [
      one("src/a.ts", { line: 3 }),
      one("src/a.ts", { line: 7, code: "E2", message: "worse" }),
      one("src/a.ts", { line: 9, code: "E2", message: "worse" }),
      one("src/b.ts", { line: 1, code: "E3", message: "other" }),
    ];
    expect(rendered(list)).toBe("src/a.ts\n 3 E E1: bad\n 7,9 E E2: worse\nE E3: other\n src/b.ts:1");
  });

  it("distinguishes a message about a whole file from the same message about a line", () => {
    const { line: _, ...whole } = one("a.ts");
    expect(rendered([whole, one("a.ts", { line: 298 }), one("a.ts", { code: "E2" })])).toBe(
      "a.ts\n 298 E E1: bad\n E E1: bad\n 1 E E2: bad",
    );
  });

  it("names a folder above its lines, with slashes of either kind", () => {
    const files = ["admin", "cart", "shop"].flatMap((name) =>
      ["list", "form", "index", "edit", "show"].map((file) => `web/pages/app/${name}/${file}.tsx`),
    );
    const text = `E E1: bad
 web/pages/app/
  admin/: list.tsx:1; form.tsx:1; index.tsx:1; edit.tsx:1; show.tsx:1
  cart/: list.tsx:1; form.tsx:1; index.tsx:1; edit.tsx:1; show.tsx:1
  shop/: list.tsx:1; form.tsx:1; index.tsx:1; edit.tsx:1; show.tsx:1
 lib/a.ts:1`;
    const all = [...files, "lib/a.ts"];
    expect(rendered(all.map((file) => one(file)))).toBe(text);
    const backslashed = (path: string): string => path.replaceAll("/", "\\");
    expect(rendered(all.map((file) => one(backslashed(file))))).toBe(backslashed(text));
  });

  it("writes a note of many places once, above the first of them", () => {
    const helped = (line: number, help: string): Diagnostic => one("a.py", { line, help: [help] });
    const long = "see the long guide to strict types in the manual";
    expect(rendered([helped(1, long), helped(2, "x"), helped(3, long), helped(4, long)])).toBe(
      `*1 = ${long}\nE E1: bad\n a.py:1,3,4 *1, 2 (x)`,
    );
  });

  it("refers to a value that was given before instead of repeating it", () => {
    const named = (name: string, line: number): Diagnostic =>
      one("a.py", { line, message: `Need a type for "${name}" (hint: "${name}: list[<type>]")` });
    expect(rendered([named("bits", 1), named("parts", 2)])).toBe(
      'E E1: Need a type for "…1" (hint: "…1: list[<type>]")\n a.py:1 bits, 2 parts',
    );
  });

  it("truncates the first diagnostic if not even that fits", () => {
    const long = one("src/a.ts", { line: 7, message: `Type '${"Deep<Foo> & ".repeat(100)}' is wrong` });
    const { text, shown, total } = renderDiagnostics(groupDiagnostics([long, long]), new Budget(60));
    expect(text).toMatch(/^src\/a\.ts:7 E E1: Type 'Deep<Foo> & .*… \(\+\d+ characters\)$/);
    expect([shown, total]).toEqual([1, 2]);
    expect(renderDiagnostics(groupDiagnostics([long]), new Budget(5)).text).toBe("");
  });
});

describe("a dense list of diagnostics", () => {
  const dense = (diagnostics: readonly Diagnostic[]): string =>
    renderDiagnostics(groupClosely(diagnostics), new Budget(2_000), { dense: true, letters: false }).text;

  it("joins messages that differ in a few words", () => {
    const brace = (line: number, side: string, which: string): Diagnostic =>
      one("a.ts", { line, message: `Expected a line break ${side} this ${which} brace.` });
    expect(
      dense([brace(1, "after", "opening"), brace(4, "before", "closing"), brace(9, "after", "opening")]),
    ).toBe("E1: Expected a line break … this … brace.\n a.ts:1,9 after opening;4 before closing");
    const apart = ["Missing semicolon.", "Strings must use singlequote."].map((message, line) =>
      one("a.ts", { line: line + 1, message }),
    );
    expect(dense(apart)).toBe("a.ts\n 1 E1: Missing semicolon.\n 2 E1: Strings must use singlequote.");
  });

  it("names the common folder and ending of paths once, and other folders relative to it", () => {
    const messages = ["Missing semicolon.", "Strings must use singlequote.", "Unexpected console statement."];
    const list = messages.flatMap((message, at) =>
      ["auth", "login", "http/get"].map((name) =>
        one(`services/accounts/src/${name}.ts`, { message, line: at + 1 }),
      ),
    );
    list.push(one("services/mail/send.ts", { message: "Missing semicolon.", line: 7 }));
    expect(dense(list)).toBe(
      `in services/accounts/src/*.ts
E1: Missing semicolon.
 auth:1; login:1
 http/get:1
 ../../mail/send:7
E1: Strings must use singlequote.
 auth:2; login:2
 http/get:2
E1: Unexpected console statement.
 auth:3; login:3
 http/get:3`,
    );
    const elsewhere = [...list, one("/usr/lib/node.js", { message: "Missing semicolon." })];
    expect(dense(elsewhere)).toMatch(/^E1/);
  });

  it("names once the default folder of files that are written without one", () => {
    const messages = ["Missing semicolon.", "Strings must use singlequote.", "Nested too deep.", "Unused."];
    const list = messages.flatMap((message, at) =>
      ["user-accounts/auth", "mailing/send", "user-accounts/login", "search/find"].map((name) =>
        one(`services/${name}.ts`, { message, line: at + 1 }),
      ),
    );
    expect(dense([...list, one("services/main.ts", { message: "Unused." })])).toBe(
      `in services/{user-accounts/}*.ts
E1: Missing semicolon.
 auth:1; login:1
 mailing/send:1
 search/find:1
E1: Strings must use singlequote.
 auth:2; login:2
 mailing/send:2
 search/find:2
E1: Nested too deep.
 auth:3; login:3
 mailing/send:3
 search/find:3
E1: Unused.
 auth:4; login:4
 mailing/send:4
 search/find:4
 ./main:1`,
    );
  });

  it("writes the common ending of names and the common value of places once", () => {
    const missing = (name: string, file: string): Diagnostic =>
      one(`api/${file}/route.ts`, { message: `Cannot find name '${name}'.` });
    const list = [
      ...["cart", "shop", "user", "mail", "news"].map((file) => missing("serverRequestContext", file)),
      missing("err", "cart"),
    ];
    expect(dense(list)).toBe(
      `E1: Cannot find name '…{serverRequestContext}'.
 api/*/route.ts: cart:1;1 err; shop:1; user:1; mail:1; news:1`,
    );
  });

  it("writes what the values of many places have in common once, above them", () => {
    const long = (name: string, line: number, statements: number): Diagnostic =>
      one("serf_test.go", { line, message: `Function '${name}' is too long (${statements} > 60)` });
    const names = ["Leave", "Join", "Query", "Tags", "Keys", "Rejoin", "Events"];
    const tests = names.map((name, at) => long(`TestSnapshot_recovery_${name}`, 100 + at, 61 + at));
    expect(dense([long("compact", 12, 75), ...tests])).toBe(
      `E1: Function '…' is too long (… > 60)
 serf_test.go:12 compact|75
 …1=TestSnapshot_recovery_…
  serf_test.go:100 Leave|61;101 Join|62;102 Query|63;103 Tags|64;104 Keys|65;105 Rejoin|66;106 Events|67`,
    );
    const type = (line: number, from: string, to: string): Diagnostic =>
      one("a.py", { line, message: `"${from}" of "Node" is not "${to}"` });
    const types = ["int", "float", "bool", "str", "object"].map((from, at) =>
      type(at + 3, `typing.KeysView[${from}]`, "Tuple[str, Any]"),
    );
    expect(dense([type(1, "int", "str"), ...types, one("a.py", { message: "other" })])).toBe(
      `a.py
 E1: "…" of "Node" is not "…"
  1 int str
  …1-2=typing.KeysView[…]|Tuple[str, Any]
   3 int;4 float;5 bool;6 str;7 object
 1 E1: other`,
    );
  });

  it("writes the common beginning of names up to a word", () => {
    const names = ["MemberJoined", "UserLeft", "Delegates", "Snapshots", "Recovery", "Rejoins", "Merges"];
    const list = names.map((name, at) =>
      one("serf_test.go", { line: at + 1, message: `Unused function 'Benchmark${name}'` }),
    );
    expect(dense([...list, one("serf.go", { message: "Unused function 'leave'" })])).toBe(
      `E1: Unused function '…'
 serf.go:1 leave
 …=Benchmark…
  serf_test.go:1 MemberJoined;2 UserLeft;3 Delegates;4 Snapshots;5 Recovery;6 Rejoins;7 Merges`,
    );
  });

  it("puts the most common value of the last gap into the message", () => {
    const magic = (line: number, number: number, where: string): Diagnostic =>
      one(`a${line}.go`, { line, message: `Magic number ${number} in <${where}>` });
    const list = [2, 4, 8, 16, 32, 64].map((number, at) =>
      magic(at + 1, number, number === 8 ? "case" : "assign"),
    );
    expect(dense(list)).toBe(
      "E1: Magic number … in <…{assign}>\n *.go: a1:1 2; a2:2 4; a4:4 16; a5:5 32; a6:6 64; a3:3 8 case",
    );
  });

  it("lists two messages of a rule together if they are about the same files", () => {
    const files = ["parse.go", "print.go", "check.go"];
    const long = (file: string, line: number): Diagnostic =>
      one(file, { line, message: `Function 'run${line}' is too long (${line + 60} > 60)` });
    const deep = (file: string, line: number): Diagnostic =>
      one(file, { line, message: `Function 'run${line}' has too many statements (${line + 40} > 40)` });
    const list = files.flatMap((file, at) => [long(file, at + 1), long(file, at + 11), deep(file, at + 21)]);
    expect(dense(list)).toBe(
      `E1: Function '…' {is too long (… > 60), +has too many statements (… > 40)}
 parse.go:1 run1|61;11 run11|71;+21 run21|61; print.go:2 run2|62;12 run12|72;+22 run22|62; check.go:3 run3|63;13 run13|73;+23 run23|63`,
    );
    const elsewhere = list.map((item) => ({ ...item, code: item.message.includes("long") ? "E2" : "E1" }));
    expect(dense(elsewhere)).not.toContain("+");
    const unlike = files.flatMap((file) => [
      one(file, { message: "Missing semicolon." }),
      one(file, { message: "Unused label" }),
    ]);
    expect(dense(unlike)).not.toContain("+");
  });

  it("puts names with a common ending on a separate line", () => {
    const tests = ["auth", "login", "token", "session", "cookie"].map((name) =>
      one(`${name}_integration_test.go`),
    );
    const list = [one("main.go"), ...tests, one("serve.go")];
    expect(dense(list)).toBe(
      `E1: bad
 main.go:1; serve.go:1
 *_integration_test.go: auth:1; login:1; token:1; session:1; cookie:1`,
    );
  });

  it("leaves out the place at the beginning of a message if it is the diagnostic's own", () => {
    const list = [3, 7].map((line) =>
      one("a.go", { line, message: `a.go:${line}: Line contains TODO: "in ${line} days"` }),
    );
    expect(dense(list)).toBe(`E1: Line contains TODO: "in … days"\n a.go:3 3;7 7`);
    const other = one("a.go", { line: 9, message: "a.go:3: declared here" });
    expect(dense([other])).toContain("a.go:3: declared here");
  });

  it("writes the common beginning of messages once, above their different endings", () => {
    const assigned = (file: string, rest: string): Diagnostic =>
      one(file, { message: `Incompatible types in this assignment (the expression has type "A", ${rest}` });
    const list = [
      assigned("a.py", 'variable "x" has none at all)'),
      assigned("b.py", 'variable "y" has none at all)'),
      assigned("c.py", "while its base class of the same module declares it with a type of its own)"),
    ];
    expect(dense(list)).toBe(
      `E1: Incompatible types in this assignment (the expression has type "A", …
 … variable "…" has none at all)
  a.py:1 x; b.py:1 y
 … while its base class of the same module declares it with a type of its own)
  c.py:1`,
    );
  });

  it("lists several values of the same lines together", () => {
    const unused = (line: number, name: string): Diagnostic =>
      one("a.rb", { line, message: `Unused argument '${name}'` });
    const list = [7, 9].flatMap((line) => [unused(line, "scope"), unused(line, "locals")]);
    expect(dense([...list, unused(12, "a & b")])).toBe(
      `E1: Unused argument '…'\n a.rb:7,9 scope & locals;12 "a & b"`,
    );
  });
});
