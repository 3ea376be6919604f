import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { groupDiagnostics } from "../../../src/diagnostics/summarize/group.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import { Budget } from "../../../src/kernel/budget.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { renderDiagnostics } from "../../../src/render/list/diagnostics.ts";
import { fixturesOf, readFixture } from "../../diagnostics/fixtures.ts";
import { numbers } from "../../support/numbers.ts";
import { asRead, readList } from "./parse-list.ts";

/** The facts that a list must preserve: one line of message per place. Help has its own tests. */
function plain({ tool, severity, code, file, line, column, message }: Diagnostic): Diagnostic {
  return {
    tool,
    severity,
    message: message.replaceAll("\n", "⏎").replaceAll("…", "...").trim(),
    ...(code === undefined ? {} : { code }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

/** The diagnostics that a reader of the list misses or misreads. For a list that does not fit into a reply, only the misread ones. */
function lost(all: readonly Diagnostic[]): string[] {
  const diagnostics = all.map(plain);
  const { text, shown, total } = renderDiagnostics(groupDiagnostics(diagnostics), new Budget(9_000));
  expect(shown).toBeLessThanOrEqual(total);
  const read = new Set(readList(text).map((one) => JSON.stringify(one)));
  const namesTools = new Set(diagnostics.map((one) => one.tool)).size > 1;
  const expected = new Set(diagnostics.map((one) => JSON.stringify(asRead(one, namesTools))));
  const wrong = [...read].filter((one) => !expected.has(one)).map((one) => `not there: ${one}`);
  if (shown < total) return wrong;
  return [...wrong, ...[...expected].filter((one) => !read.has(one)).map((one) => `lost: ${one}`)];
}

function outputs(): { name: string; diagnostics: readonly Diagnostic[] }[] {
  const replies = join(import.meta.dirname, "../../quality/replies");
  const long = readdirSync(replies)
    .filter((file) => file.endsWith(".txt"))
    .map((name) => ({ name, ...parseText(readFileSync(join(replies, name))) }));
  const short = buildTools.flatMap((tool) =>
    fixturesOf(tool.id).map((fixture) => ({
      name: `${tool.id}/${fixture.name}`,
      ...readFixture(fixture),
    })),
  );
  return [...long, ...short];
}

/** Generates messages that differ in names and numbers and contain punctuation of the list. */
function generated(seed: number): Diagnostic[] {
  const next = numbers(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T; // Never empty.
  const names = [
    "x",
    "a, b",
    "1",
    "a|b",
    "Map<a, b>",
    "f(x)",
    "a; b",
    'say "no"',
    "C:\\dir",
    "a=1, 2",
    "fooBar",
    "()",
    " ",
    "Type[a]",
    "Type[b, c]",
    "Type[1]",
    "api.user.get_all",
    "api.user.get_1",
    "api.user.set",
    "+3",
    "{x}",
    "getUserName",
    "getUserMail",
  ];
  // Half of the lists have plain files whose paths have something in common.
  const isPlain = seed % 2 === 0;
  const folders = isPlain
    ? ["pkg/core/src/", "pkg/core/src/io/", "pkg/api/"]
    : ["", "src/", "src/deep/er/", "lib/", "C:\\Users\\me\\", "/abs/", "a b/", "[id]/", "we;rd/"];
  const bases = isPlain
    ? ["a.ts", "b.ts", "b.test.ts", "2.ts"]
    : [
        "a.ts",
        "b.ts",
        "a_test.go",
        "b_test.go",
        "Makefile",
        "c:1.ts",
        "x y.js",
        "{z}.ts",
        "d.test.ts",
        "*.md",
      ];
  const templates = [
    () => `'${pick(names)}' is defined but never used.`,
    () =>
      `Argument ${pick([1, 2, 3])} to "${pick(names)}" has type "${pick(names)}"; expected "${pick(names)}"`,
    () => `expected ${pick(["one", "two tabs", "3 spaces"])} here but found ${pick(["none", "tabs"])}`,
    () => `Missing semicolon.`,
    () =>
      `Function '${pick(names)}' ${pick(["is too long", "has too many statements"])} (${pick([61, 62])} > 60)`,
    () => `Function '${pick(names)}' is ${pick(["one {of} them", "deep, +wide", "new"])}`,
    () => `use \`${pick(names)}\` or \`_${pick(names)}\``,
    () => `no such thing: ${pick(["here", "there"])}`,
    () =>
      `the type of this expression is wrong, ${pick(["too long", "so is 'x'", `as "${pick(names)}" is, or so`])}`,
  ];
  return Array.from({ length: 5 + Math.floor(next() * 120) }, (): Diagnostic => {
    const line = Math.floor(next() * 300) + 1;
    return {
      tool: "t",
      severity: pick(["error", "error", "warning"]),
      message: pick(templates)(),
      ...(next() < 0.8 ? { code: pick(["E1", "no-var", "@x/y"]) } : {}),
      ...(next() < 0.95 ? { file: pick(folders) + pick(bases) } : {}),
      ...(next() < 0.9 ? { line, column: Math.floor(next() * 80) + 1 } : {}),
    };
  });
}

describe("a rendered list of diagnostics", () => {
  it("contains every diagnostic of every captured output", () => {
    const broken = outputs().flatMap(({ name, diagnostics }) =>
      lost(diagnostics)
        .slice(0, 3)
        .map((one) => `${name}: ${one}`),
    );
    expect(broken).toEqual([]);
  });

  it("contains every diagnostic with punctuation of the list in it", () => {
    for (let seed = 1; seed <= 60; seed++)
      expect([seed, lost(generated(seed)).slice(0, 3)]).toEqual([seed, []]);
  });
});
