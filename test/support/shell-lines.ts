import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execute } from "../../src/exec/execute.ts";
import type { RunEnd } from "../../src/model/run.ts";
import { recordCommand } from "../../src/runs/shell/recorded-command.ts";
import { judgeStages } from "../../src/runs/shell/stage-verdict.ts";
import { makeFolder } from "./folder.ts";

/** The effect of a command line: its output, its exit code, and the files it left. */
export interface LineEffect {
  readonly stdout: string;
  /** The lines of stderr without their order, because concurrent stages write in any order. */
  readonly stderr: readonly string[];
  readonly exitCode: number | undefined;
  readonly files: Readonly<Record<string, string>>;
}

export interface RecordedLine extends LineEffect {
  /** The content of the log. */
  readonly record: string;
  readonly end: RunEnd;
  readonly isRecorded: boolean;
}

/** Creates a runner of command lines with a program `tool N`, which prints N lines, writes to stderr, and exits with N. */
export function lineRunner(shell: string) {
  const tool =
    'i=1; while [ "$i" -le "$1" ]; do echo "line $i"; i=$((i+1)); done; echo "err of $1" >&2; exit "$1"';
  const root = makeFolder({ "bin/tool": `#!/bin/sh\n${tool}\n` });
  chmodSync(join(root, "bin/tool"), 0o755);
  const env = { PATH: [join(root, "bin"), process.env["PATH"]].join(delimiter), HOME: root };
  let count = 0;
  const folder = (): string => {
    const path = join(root, `w${++count}`);
    mkdirSync(path);
    writeFileSync(join(path, "f.txt"), "line 2\nfile\n");
    return path;
  };
  return {
    /** Runs the line with the shell alone. */
    async plain(line: string): Promise<LineEffect> {
      const cwd = folder();
      const child = spawn(shell, ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
      const out: Buffer[] = [];
      const errors: Buffer[] = [];
      child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
      child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
      const exitCode = await new Promise<number | undefined>((resolve) => {
        child.on("close", (code) => resolve(code ?? undefined));
      });
      return { ...shownSecrets(out, errors, cwd), exitCode };
    },
    /** Runs the line with Pith. */
    async recorded(line: string, signal?: AbortSignal): Promise<RecordedLine> {
      const cwd = folder();
      const argv = [shell, "-c", line] as const;
      const command = recordCommand(argv, { path: env.PATH, files: `${cwd}.hidden` });
      const isRecorded = command !== undefined && "argv" in command;
      const parts = { out: [] as Buffer[], errors: [] as Buffer[], record: [] as Buffer[] };
      const ended = await execute(
        { argv, cwd, env, ...(isRecorded ? { recorded: command.argv } : {}) },
        {
          id: `line${count}`,
          timeoutMs: 60_000,
          ...(signal === undefined ? {} : { signal }),
          onOutput(stream, chunk, part = "both") {
            if (part !== "record") parts[stream === "stdout" ? "out" : "errors"].push(chunk);
            if (part !== "view") parts.record.push(chunk);
            return undefined;
          },
        },
      );
      return {
        ...shownSecrets(parts.out, parts.errors, cwd),
        exitCode: ended.exitCode,
        record: Buffer.concat(parts.record).toString("latin1"),
        end: judgeStages(ended, command),
        isRecorded,
      };
    },
  };
}

function shownSecrets(
  out: readonly Buffer[],
  errors: readonly Buffer[],
  cwd: string,
): Omit<LineEffect, "exitCode"> {
  const text = (chunks: readonly Buffer[]): string =>
    Buffer.concat(chunks).toString("latin1").replaceAll(cwd, "FOLDER");
  return {
    stdout: text(out),
    stderr: text(errors).split("\n").sort(),
    files: Object.fromEntries(
      readdirSync(cwd)
        .sort()
        .map((name) => [name, readFileSync(join(cwd, name), "latin1")]),
    ),
  };
}
