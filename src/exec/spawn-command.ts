import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import type { Readable } from "node:stream";
import type { RunEnd, StreamName } from "../model/run.ts";
import { openPipes } from "./os-pipe.ts";
import { HAS_GROUPS } from "./process-group.ts";
import { canTag, withTag } from "./process-tag.ts";
import { startError } from "./start-error.ts";
import { markerName } from "./sweep.ts";
import { windowsCommand } from "./windows-command.ts";

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The command's complete environment; nothing is inherited from this process. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * A variant of the command that records each stage of its pipeline; it runs instead if its extra streams can be
   * opened.
   */
  readonly recorded?: readonly string[];
  /** The argument list that isolates the command, to which that of the command is appended. */
  readonly wrapper?: readonly string[];
  /** Sends stderr into stdout, so that the order of lines between them is kept. */
  readonly isMerged?: boolean;
}

/**
 * The extra file descriptors of a script whose pipeline stages are recorded: for the output of stages, and for messages
 * about them.
 */
const RECORD_STREAM = 8;
export const CHANNEL_STREAM = 9;

/** A started command and its output streams. */
export interface SpawnedCommand {
  readonly cwd: string;
  /** True if the processes of the command have numbers of their own, which mean others outside. */
  readonly isIsolated: boolean;
  readonly child: ChildProcess;
  readonly output: Readonly<Record<StreamName | "record", Readable | null>>;
}

/** Waits for the error of a child that could not be started. */
function errorOf(child: ChildProcess): Promise<Error> {
  return new Promise((resolve) => {
    child.once("error", resolve);
  });
}

/** Starts a command and does not wait for it. If the command cannot be started, returns how it ended instead. */
export async function spawnCommand(command: Command, id: string): Promise<SpawnedCommand | RunEnd> {
  const marker = markerName(id);
  const [pipes, isTagged] = await Promise.all([openPipes(command.recorded === undefined ? 2 : 3), canTag()]);
  const [stdout, stderr, record] = pipes ?? [];
  const isRecorded = command.recorded !== undefined && record !== undefined;
  const chosen = (isRecorded ? command.recorded : undefined) ?? command.argv;
  const [program = command.argv[0], ...args] = [...(command.wrapper ?? []), ...chosen];
  const [file, ...fileArgs] = isTagged
    ? withTag([program, ...args], marker, command)
    : ([program, ...args] as const);
  const how =
    process.platform === "win32"
      ? windowsCommand([program, ...args], { ...command, exists: existsSync })
      : { file, args: fileArgs, verbatim: false };
  const out = stdout?.writeEnd ?? "pipe";
  const stdio: StdioOptions = ["ignore", out, command.isMerged ? out : (stderr?.writeEnd ?? "pipe")];
  if (isRecorded) {
    stdio.length = RECORD_STREAM;
    stdio.fill("ignore", 3);
    stdio.push(record.writeEnd, "pipe");
  }
  try {
    const child = spawn(how.file, how.args, {
      cwd: command.cwd,
      env: { ...command.env, [marker]: "1" },
      detached: HAS_GROUPS,
      windowsHide: true,
      windowsVerbatimArguments: how.verbatim,
      stdio,
    });
    // A child that could not be started has no pipes, whatever its type says, and reports an error later.
    if (child.pid === undefined) throw await errorOf(child);
    const output = {
      stdout: stdout?.reader ?? child.stdout,
      stderr: stderr?.reader ?? child.stderr,
      record: record?.reader ?? null,
    };
    return { cwd: command.cwd, isIsolated: command.wrapper !== undefined, child, output };
  } catch (error) {
    for (const { reader } of pipes ?? []) reader.destroy();
    // Starting fails if there is no such program, an argument contains NUL, or too many files are open.
    return startError(program, command.cwd, error instanceof Error ? error : new Error(String(error)));
  } finally {
    for (const { writeEnd } of pipes ?? []) closeSync(writeEnd);
  }
}
