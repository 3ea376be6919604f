import { existsSync } from "node:fs";
import { basename } from "node:path";
import { findProgram } from "../../exec/shell.ts";
import type { Word } from "../../shell/scanner.ts";
import { hasOnlyPlainCommands } from "../../shell/plain-commands.ts";
import { type NestedScript, nestedScript, findScripts } from "./nested-script.ts";
import { recordingFunctions, type RecordingPrograms } from "./recording-shell.ts";
import { UnsupportedSyntax } from "../../shell/script-words.ts";
import type { RecordedStage, Recording } from "./recording.ts";
import { isOpenScript, recordScript } from "./stage-recorder.ts";

/**
 * A command line that was rewritten so that its stages (such as the parts of a pipeline) are recorded, or one that
 * could not be parsed.
 */
export type RecordedCommand =
  | {
      readonly argv: readonly string[];
      readonly stages: readonly RecordedStage[];
      /** True if some stage sends its output to a place where it is not recorded. */
      readonly isPartial: boolean;
      /**
       * Temporary files that receive output which the command would send to /dev/null. They must be removed after the
       * run.
       */
      readonly files: readonly string[];
    }
  | UnreadCommand;

export interface UnreadCommand {
  /** The syntax that could not be parsed; empty if the report needs no note about it. */
  readonly unread: string;
}

interface RecordDependencies {
  /** The PATH of the command's environment. */
  readonly path: string;
  /** The beginning of the paths of all temporary files. */
  readonly files: string;
}

/** Shells with a different syntax, in whose scripts hidden failures cannot be detected. */
const FOREIGN_SHELLS = /^(?:cmd|csh|fish|nu|powershell|pwsh|tcsh|xonsh)(?:\.exe)?$/i;
/** The largest rewritten script, which is below the limit of Linux for one argument (128 KiB). */
const MAX_SCRIPT_BYTES = 120_000;

/**
 * Rewrites a command line so that no pipe hides the failure of a command before it; undefined if nothing in the line
 * can hide one.
 */
export function recordCommand(
  argv: readonly string[],
  dependencies: RecordDependencies,
): RecordedCommand | undefined {
  const words = argv.map((text): Word => ({ text, expands: false }));
  const nested = nestedScript(words);
  const script = nested === undefined ? undefined : argv[nested.index];
  if (nested === undefined || script === undefined) return checkNestedShells(words);
  try {
    const recorded = recordNested(script, nested, dependencies);
    return recorded && { ...recorded, argv: argv.with(nested.index, recorded.script) };
  } catch (error) {
    if (error instanceof UnsupportedSyntax)
      return { unread: hasOnlyPlainCommands(script) ? "" : error.message };
    throw error;
  }
}

function recordNested(
  script: string,
  { errexit, isPlain }: NestedScript,
  { path, files }: RecordDependencies,
): { readonly script: string; stages: RecordedStage[]; isPartial: boolean; files: string[] } | undefined {
  const created: string[] = [];
  let ids = 0;
  const recording: Recording = {
    stages: [],
    isPartial: false,
    newId: () => ++ids,
    newFile: () => created[created.push(`${files}.null${created.length}`) - 1] ?? "",
  };
  const programs = findPrograms(path);
  const prefix = programs === undefined ? "" : recordingFunctions(programs);
  const recorded = recordScript(script, { recording, prefix, errexit, isLast: true });
  if (recorded === undefined) return undefined;
  if (programs === undefined) throw new UnsupportedSyntax("a pipe (there is no tee here)");
  if (!isPlain) throw new UnsupportedSyntax("a pipe in this shell");
  if (Buffer.byteLength(recorded) > MAX_SCRIPT_BYTES) throw new UnsupportedSyntax("a long script");
  return { script: recorded, stages: recording.stages, isPartial: recording.isPartial, files: created };
}

/** Finds the programs that the rewritten script calls to record output; undefined if one is missing. */
function findPrograms(path: string): RecordingPrograms | undefined {
  const [tee, head, tail, wc, timeout] = ["tee", "head", "tail", "wc", "timeout"].map((name) =>
    findProgram(name, path),
  );
  if (tee === undefined || head === undefined || tail === undefined || wc === undefined) return undefined;
  // tee writes to two streams at once through /dev/fd, where open file descriptors have a path.
  if (!existsSync("/dev/fd/0")) return undefined;
  return { tee, head, tail, wc, ...(timeout === undefined ? {} : { timeout }) };
}

/**
 * Checks a command that is not itself a shell but may start one, as in `docker exec box sh -c "npm test | tail"`. If a
 * script in its arguments may hide a failure, the command counts as not parsed.
 */
function checkNestedShells(words: readonly Word[]): UnreadCommand | undefined {
  const program = basename(words[0]?.text ?? "");
  const isForeign = FOREIGN_SHELLS.test(program) && words.some(({ text }) => /[|;&]/.test(text));
  const isHidden = findScripts(words).some(({ text }) => !isOpenScript(text));
  return isForeign || isHidden ? { unread: "a script in its arguments" } : undefined;
}
