import { describe, expect, it } from "vitest";
import { parse as parseToml } from "smol-toml";
import { readCustomTool } from "../../../src/diagnostics/custom/read-tool.ts";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import type { BuildTool } from "../../../src/diagnostics/tool.ts";

const TASKS = JSON.stringify({
  tasks: [
    {
      label: "Mix all",
      problemMatcher: {
        owner: "mixer",
        pattern: { regexp: "^MIX (\\S+) @ (\\d+) ! (.*)$", file: 1, line: 2, message: 3 },
      },
    },
  ],
});

/** Reads the table of `[tools.acme]`. */
function acme(toml: string): BuildTool {
  return readCustomTool({ name: "acme", file: "pith.toml", table: parseToml(toml) }, TASKS).tool;
}

function read(tool: BuildTool, text: string): readonly unknown[] {
  return parseText(text, { custom: [tool] }).diagnostics;
}

const FORMAT = String.raw`
[format]
complaints = ['^(?<file>\S+):(?<line>\d+): (?<severity>bad|odd) (?<message>.*) \[(?<code>[a-z-]+)\]$']
continuation = ['^ {4}(?<help>\S.*)$']
noise = '^acme: \d+ problems?$'
[format.severities]
bad = "error"
odd = "warning"
`;
const OUTPUT = `checking 2 recipes
recipes/soup.acme:12: bad salt before water [order]
    Swap the two steps.
recipes/cake.acme:3: odd oven not preheated [oven]
acme: 2 problems
`;
const FOUND = [
  {
    tool: "acme",
    severity: "error",
    file: "recipes/soup.acme",
    line: 12,
    code: "order",
    message: "salt before water",
    help: ["Swap the two steps."],
  },
  {
    tool: "acme",
    severity: "warning",
    file: "recipes/cake.acme",
    line: 3,
    code: "oven",
    message: "oven not preheated",
  },
];

describe("a tool of a configuration file", () => {
  it("reads its output by its table, with and without a text that it is recognized by", () => {
    expect(read(acme(FORMAT), OUTPUT)).toEqual(FOUND);
    expect(read(acme(`signatures = ["checking "]\n${FORMAT}`), OUTPUT)).toEqual(FOUND);
    expect(read(acme(`signatures = ["Acme 2.0"]\n${FORMAT}`), OUTPUT)).not.toEqual(FOUND);
  });

  it("may name groups for its templates", () => {
    const tool = acme(
      `[[format.complaints]]\npattern = '^(?<file>\\S+) has (?<what>.*)$'\nmessage = "no {what}"`,
    );
    expect(read(tool, "a.acme has salt")).toMatchObject([{ file: "a.acme", message: "no salt" }]);
  });

  it("leaves lines of known tools to them", () => {
    const greedy = acme(`[format]\ncomplaints = ['^(?<message>.*)$']`);
    const line = "src/a.ts(3,5): error TS2304: Cannot find name 'x'.";
    expect(read(greedy, line)).toMatchObject([{ tool: "tsc", code: "TS2304" }]);
  });

  it("reads by a problem matcher of VS Code, or of one of its tasks", () => {
    const gcc = acme('problem_matcher = "$gcc"');
    expect(parseText("main.c:3:5: error: no x\n", { tools: [gcc], expected: ["acme"] }).diagnostics).toEqual([
      { tool: "acme", severity: "error", file: "main.c", line: 3, column: 5, message: "no x" },
    ]);
    for (const name of ["mixer", "Mix all"])
      expect(read(acme(`problem_matcher = "${name}"`), "MIX a.mix @ 7 ! lumps\n")).toMatchObject([
        { file: "a.mix", line: 7, message: "lumps" },
      ]);
  });

  it("gives its patterns no long lines, and takes linear time", () => {
    const tool = acme(String.raw`
[format]
complaints = ['^(?<file>[^:]*)[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*: (?<message>.*)!$']`);
    const start = process.cpuUsage();
    read(tool, `${"a".repeat(480)}: x\n`.repeat(20) + `${"a".repeat(100_000)}: x!\n`);
    const { user } = process.cpuUsage(start);
    expect(user / 1_000_000).toBeLessThan(20);
  });
});

describe("a wrong table", () => {
  it.each([
    ["[format]\ncomplaint = ['x']", "pith.toml: tools.acme.format.complaint: unknown key"],
    ["[format]\nnoise = 'x'", "pith.toml: tools.acme.format.complaints: the table needs"],
    ["[format]\ncomplaints = ['(?<message>x']", "tools.acme.format.complaints[0]: not a regular expression"],
    [
      "[format]\ncomplaints = ['(?<message>x)', '(x)']",
      "tools.acme.format.complaints[1]: the pattern has no group",
    ],
    ["[format]\ncomplaints = ['^(?!x)(a+)+(?<message>b)$']", "tools.acme.format.complaints[0]: this regular"],
    [
      "[[format.complaints]]\npattern = '(?<message>x)'\nseverity = 'bad'",
      "tools.acme.format.complaints[0].severity: expected error, warning, info",
    ],
    ["[[format.complaints]]\nmessage = 'x'", "tools.acme.format.complaints[0].pattern: this key is missing"],
    ["[format]\ncomplaints = [3]", "tools.acme.format.complaints[0]: expected a table"],
    ["command = 3", "tools.acme.command: expected a text, not 3"],
    ['comand = "x"', "tools.acme.comand: unknown key"],
    ['problem_matcher = "$nothing"', "tools.acme.problem_matcher: no problem matcher"],
    ["detect = ['x']", "tools.acme: the table has neither a command nor a way to read output"],
    [
      "[format]\ncomplaints = ['^(?<path>x): (?<message>y)$']",
      "tools.acme.format.complaints[0]: the group `path` is not a field of a diagnostic",
    ],
    [
      "[format]\ncomplaints = ['(?<message>y)']\ncontinuation = ['^ (?<hlep>x)$']",
      "tools.acme.format.continuation[0]: the group `hlep`",
    ],
    [`problem_matcher = "$gcc"\n${FORMAT}`, "tools.acme: give either format or problem_matcher"],
  ])("%j says what is wrong and where", (toml, message) => {
    expect(() => acme(toml)).toThrow(message);
  });

  it("may not take the name of a tool that Pith knows", () => {
    const table = { command: "x" };
    expect(() => readCustomTool({ name: "eslint", file: "pith.toml", table })).toThrow(
      "tools.eslint: Pith already has a tool of this name",
    );
    expect(() => readCustomTool({ name: "rm -rf", file: "pith.toml", table })).toThrow("a name consists of");
  });
});
