import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import { findTool } from "../../../src/diagnostics/registry/tool-names.ts";

const root = join(import.meta.dirname, "../../..");

/** Folders of the engine, the planner and the renderer. They read what a tool declares, and know no tool by name. */
const ROOMS = ["src/diagnostics", "src/runs", "src/render"];
const TOOLS = "src/diagnostics/tools/";

/** Words that are also names of something else than a tool, by the file that uses them. */
const OTHER_MEANINGS: Readonly<Record<string, string>> = {
  "src/diagnostics/tool.ts": "names of ecosystems",
  "src/diagnostics/compare/vanished-diagnostics.ts": "names of ecosystems",
  "src/diagnostics/fallback/traces.ts": "languages of stack traces",
  "src/diagnostics/ci/verdict-lines.ts": "CI systems",
  "src/diagnostics/registry/check-programs.ts": "generated from the tools' declarations",
  "src/runs/reuse/outside-facts.ts": "an interpreter, and a folder of git's settings",
  "src/runs/reuse/shared-check.ts": "how a file is opened",
  "src/diagnostics/registry/test-programs.ts": "generated from the tools' declarations",
  "src/diagnostics/custom/problem-matcher.ts": "the tools of VS Code's problem matchers",
  "src/runs/plan/vscode-tasks.ts": "a type of VS Code's tasks",
  "src/runs/plan/selected-tests.ts": "names of ecosystems",
  "src/runs/plan/test-script.ts": "Node's runner, which has no program of its own",
  "src/render/files/shown-part.ts": "a field name",
  "src/render/log/log.ts": "a field name",
};

/** A string that is nothing but an id, and a property key that is an id no English word is spelled like. */
const ids = buildTools.map((tool) => tool.id);
const AMBIGUOUS_KEYS = new Set([
  "next",
  "node",
  "make",
  "go",
  "r",
  "git",
  "python",
  "standard",
  "apt",
  "tap",
]);
const LITERAL = new RegExp(String.raw`(["'\`])(?:${ids.join("|")})\1`);
const KEY = new RegExp(String.raw`^\s*(?:${ids.filter((id) => !AMBIGUOUS_KEYS.has(id)).join("|")}): `);

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".ts") && !name.startsWith(TOOLS));
}

function namesTools(line: string): boolean {
  return !/^\s*(?:\/\/|\/?\*)/.test(line) && (LITERAL.test(line) || KEY.test(line));
}

describe("what Pith knows about a build tool", () => {
  it("is in the tool's own folder: no engine, planner or renderer names a tool", () => {
    const files = ROOMS.flatMap(filesOf);
    const found = files
      .filter((file) => !Object.hasOwn(OTHER_MEANINGS, file))
      .flatMap((file) =>
        readFileSync(join(root, file), "utf8")
          .split("\n")
          .filter(namesTools)
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(files.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });

  it("would be found elsewhere", () => {
    for (const line of [
      'if (runner === "maven") return;',
      "  vitest: { filter: [] },",
      "const A = ['jest'];",
    ])
      expect(namesTools(line)).toBe(true);
    for (const line of ["/** Such as `jest`. */", "  next: 3,", "// a 'jest' of old"])
      expect(namesTools(line)).toBe(false);
  });

  it("lists no exception that is no longer needed", () => {
    for (const file of Object.keys(OTHER_MEANINGS))
      expect(readFileSync(join(root, file), "utf8").split("\n").some(namesTools), file).toBe(true);
  });
});

describe("names of build tools", () => {
  it("lead to one tool each: no alias is another tool's id, alias or program", () => {
    for (const { id, aliases = [] } of buildTools)
      for (const alias of aliases) {
        const others = buildTools.filter((one) => one.id !== id);
        const names = others.flatMap((one) => [one.id, ...(one.aliases ?? []), ...(one.programs ?? [])]);
        expect(names).not.toContain(alias);
        expect(findTool(alias)?.id).toBe(id);
      }
  });

  const MEANT: Readonly<Record<string, string>> = {
    "clang++": "gcc",
    "cargo build": "cargo",
    clippy: "cargo",
    "py.test": "pytest",
    "go test": "go-test",
    golang: "go",
    node: "node",
    mvn: "maven",
    "npm.test": "npm",
    "rails.test": "minitest",
  };
  for (const [name, id] of Object.entries(MEANT))
    it(`${name} means ${id}`, () => expect(findTool(name)?.id).toBe(id));
});
