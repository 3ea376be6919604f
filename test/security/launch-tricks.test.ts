import { expect, it } from "vitest";
import { CODE_LAUNCHERS, CODES, WORD_LAUNCHERS, WORDS } from "./launchers.ts";
import { FEATURES, VARIABLES } from "./shell-features.ts";
import { OVERLOOKED, WRITTEN } from "./written-tricks.ts";
import { createSandbox, isAccepted, PROGRAM, run } from "./trick-sandbox.ts";

/** Every how manieth line is tried; all of them with PITH_ALL_TRICKS=1. */
const STEP = process.env["PITH_ALL_TRICKS"] === undefined ? 8 : 1;
/** Each line has a word of its own, which the trace of the forbidden program contains if the line ran it. */
const word = (number: number): string => `id${number}z`;

/** All lines with their words. Code that is written in base64 hides the word too, so that it is kept beside the line. */
function allLines(): readonly { readonly line: string; readonly id: string }[] {
  const lines: { line: string; id: string }[] = [];
  const add = (make: (id: string) => string): void => {
    const id = word(lines.length);
    lines.push({ id, line: make(id) });
  };
  const code = (at: number, id: string): string => CODES[at % CODES.length]?.(id) ?? "";
  for (const launcher of WORD_LAUNCHERS)
    for (const [i, write] of WORDS.entries())
      add((id) => {
        const [before, words] = write(id, code(i * 5 + lines.length, id));
        return `${before}${launcher} ${words}${launcher.endsWith("-exec") ? " ';'" : ""}`;
      });
  for (const make of [...CODE_LAUNCHERS, ...FEATURES])
    for (const write of CODES) add((id) => make(write(id)));
  for (const [i, make] of VARIABLES.entries())
    for (let k = 0; k < 4; k++) add((id) => make(code(i + k * 3, id)));
  return lines;
}

it("runs no forbidden command through any other program, variable or feature of the shell", () => {
  const sandbox = createSandbox();
  const lines = allLines().filter((_, i) => i % STEP === 0);
  expect(lines.length).toBeGreaterThan(1_500);
  const accepted = lines.filter(({ line }) =>
    isAccepted(line, { allow: ["*"], ask: [], deny: [PROGRAM] }, sandbox),
  );
  const ran = run(
    accepted.map(({ line }) => line),
    sandbox,
  );
  expect(
    accepted.filter(({ id }) => [...ran].some((trace) => trace.includes(id))).map(({ line }) => line),
  ).toEqual([]);
  // A trace without a word comes from a program that got other arguments.
  expect([...ran]).toEqual([]);
});

it("runs nothing that the line itself has written, nor code that is easily overlooked", () => {
  const sandbox = createSandbox();
  const rules = { allow: ["*"], ask: [], deny: [PROGRAM] };
  const lines = [...WRITTEN, ...OVERLOOKED].flatMap((make) => CODES.map((write) => make(write("x"))));
  expect(lines.filter((line) => isAccepted(line, rules, sandbox))).toEqual([]);
});

it("would run it without rules, so that the lines are real tricks", () => {
  const sandbox = createSandbox();
  const features = FEATURES.map((make, i) => make(`${PROGRAM} ${word(i)}`));
  expect(run(features, sandbox).size).toBeGreaterThan(100);
});
