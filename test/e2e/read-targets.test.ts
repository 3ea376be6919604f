import { describe, expect, it } from "vitest";
import { call, serverEnvironment } from "../support/client.ts";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";

const CODE = [
  "export function alpha() {",
  "  return 1;",
  "}",
  "",
  "export class Box {",
  "  open() {",
  "    return 2;",
  "  }",
  "}",
  "",
].join("\n");

const FILES = {
  "src/box.ts": CODE,
  "src/crate.ts": "export class Crate {\n  open() {\n    return 3;\n  }\n}\n",
  "test/box.test.ts":
    'describe("Box", () => {\n  it("shuts, then locks", () => {\n    expect(1);\n  });\n  it("is full", () => {});\n});\n',
  "long.txt": Array.from({ length: 60 }, (_, i) => `line ${i + 1}\n`).join(""),
  "odd:12": "a file with a colon and a number\n",
  odd: Array.from({ length: 40 }, (_, i) => `plain ${i + 1}\n`).join(""),
  "a#b": "a file with a hash\n",
};

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}| line ${from + i}`).join("\n");

const PLACES: readonly (readonly [target: string, expected: string])[] = [
  ["long.txt:12-14", `${lines(12, 14)}\n[of 60 lines]`],
  ["long.txt:58-", `${lines(58, 60)}\n[of 60 lines]`],
  ["long.txt:30", `${lines(10, 50)}\n[of 60 lines]`],
  ["long.txt:30:7", `${lines(10, 50)}\n[of 60 lines]`],
  ["long.txt:30:7:", `${lines(10, 50)}\n[of 60 lines]`],
  ["long.txt#L12-L14", `${lines(12, 14)}\n[of 60 lines]`],
  ["long.txt#L12-14", `${lines(12, 14)}\n[of 60 lines]`],
  ["odd:12", "1| a file with a colon and a number"],
  ["odd:12:1", "1| a file with a colon and a number"],
  ["odd:3-4", "3| plain 3\n4| plain 4\n[of 40 lines]"],
  ["a#b", "1| a file with a hash"],
  ["src/box.ts#alpha", "src/box.ts:1-3\n1| export function alpha() {\n2|   return 1;\n3| }\n[of 9 lines]"],
  ["src/box.ts#Box.open", "src/box.ts:6-8\n6|   open() {\n7|     return 2;\n8|   }\n[of 9 lines]"],
  ["alpha", "src/box.ts:1-3\n1| export function alpha() {\n2|   return 1;\n3| }\n[of 9 lines]"],
  [
    "test/box.test.ts#shuts, then locks",
    'test/box.test.ts:2-4\n2|   it("shuts, then locks", () => {\n3|     expect(1);\n4|   });\n[of 6 lines]',
  ],
  ["test/box.test.ts#Box > is full", 'test/box.test.ts:5-5\n5|   it("is full", () => {});\n[of 6 lines]'],
  ["test/box.test.ts#Is Full", 'test/box.test.ts:5-5\n5|   it("is full", () => {});\n[of 6 lines]'],
  ["Crate.open", "src/crate.ts:2-4\n2|   open() {\n3|     return 3;\n4|   }\n[of 5 lines]"],
];
const ON_THE_COMMAND_LINE = new Set([
  "long.txt:12-14",
  "long.txt:30:7",
  "odd:12",
  "src/box.ts#alpha",
  "alpha",
]);

describe("read accepts places as replies and tools print them", () => {
  it("over MCP and on the command line", async () => {
    const folder = makeFolder(FILES);
    const client = await connect(folder);
    const environment = serverEnvironment();
    for (const [target, expected] of PLACES) {
      expect([target, await call(client, "read", { file_path: target })]).toEqual([target, expected]);
      if (!ON_THE_COMMAND_LINE.has(target)) continue;
      const printed = await pithInside(["read", target], folder, environment);
      expect([target, printed.stdout]).toEqual([target, `${expected}\n`]);
    }
  });

  it("and shows the best of several definitions with the places of the others", async () => {
    const client = await connect(makeFolder(FILES));
    const text = await call(client, "read", { file_path: "open" });
    const [, first = "", second = ""] = /^(src\/\S+) \(also (src\/\S+)\)\n/.exec(text) ?? [];
    expect([first, second].sort()).toEqual(["src/box.ts:6-8", "src/crate.ts:2-4"]);
    expect(await call(client, "read", { file_path: second })).toContain("open()");
  });

  it("including every place that searches and lookups print", async () => {
    const client = await connect(makeFolder(FILES));
    for (const [tool, args] of [
      ["search_code", { query: "open" }],
      ["locate_symbol", { name: "open" }],
    ] as const) {
      const places = (await call(client, tool, args)).match(/^\S+:\d+(?:-\d+)?(?= )/gm) ?? [];
      expect(places.length).toBeGreaterThan(1);
      for (const place of places)
        expect(await call(client, "read", { file_path: place })).toContain("open()");
    }
  });

  it("and prefers lines in other arguments", async () => {
    const client = await connect(makeFolder(FILES));
    const next = await call(client, "read", { file_path: "long.txt:1-60", start_line: 59, end_line: 60 });
    expect(next).toBe(`${lines(59, 60)}\n[of 60 lines]`);
  });

  it("and says whether the file or the symbol in it is missing", async () => {
    const client = await connect(makeFolder(FILES));
    expect(await call(client, "read", { file_path: "src/bx.ts:3-4" })).toContain("src/bx.ts does not exist");
    expect(await call(client, "read", { file_path: "src/box.ts#alhpa" })).toContain("Did you mean alpha?");
    expect(await call(client, "read", { file_path: "nowhere" })).toContain('"code":"file_not_found"');
    const outside = await call(client, "read", { file_path: "/etc/hosts:1-2" });
    expect(outside).toContain('"code":"workspace_not_allowed"');
  });
});

describe("read accepts the log of a run", () => {
  it("by its id, with lines and a question", async () => {
    const client = await connect(makeFolder(FILES), { args: ["--toolsets", "files"] });
    const ran = await call(client, "bash", { command: "cat long.txt; echo odd one out >&2" });
    const [, id = ""] = /run (\w+)/.exec(ran) ?? [];
    expect(await call(client, "read", { file_path: `run:${id}`, start_line: 60, end_line: 61 })).toBe(
      "60| line 60\n61| odd one out\n[of 61 lines]",
    );
    expect(await call(client, "read", { file_path: `run:${id}:3-4` })).toBe(
      "3| line 3\n4| line 4\n[of 61 lines]",
    );
    expect(await call(client, "read", { file_path: "run:zzzzzz" })).toContain('"code":"run_not_found"');
  });
});

describe("the command line suggests its own commands", () => {
  it("for omitted parts, in errors and in JSON", async () => {
    const many = Array.from({ length: 900 }, (_, i) => `needle ${i} in a line of text\n`).join("");
    const folder = makeFolder({ ...FILES, "many.txt": many });
    const env = serverEnvironment();
    const pith = async (...args: string[]): Promise<string> => {
      const { stdout, stderr } = await pithInside(args, folder, env);
      return stdout + stderr;
    };
    const named = [
      await pith("read", "many.txt", "--max-tokens", "200"),
      await pith("exec", "--max-tokens", "200", "-v", "full", "--", "cat", "many.txt"),
      await pith("exec", "--json", "--max-tokens", "300", "--", "sh", "-c", "cat many.txt; exit 3"),
      await pith("exec", "npm.tset"),
      await pith("read", "src"),
      await pith("search", "open", "-n", "1"),
    ].map(
      (text) =>
        /(?:--lines [\d-]+|pith [a-z]+ [^\s"].*?|--cursor \S+)(?=[\]"\n;]| shows|$)/m.exec(text)?.[0] ?? text,
    );
    expect(named).toEqual([
      expect.stringMatching(/^--lines \d+-900$/),
      expect.stringMatching(/^pith logs \w+ --lines \d+-\d+(?: --stream stdout)?$/),
      expect.stringMatching(/^pith logs \w+$/),
      "pith exec --list",
      "pith grep '' src -l",
      expect.stringMatching(/^--cursor \S+$/),
    ]);
    for (const words of named.slice(1, 5))
      expect(
        await pith(
          ...words
            .split(" ")
            .slice(1)
            .map((word) => (word === "''" ? "" : word)),
        ),
      ).not.toContain("pith:");
  });
});

describe("read takes several targets in one call", () => {
  const EXPECTED = [
    "long.txt:12-13",
    lines(12, 13),
    "src/box.ts:1-3",
    "1| export function alpha() {\n2|   return 1;\n3| }",
    "src/crate.ts:2-4",
    "2|   open() {\n3|     return 3;\n4|   }",
  ].join("\n");

  it.each([
    ["blanks between them", "long.txt:12-13 src/box.ts#alpha Crate.open"],
    ["commas between them", "long.txt:12-13, src/box.ts#alpha, Crate.open"],
    ["a list", ["long.txt:12-13", "src/box.ts#alpha", "Crate.open"]],
  ])("%s", async (_, file_path) => {
    const client = await connect(makeFolder(FILES));
    expect(await call(client, "read", { file_path })).toBe(EXPECTED);
  });

  it("on the command line as arguments", async () => {
    const args = ["read", "long.txt:12-13", "src/box.ts#alpha", "Crate.open"];
    expect((await pithInside(args, makeFolder(FILES))).stdout).toBe(`${EXPECTED}\n`);
  });

  it("reads a file with blanks in its name as one", async () => {
    const client = await connect(makeFolder({ ...FILES, "long.txt odd": "blanks\n" }));
    expect(await call(client, "read", { file_path: "long.txt odd" })).toBe("1| blanks");
    expect(await call(client, "read", { file_path: "long.txt odd:1-1" })).toBe("1| blanks");
  });

  it("keeps the words of a path with blanks together, between other targets", async () => {
    const client = await connect(makeFolder({ ...FILES, "my notes/to do.ts": CODE }));
    const box = "1| export function alpha() {\n2|   return 1;\n3| }";
    const expected = `long.txt:12-13\n${lines(12, 13)}\nmy notes/to do.ts:1-3\n${box}\nmy notes/to do.ts:1-3\n${box}`;
    for (const file_path of [
      "long.txt:12-13 my notes/to do.ts:1-3 my notes/to do.ts#alpha",
      ["long.txt:12-13", "my notes/to do.ts:1-3", "my notes/to do.ts#alpha"],
    ])
      expect(await call(client, "read", { file_path })).toBe(expected);
    const missing = await call(client, "read", { file_path: ["long.txt:1-1", "my notes/not there.ts"] });
    expect(missing).toContain("my notes/not there.ts does not exist");
    const alone = await call(client, "read", { file_path: "your notes/plan.ts" });
    expect(alone).toContain("your notes/plan.ts does not exist");
  });

  it("names a symbol that is missing in its place, with those that are near", async () => {
    const client = await connect(makeFolder(FILES));
    const file_path = "src/box.ts#alhpa long.txt:1-1 Box.opn alphaa";
    expect(await call(client, "read", { file_path })).toBe(
      [
        'src/box.ts#alhpa: src/box.ts has no symbol "alhpa". Did you mean alpha?',
        "long.txt:1-1\n1| line 1",
        'Box.opn: No file or symbol "Box.opn". Did you mean Box.open?',
        'alphaa: No file or symbol "alphaa". Did you mean alpha?',
      ].join("\n"),
    );
  });

  it("stays within a small budget and lists the targets for which there is no room", async () => {
    const client = await connect(makeFolder(FILES));
    const targets = Array.from({ length: 12 }, (_, i) => `long.txt:${i + 1}-${i + 30}`);
    for (const max_tokens of [100, 300, 500]) {
      const text = await call(client, "read", { file_path: targets, max_tokens });
      expect(estimateTokens(text)).toBeLessThanOrEqual(max_tokens);
      const [, named = "", more = "0"] = /\[not shown: (.*?)(?: and (\d+) more)?; ask/.exec(text) ?? [];
      const shown = text.match(/^long\.txt:\d+-\d+$/gm) ?? [];
      expect(targets.slice(0, shown.length)).toEqual(shown);
      expect(targets.slice(shown.length)).toEqual(expect.arrayContaining(named.split(", ")));
      expect(shown.length + named.split(", ").length + Number(more)).toBe(targets.length);
    }
  });

  it("reports a target that cannot be read beside the others, and fails where none can", async () => {
    const client = await connect(makeFolder(FILES));
    const text = await call(client, "read", { file_path: "long.txt:1-1 other.ts" });
    expect(text).toMatch(/^long\.txt:1-1\n1\| line 1\nother\.ts: other\.ts does not exist\./);
    const none = await client.callTool({ name: "read", arguments: { file_path: "other.ts third.ts" } });
    expect(none.isError).toBe(true);
  });

  it("refuses lines that could belong to any of them", async () => {
    const client = await connect(makeFolder(FILES));
    const text = await call(client, "read", { file_path: "long.txt odd", start_line: 3 });
    expect(JSON.parse(text)).toMatchObject({
      error: { code: "invalid_input", message: "read: start_line goes with one file only" },
    });
  });

  it("shares one budget, and names the call that shows what does not fit", async () => {
    const long = Array.from({ length: 400 }, (_, i) => `const value${i} = ${i};`);
    const client = await connect(
      makeFolder({ "a.ts": long.join("\n"), "b.ts": long.join("\n"), "c.ts": "let c;\n" }),
    );
    const text = await call(client, "read", { file_path: "a.ts b.ts c.ts", max_tokens: 1_000 });
    expect(estimateTokens(text)).toBeLessThanOrEqual(1_000);
    expect(text).toContain("c.ts:1-1\n1| let c;");
    const handles = [...text.matchAll(/read file_path=([ab]\.ts) start_line=(\d+) end_line=(\d+)/g)];
    expect(handles.map(([, file]) => file)).toEqual(["a.ts", "b.ts"]);
    for (const [, file = "", start, end] of handles) {
      const shown = text.split(`${file}:`)[1]?.split("[lines")[0] ?? "";
      const first = shown.match(/^\d+(?=\|)/gm) ?? [];
      expect(first.length).toBeGreaterThan(20);
      const rest = await readOn(client, file, Number(start));
      expect([...first, ...rest].map(Number)).toEqual(long.map((_line, i) => i + 1));
      expect(Number(end)).toBe(400);
    }
  });

  /** Collects the numbers of all lines from the given one on, over as many calls as needed. */
  async function readOn(client: Awaited<ReturnType<typeof connect>>, file: string, from: number) {
    const text = await call(client, "read", {
      file_path: file,
      start_line: from,
      end_line: 400,
      max_tokens: 9_000,
    });
    return text.match(/^\d+(?=\|)/gm) ?? [];
  }

  it("gives a program one object for each", async () => {
    const client = await connect(makeFolder(FILES));
    const file_path = "long.txt:12-13 other.ts";
    const json: unknown = JSON.parse(await call(client, "read", { file_path, response_format: "json" }));
    expect(json).toMatchObject({
      files: [
        { path: "long.txt", start_line: 12, end_line: 13, content: "line 12\nline 13" },
        { path: "other.ts", error: { code: "file_not_found" } },
      ],
    });
  });
});
