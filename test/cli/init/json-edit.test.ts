import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { jsonEntry, removeJsonEntry, setJsonEntry } from "../../../src/cli/init/json-edit.ts";
import { problemOf } from "./problem-of.ts";

const PATH = ["mcpServers", "pith"];
const ENTRY = { command: "npx", args: ["-y", "pith", "serve"] };

/** Files in the styles of the clients and their users. */
const SAMPLES: Readonly<Record<string, string>> = {
  "without servers": '{\n  "numStartups": 12,\n  "theme": "dark"\n}\n',
  "other servers, tabs":
    '{\n\t"mcpServers": {\n\t\t"github": {\n\t\t\t"command": "docker",\n\t\t\t"args": [\n\t\t\t\t"run"\n\t\t\t]\n\t\t}\n\t}\n}',
  "CRLF, four spaces":
    '{\r\n    "mcpServers": {\r\n        "a": { "url": "https://a.example/mcp" }\r\n    },\r\n    "x": 1\r\n}\r\n',
  "comments everywhere":
    '// my settings\n{\n  // servers\n  "mcpServers": {\n    "a": { "command": "a" } // keep me\n    /* and me */\n  }, // end\n  "z": [1, 2] // last\n}\n// bye\n',
  "trailing commas": '{\n  "mcpServers": {\n    "a": {\n      "command": "a",\n    }, // here\n  },\n}\n',
  "a comma on its own line": '{\n  "mcpServers": {\n    "a": { "command": "a" }\n    ,\n  }\n}\n',
  "one line": '{"mcpServers":{"a":{"command":"a"}},"b":true}',
  "one line with spaces": '{ "mcpServers": { "a": { "command": "a" } } }\n',
  "no last line end": '{\n  "a": 1\n}',
  "keys with braces in strings":
    '{\n  "a": "}{,// no /* comment */",\n  "mcpServers": {\n    "b}": { "command": "}" }\n  }\n}\n',
};

describe.each(Object.entries(SAMPLES))("%s", (_, text) => {
  const edited = setJsonEntry(text, PATH, ENTRY);

  it("gains the entry and loses nothing", () => {
    const before = parse(text) as Record<string, object>;
    const servers = { ...before["mcpServers"], pith: ENTRY };
    expect(parse(edited)).toEqual({ ...before, mcpServers: servers });
    // Every original line is still there, in order; at most a comma was appended to it.
    let at = 0;
    for (const line of text
      .split("\n")
      .flatMap((whole) => whole.split(/[{}]/))
      .map((part) => part.trim())) {
      at = edited.indexOf(line.replace(/\r$/, ""), at);
      expect(at).toBeGreaterThanOrEqual(0);
    }
  });

  it("is restored exactly when the entry is removed", () => {
    expect(removeJsonEntry(edited, PATH)).toBe(text);
  });

  it("does not change when the entry is set a second time", () => {
    expect(setJsonEntry(edited, PATH, ENTRY)).toBe(edited);
  });

  it("keeps its line ends", () => {
    const crlf = text.includes("\r\n");
    expect(
      edited
        .split("\n")
        .slice(0, -1)
        .every((line) => line.endsWith("\r") === crlf),
    ).toBe(true);
  });
});

it("adopts the style of the rest of the file", () => {
  expect(setJsonEntry('{\n\t"mcpServers": {\n\t\t"a": {} // x\n\t}\n}\n', PATH, ENTRY)).toBe(
    '{\n\t"mcpServers": {\n\t\t"a": {}, // x\n\t\t"pith": {\n\t\t\t"command": "npx",\n\t\t\t"args": ["-y", "pith", "serve"]\n\t\t}\n\t}\n}\n',
  );
  expect(setJsonEntry('{\n  "mcpServers": {}\n}\n', PATH, { command: "pith" })).toBe(
    '{\n  "mcpServers": {\n    "pith": {\n      "command": "pith"\n    }\n  }\n}\n',
  );
});

it("adds the entry to an empty file, an empty object, and a file of comments", () => {
  const fresh = '{\n  "mcpServers": {\n    "pith": {\n      "command": "pith"\n    }\n  }\n}\n';
  for (const text of ["", "\n", "{}\n"]) expect(setJsonEntry(text, PATH, { command: "pith" })).toBe(fresh);
  expect(setJsonEntry("// note\n", PATH, { command: "pith" })).toBe(`// note\n${fresh}`);
  const empty = setJsonEntry('{\n  "mcpServers": {\n    // none yet\n  }\n}\n', PATH, { command: "pith" });
  expect(empty).toContain('// none yet\n    "pith": {');
});

it("updates its own fields and keeps those of the user", () => {
  const text = '{"mcpServers": {"pith": {"command": "old", "env": {"A": "1"}, "args": ["x"], "timeout": 5}}}';
  expect(setJsonEntry(text, PATH, ENTRY)).toBe(
    '{"mcpServers": {"pith": {"command": "npx", "env": {"A": "1"}, "args": ["-y", "pith", "serve"], "timeout": 5}}}',
  );
  const lines = '{\n  "mcpServers": {\n    "pith": {\n      "command": "npx" // mine\n    }\n  }\n}\n';
  expect(setJsonEntry(lines, PATH, ENTRY)).toBe(
    '{\n  "mcpServers": {\n    "pith": {\n      "command": "npx", // mine\n      "args": ["-y", "pith", "serve"]\n    }\n  }\n}\n',
  );
});

it("replaces an entry of a server that is reached by URL", () => {
  const text = '{"mcpServers": {"pith": {"type": "http", "url": "http://127.0.0.1:1"}}}';
  expect(jsonEntry(setJsonEntry(text, PATH, ENTRY), PATH)).toEqual(ENTRY);
});

it("uses the last of two equal keys, as JSON parsers do", () => {
  const text = '{"mcpServers": {"a": 1}, "mcpServers": {"b": 2}}';
  expect(parse(setJsonEntry(text, PATH, ENTRY))).toEqual({ mcpServers: { b: 2, pith: ENTRY } });
});

describe("removing", () => {
  it.each([
    ['{"mcpServers": {"pith": {"command": "x"}, "b": {}}}', '{"mcpServers": {"b": {}}}'],
    ['{"mcpServers": {"a": {}, "pith": {}, "b": {}}}', '{"mcpServers": {"a": {}, "b": {}}}'],
    [
      '{\n  "mcpServers": {\n    "pith": {},\n    "b": {} // b\n  }\n}',
      '{\n  "mcpServers": {\n    "b": {} // b\n  }\n}',
    ],
    [
      '{\n  "mcpServers": {\n    // keep\n    "pith": {}\n  }\n}',
      '{\n  "mcpServers": {\n    // keep\n  }\n}',
    ],
    ['// only a note\n{\n  "mcpServers": { "pith": {} }\n}\n', "// only a note\n{}\n"],
    ['{ "a": 1 }', '{ "a": 1 }'],
    ["", ""],
  ])("%j", (text, after) => {
    expect(removeJsonEntry(text, PATH)).toBe(after);
  });

  it("removes a file that held nothing else", () => {
    expect(removeJsonEntry(setJsonEntry("", PATH, ENTRY), PATH)).toBeUndefined();
  });
});

it.each([
  ['{\n  "a": 1,\n  "b" 2\n}', "3: colon expected"],
  ['{\n  "mcpServers": {\n', "3: close brace expected"],
  ['{"a": 1} trailing', "1: invalid symbol"],
  ["[1]", "1: the file does not hold an object"],
  ['{\n "mcpServers": []\n}', "2: mcpServers is not an object"],
  ['{"mcpServers": null}', "1: mcpServers is not an object"],
  ["\u0000\u0001", "1: invalid symbol"],
])("refuses %j", (text, problem) => {
  expect(problemOf(() => setJsonEntry(text, PATH, ENTRY))).toBe(problem);
});
