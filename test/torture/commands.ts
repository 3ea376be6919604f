import type { Random } from "./random.ts";

/** A command whose output is known in advance. */
export interface KnownCommand {
  readonly command: string;
  readonly exitCode: number;
  /** Lines written to stdout, in order. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Creates a command for `node -e`, which is always available; slow ones pause between lines. */
export function knownCommand(random: Random, { slow = false } = {}): KnownCommand {
  const token = random.word();
  const count = random.size(slow ? 200 : 3_000);
  const width = random.size(300);
  const exitCode = random.pick([0, 0, 1, 3]);
  const errors = random.chance(0.5);
  const program = [
    "const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);",
    "const { writeSync } = require('node:fs');",
    `for (let i = 1; i <= ${count}; i++) {`,
    `writeSync(1, '${token} out ' + i + ' ' + 'x'.repeat(${width}) + '\\n');`,
    errors ? `if (i % 3 === 0) writeSync(2, '${token} err ' + i + '\\n');` : "",
    slow ? `pause(${random.int(1, 15)});` : "",
    `} process.exitCode = ${exitCode};`,
  ].join(" ");
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  return {
    command: `node -e "${program}"`,
    exitCode,
    stdout: numbers.map((i) => `${token} out ${i} ${"x".repeat(width)}`),
    stderr: errors ? numbers.filter((i) => i % 3 === 0).map((i) => `${token} err ${i}`) : [],
  };
}
