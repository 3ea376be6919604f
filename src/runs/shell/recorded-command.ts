import { existsSync } from "node:fs";
import { basename } from "node:path";
import { findProgram } from "../../exec/shell.ts";
import type { Word } from "../../shell/command-line.ts";
import { hasOnlyPlainCommands } from "../../shell/plain-commands.ts";
import { type NestedScript, nestedScript, scriptsAmong } from "./nested-script.ts";
import { recordingFunctions, type RecordingPrograms } from "./recording-shell.ts";
import { UnsupportedSyntax } from "../../shell/script-words.ts";
import { isOpenScript, type Recording, type RecordedStage, recordScript } from "./stage-recorder.ts";

/** A command line whose stages are recorded, or of which it is not known what they do. */
export type RecordedCommand =
  | {
      readonly argv: readonly string[];
      readonly stages: readonly RecordedStage[];
      /** Some stage prints to where it is not recorded. */
      readonly isPartial: boolean;
      /** Files that take what would go to /dev/null; to be removed. */
      readonly files: readonly string[];
    }
  | UnreadCommand;

export interface UnreadCommand {
  /** What could not be read; empty where nothing in it is worth a word. */
  readonly unread: string;
}

interface RecordDependencies {
  /** The command's own PATH. */
  readonly path: string;
  /** Where new files may lie, as the beginning of their names. */
  readonly files: string;
}

/** Shells of another language: what a pipe hides there is not known here. */
const FOREIGN_SHELLS = /^(?:cmd|csh|fish|nu|powershell|pwsh|tcsh|xonsh)(?:\.exe)?$/i;
/** The system refuses an argument of more bytes. */
const MAX_SCRIPT = 120_000;

/** How a command is run so that no pipe hides a failure; undefined where it has none to hide. */
export function recordCommand(
  argv: readonly string[],
  dependencies: RecordDependencies,
): RecordedCommand | undefined {
  const words = argv.map((text): Word => ({ text, expands: false }));
  const nested = nestedScript(words);
  const script = nested === undefined ? undefined : argv[nested.index];
  if (nested === undefined || script === undefined) return withoutShell(words);
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
  const programs = programsOn(path);
  const prefix = programs === undefined ? "" : recordingFunctions(programs);
  const recorded = recordScript(script, { recording, prefix, errexit, isLast: true });
  if (recorded === undefined) return undefined;
  if (programs === undefined) throw new UnsupportedSyntax("a pipe (there is no tee here)");
  if (!isPlain) throw new UnsupportedSyntax("a pipe in this shell");
  if (Buffer.byteLength(recorded) > MAX_SCRIPT) throw new UnsupportedSyntax("a long script");
  return { script: recorded, stages: recording.stages, isPartial: recording.isPartial, files: created };
}

/** Undefined where a script cannot be recorded with what there is. */
function programsOn(path: string): RecordingPrograms | undefined {
  const [tee, head, tail, wc, timeout] = ["tee", "head", "tail", "wc", "timeout"].map((name) =>
    findProgram(name, path),
  );
  if (tee === undefined || head === undefined || tail === undefined || wc === undefined) return undefined;
  // By this a program opens a stream that it has: the way to write to two of them.
  if (!existsSync("/dev/fd/0")) return undefined;
  return { tee, head, tail, wc, ...(timeout === undefined ? {} : { timeout }) };
}

/** A command without a shell of its own may still start one elsewhere: `docker exec box sh -c "npm test | tail"`. */
function withoutShell(words: readonly Word[]): UnreadCommand | undefined {
  const program = basename(words[0]?.text ?? "");
  const isForeign = FOREIGN_SHELLS.test(program) && words.some(({ text }) => /[|;&]/.test(text));
  const isHidden = scriptsAmong(words).some(({ text }) => !isOpenScript(text));
  return isForeign || isHidden ? { unread: "a script in its arguments" } : undefined;
}
