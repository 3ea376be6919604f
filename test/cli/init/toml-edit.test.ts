import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { removeTomlEntry, setTomlEntry } from "../../../src/cli/init/toml-edit.ts";
import { problemOf } from "./problem-of.ts";

const PATH = ["mcp_servers", "pith"];
const ENTRY = { command: "npx", args: ["-y", "pith", "serve"] };
const TABLE = '[mcp_servers.pith]\ncommand = "npx"\nargs = ["-y", "pith", "serve"]\n';

const SAMPLES: Readonly<Record<string, string>> = {
  "a model": 'model = "gpt-6"\nmodel_reasoning_effort = "high" # always\n',
  "other servers":
    '# mine\n[mcp_servers.github]\ncommand = "docker"\nargs = [\n  "run", # a comment ] here\n  "-i",\n]\n\n[mcp_servers.github.env]\nTOKEN = "x#y[z]"\n\n[projects."/home/me/it"]\ntrust_level = "trusted"\n',
  "hard strings":
    'a = """\n[mcp_servers.pith]\ncommand = "no"\n"""\nb = \'\'\'\n[x]\n\'\'\'\nc = \'it\\\'\nd = { e = "}", f = [1, [2, 3]] }\ng = 1979-05-27 07:32:00\n',
  CRLF: 'model = "a"\r\n\r\n[features]\r\nx = true\r\n',
  "a similar name": '[mcp_servers.pith2]\ncommand = "x"\n\n[mcp_servers_pith]\ny = 1\n',
  "an array of tables": '[[hooks]]\nname = "a"\n\n[[hooks]]\nname = "b"\n',
};

describe.each(Object.entries(SAMPLES))("%s", (_, text) => {
  const edited = setTomlEntry(text, PATH, ENTRY);

  it("gets the table appended", () => {
    const table = text.includes("\r\n") ? TABLE.replaceAll("\n", "\r\n") : TABLE;
    expect(edited).toBe(`${text}${text.includes("\r\n") ? "\r\n" : "\n"}${table}`);
  });

  it("is restored exactly when the entry is removed", () => {
    expect(removeTomlEntry(edited, PATH)).toBe(text);
  });

  it("does not change when the entry is set a second time", () => {
    expect(setTomlEntry(edited, PATH, ENTRY)).toBe(edited);
  });
});

it("creates a file and removes it again", () => {
  expect(setTomlEntry("", PATH, ENTRY)).toBe(TABLE);
  expect(removeTomlEntry(TABLE, PATH)).toBeUndefined();
  expect(setTomlEntry("a = 1", PATH, ENTRY)).toBe(`a = 1\n\n${TABLE}`);
});

it("updates its own keys and keeps those of the user, their order and comments", () => {
  const text = [
    "[ mcp_servers . 'pith' ] # here",
    'args = [ "a", # first',
    '  "b" ] # args',
    "startup_timeout_sec = 5",
    "",
    "[mcp_servers.pith.env]",
    'A = "1"',
    "",
    "[z]",
    "y = 1",
  ].join("\n");
  expect(setTomlEntry(text, PATH, ENTRY).split("\n")).toEqual([
    "[ mcp_servers . 'pith' ] # here",
    'command = "npx"',
    'args = ["-y", "pith", "serve"] # args',
    "startup_timeout_sec = 5",
    "",
    "[mcp_servers.pith.env]",
    'A = "1"',
    "",
    "[z]",
    "y = 1",
  ]);
  expect(removeTomlEntry(text, PATH)).toBe("\n[z]\ny = 1");
});

it("accepts an entry in any form with the same content", () => {
  const text = 'mcp_servers = { pith = { command = "npx", args = ["-y", "pith", "serve"] } }\n';
  expect(setTomlEntry(text, PATH, ENTRY)).toBe(text);
  expect(parse(setTomlEntry(`[mcp_servers]\na.command = "x"\n`, PATH, ENTRY))).toEqual({
    mcp_servers: { a: { command: "x" }, pith: ENTRY },
  });
});

it.each([
  ['a = 1\nb = "open\n', /^2: /],
  ["a = 1\na = 2\n", /^2: /],
  ['x = 1\nmcp_servers = { other = { command = "x" } }\n', /^2: mcp_servers\.pith is not written as a \[/],
  ['[mcp_servers]\npith = { command = "old" }\n', /^1: mcp_servers\.pith is not written as a \[/],
])("refuses %j", (text, problem) => {
  expect(problemOf(() => setTomlEntry(text, PATH, ENTRY))).toMatch(problem);
});

it("refuses to remove an entry that is not a table of its own", () => {
  expect(problemOf(() => removeTomlEntry('[mcp_servers]\npith = { command = "x" }\n', PATH))).toMatch(/^1: /);
});
