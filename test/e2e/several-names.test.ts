import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { splitNames } from "../../src/index/query/split-names.ts";
import { call } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";

/** A definition in each of five languages, with lines around it that are not part of it. */
const BODIES: readonly (readonly [name: string, file: string, text: string, start: number, end: number])[] = [
  [
    "Cart.total",
    "cart.py",
    "class Cart:\n    x = 1\n\n    def total(self):\n        return 1\n\n    y = 2\n",
    4,
    5,
  ],
  [
    "Server.Start",
    "server.go",
    "package main\n\ntype Server struct{ n int }\n\nfunc (s *Server) Start() {\n\ts.n = 1\n}\n\nfunc other() {}\n",
    5,
    7,
  ],
  [
    "Point::make",
    "point.rs",
    "pub struct Point;\n\nimpl Point {\n    pub fn make() -> Self {\n        Self\n    }\n}\n",
    4,
    6,
  ],
  [
    "Adder.add",
    "Adder.java",
    "class Adder {\n  int a;\n  int add(int b) {\n    return a + b;\n  }\n  int c;\n}\n",
    3,
    5,
  ],
  [
    "parseAll",
    "parse.ts",
    "const a = 1;\n\nexport function parseAll() {\n  return a;\n}\n\nconst b = 2;\n",
    3,
    5,
  ],
];
const FILES = Object.fromEntries(BODIES.map(([, file, text]) => [file, text]));

function bodyOf([, , text, start, end]: (typeof BODIES)[number]): string {
  const lines = text.split("\n").slice(start - 1, end);
  return lines.map((line, i) => `${start + i}| ${line}`).join("\n");
}

async function pith(cwd: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await pithInside(args, cwd);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

describe("a symbol's body by name", () => {
  it("is exactly its lines, from read and from locate_symbol", async () => {
    const client = await connect(makeFolder(FILES));
    for (const body of BODIES) {
      const [name, file, , start, end] = body;
      const read = await call(client, "read", { file_path: name });
      expect(read).toMatch(new RegExp(`^${file}:${start}-${end}\\n`));
      const located = await call(client, "locate_symbol", { name, detail_level: "detailed" });
      expect(located).toMatch(new RegExp(`^${file}:${start}-${end} `));
      for (const text of [read, located])
        expect(
          text
            .split("\n")
            .slice(1, 2 + end - start)
            .join("\n"),
          name,
        ).toBe(bodyOf(body));
      expect(located.split("\n")).toHaveLength(2 + end - start);
    }
  });

  it("can be had for several names at once, on the command line too", async () => {
    const folder = makeFolder(FILES);
    const names = BODIES.map(([name]) => name);
    const bodies = BODIES.map(bodyOf);
    const text = await call(await connect(folder), "locate_symbol", {
      name: names,
      detail_level: "detailed",
    });
    const printed = await pith(folder, "symbol", ...names, "--detail", "detailed");
    const read = await pith(folder, "read", ...names);
    for (const body of bodies) for (const reply of [text, printed, read]) expect(reply).toContain(body);
  });
});

describe("locate_symbol takes several names", () => {
  const EXPECTED = ["cart.py:4-5 def total(self) in Cart", "parse.ts:3-5 export function parseAll()"].join(
    "\n",
  );

  it("as a list, with blanks, with commas, or as JSON", async () => {
    const client = await connect(makeFolder(FILES));
    const names = ["Cart.total", "parseAll"];
    for (const name of [names, names.join(" "), names.join(", "), JSON.stringify(names)])
      expect(await call(client, "locate_symbol", { name })).toBe(EXPECTED);
    expect(await call(client, "locate_symbol", { name: "Cart parseAll", cursor: "1.abcdef" })).toContain(
      "cursor goes with one name only",
    );
  });

  it("on the command line", async () => {
    expect(await pith(makeFolder(FILES), "symbol", "Cart.total", "parseAll")).toBe(`${EXPECTED}\n`);
  });

  it("and says of each name that it is missing, or which names are near", async () => {
    const client = await connect(makeFolder(FILES));
    expect(await call(client, "locate_symbol", { name: "parseAll nowhereAtAll parsaAll parse" })).toBe(
      [
        "parse.ts:3-5 export function parseAll()",
        "nowhereAtAll: No match in 5 files; left out: ignored",
        "parsaAll: No match in 5 files; left out: ignored",
        "Nearest: parseAll",
        "parse:",
        "parse.ts:3-5 export function parseAll() [prefix]",
      ].join("\n"),
    );
  });

  it("with one budget, the call for more of each, and the names that have no room", async () => {
    const many = Array.from({ length: 40 }, (_, i) => `def first(): pass\ndef second(): pass\n# ${i}\n`);
    const files = Object.fromEntries(many.map((text, i) => [`pkg/module${i}.py`, text]));
    const client = await connect(makeFolder({ ...files, "one.py": "def third(): pass\n" }));
    const args = { name: "first second third", kind: "fn", limit: 50 };
    const text = await call(client, "locate_symbol", { ...args, max_tokens: 400 });
    expect(estimateTokens(text)).toBeLessThanOrEqual(400);
    expect(text).toContain("one.py:1 def third()");
    const calls = [...text.matchAll(/\+(\d+) more: locate_symbol name=(\w+) kind=fn cursor=(\S+)/g)];
    expect(calls.map(([, , name]) => name)).toEqual(["first", "second"]);
    for (const [, left, name = "", cursor] of calls) {
      const shown = text.split("\n").filter((line) => line.includes(`def ${name}(`)).length;
      expect(shown + Number(left)).toBe(40);
      const rest = await call(client, "locate_symbol", {
        name,
        kind: "fn",
        limit: 50,
        cursor,
        max_tokens: 9_000,
      });
      expect(rest.match(new RegExp(`def ${name}\\(`, "g"))).toHaveLength(Number(left));
    }
    const names = ["first", "second", "third", ...Array.from({ length: 12 }, (_, i) => `missing${i}`)];
    const tight = await call(client, "locate_symbol", { name: names, max_tokens: 100 });
    expect(estimateTokens(tight)).toBeLessThanOrEqual(100);
    const [, listed = "", more = "0"] =
      /\[not shown: (.*?)(?: and (\d+) more)?; ask for fewer at once\]/.exec(tight) ?? [];
    const shown = names.filter((name) => tight.split("[not shown")[0]?.includes(name)).length;
    expect(shown + listed.split(", ").length + Number(more)).toBe(names.length);
  });

  it("as one JSON object and as Markdown", async () => {
    const client = await connect(makeFolder(FILES));
    const name = "parseAll nowhereAtAll";
    const json: unknown = JSON.parse(await call(client, "locate_symbol", { name, response_format: "json" }));
    expect(json).toMatchObject({
      names: [
        { name: "parseAll", results: [{ path: "parse.ts", line_start: 3, line_end: 5 }], total_count: 1 },
        { name: "nowhereAtAll", results: [], total_count: 0, message: expect.stringContaining("No match") },
      ],
      total_count: 1,
      metadata: { freshness_status: "fresh", result_completeness: "complete" },
    });
    const markdown = await call(client, "locate_symbol", { name, response_format: "markdown" });
    expect(markdown).toMatch(/^# parseAll\n[^]*parse\.ts[^]*# nowhereAtAll\n/);
  });

  it.each([
    ["class Cart", ["class Cart"]],
    ["pub fn make(a: A, b: B)", ["pub fn make(a: A, b: B)"]],
    ["Map<K, V>", ["Map<K, V>"]],
    ["operator ==", ["operator =="]],
    ["public static main", ["public static main"]],
    ["one two", ["one", "two"]],
    ["key value", ["key", "value"]],
    ["class, type", ["class", "type"]],
    ["A.b\nsrc/c.ts:d  E::f", ["A.b", "src/c.ts:d", "E::f"]],
  ])("but reads %j as it is meant", (text, names) => {
    expect(splitNames(text)).toEqual(names);
  });
});
