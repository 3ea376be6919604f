import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { call } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

const functionNamed = (name: string, factor: number): string =>
  [
    `export function ${name}(value: number): number {`,
    ...Array.from({ length: 12 }, (_, i) => `  const part${i} = value * ${factor} + ${i};`),
    "  return part11;",
    "}",
    "",
  ].join("\n");
const NAMES = Array.from({ length: 12 }, (_, i) => (i === 7 ? "chargeCustomer" : `helper${i}`));
const sourceWith = (factor: number): string => NAMES.map((name) => functionNamed(name, factor)).join("\n");

/** A repository in which every function of two files is changed. */
function changedRepository(): string {
  const folder = makeFolder({
    "src/a.ts": sourceWith(1),
    "src/b.ts": sourceWith(1).replaceAll("Customer", "Nobody"),
  });
  const git = (...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder });
  };
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  for (const name of ["a.ts", "b.ts"]) {
    const path = join(folder, "src", name);
    const text = name === "a.ts" ? sourceWith(1) : sourceWith(1).replaceAll("Customer", "Nobody");
    writeFileSync(path, text.replaceAll("part3 = value * 1", "part3 = value * 2"));
  }
  return folder;
}

describe("with a question, a diff is shown in whole hunks", () => {
  it("of the file and the function that the question names, within the budget", async () => {
    const folder = changedRepository();
    const client = await connect(folder);
    const raw = execFileSync("git", ["diff"], { cwd: folder, encoding: "utf8" }).trimEnd().split("\n");
    const args = {
      command: "git diff",
      context_focus_question: "What changes in chargeCustomer?",
      max_tokens: 600,
    };
    const json = JSON.parse(await call(client, "bash", { ...args, response_format: "json" })) as {
      parts: { start_line: number; end_line: number; content: string }[];
      pruning: { kept: [number, number][]; lines_after: number };
    };
    const shown = json.parts.flatMap(({ content }) => content.split("\n"));
    expect(json.pruning.lines_after).toBe(shown.length);
    expect(json.pruning.kept).toEqual(json.parts.map(({ start_line, end_line }) => [start_line, end_line]));
    expectWholeHunks(shown, raw);
    const text = await call(client, "bash", args);
    expect(estimateTokens(text)).toBeLessThanOrEqual(600);
    expect(text).toContain("+++ b/src/a.ts");
    expect(text).toMatch(/@@ .*chargeCustomer/);
    expect(text.split("\n").length).toBeLessThan(raw.length / 2);
    const failing = await call(client, "bash", {
      ...args,
      command: "git diff; echo fatal: no space left; exit 3",
    });
    expect(failing).toMatch(/@@ .*chargeCustomer[^]*fatal: no space left/);
  });
});

it("a hunk that is too large is shown around the words of the question", async () => {
  const folder = changedRepository();
  writeFileSync(
    join(folder, "src/new.ts"),
    [...NAMES, ...NAMES.map((name) => `${name}Again`)].map((name) => functionNamed(name, 3)).join("\n"),
  );
  execFileSync("git", ["add", "src/new.ts"], { cwd: folder });
  const client = await connect(folder);
  const text = await call(client, "bash", {
    command: "git diff --cached",
    context_focus_question: "What does helper5Again compute?",
    max_tokens: 700,
  });
  expect(estimateTokens(text)).toBeLessThanOrEqual(700);
  expect(text).toMatch(
    /\+\+\+ b\/src\/new\.ts\n\| @@ -0,0 \+1,\d+ @@\n… [^]*\+export function helper5Again[^]*part1 =/,
  );
});

/** Each shown hunk has all its lines, and stands below the head of its file. */
function expectWholeHunks(shown: readonly string[], raw: readonly string[]): void {
  const hunksIn = (lines: readonly string[]): string[] =>
    lines
      .join("\n")
      .split(/\n(?=@@ |diff --git )/)
      .filter((part) => part.startsWith("@@ "));
  const whole = new Set(hunksIn(raw));
  const found = hunksIn(shown);
  expect(found.length).toBeGreaterThan(0);
  for (const hunk of found) expect(whole).toContain(hunk);
  expect(shown[0]).toMatch(/^diff --git /);
}
