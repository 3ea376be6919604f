import { hasOnlyPlainCommands } from "../../shell/plain-commands.ts";
import { nestedScript } from "./nested-script.ts";
import { quoteWord } from "../../shell/quote-word.ts";
import {
  resultExitCodes,
  hasPlainOutput,
  isInlineScript,
  kindOf,
  programOf,
} from "../../shell/program-kinds.ts";
import * as shell from "./recording-shell.ts";
import type { Recording } from "./recording.ts";
import { quoteForReply, ScriptEditor } from "./script-editor.ts";
import { readScript } from "../../shell/script-reader.ts";
import type { AndOrList, Pipeline, Script, Stage } from "../../shell/script-syntax.ts";
import { UnsupportedSyntax } from "../../shell/script-words.ts";
import {
  checkStage,
  doesWork,
  isFilterStage,
  isSilenced,
  printsElsewhere,
  setsErrexit,
} from "./stage-checks.ts";

export interface RecordOptions {
  readonly recording: Recording;
  /** Shell text that defines the recording functions; empty if the surrounding shell already has them. */
  readonly prefix: string;
  readonly errexit: boolean;
  /** True if the exit code of this script is also that of the whole command line. */
  readonly isLast: boolean;
}

/**
 * Rewrites a script so that its stages (such as the parts of a pipeline) are recorded; undefined if no stage can hide
 * its exit code or output. It throws UnsupportedSyntax if that cannot be determined.
 */
export function recordScript(text: string, options: RecordOptions): string | undefined {
  const script = readScript(text);
  if ("unread" in script) throw new UnsupportedSyntax(script.unread);
  const errexit = options.errexit || setsErrexit(script);
  return new ScriptRecorder(text, { ...options, errexit }).record(script);
}

interface Context {
  /** True if later commands hide the exit code of this one. */
  readonly isHidden: boolean;
  /** True if a `||` follows, so that a failure is provided for. */
  readonly isExcused: boolean;
  /**
   * True if the output may be copied to the record here. It may not inside a stage whose output is copied as a whole.
   */
  readonly canCopy: boolean;
  /** True if the exit code of this command is also that of the whole command line. */
  readonly isLast: boolean;
}

interface WorkContext extends Context {
  readonly isCopied: boolean;
  /** True if only filters, such as `grep` or `tail`, follow in the pipeline. */
  readonly isShown: boolean;
  /** The position in the script at which the text ends that hides the stage's exit code. */
  readonly hiddenTo: number;
}

/** Matches the end of a group. It is left out when a reply quotes the text that follows a stage. */
const GROUP_END = /^[\s;]*[)}][\s)}]*(?:\d?>&\d\s*)?/;

/** The shell text to insert around a stage, and the id of the stage if another stage refers to it. */
interface Framed {
  readonly id?: number;
  readonly frame: shell.StageFrame;
}

class ScriptRecorder {
  readonly #editor: ScriptEditor;
  readonly #options: RecordOptions;
  /**
   * The names of files that hold recorded output. A later command that prints one shows output that is already
   * recorded.
   */
  readonly #written = new Set<string>();

  constructor(text: string, options: RecordOptions) {
    this.#editor = new ScriptEditor(text);
    this.#options = options;
  }

  record(script: Script): string | undefined {
    const { isLast } = this.#options;
    this.#script(script, { isHidden: false, isExcused: false, canCopy: true, isLast });
    const recorded = this.#editor.result();
    return recorded === undefined ? undefined : this.#options.prefix + recorded;
  }

  #script({ lists }: Script, context: Context): void {
    for (const [i, list] of lists.entries()) {
      const isLast = i === lists.length - 1;
      this.#list(list, {
        ...context,
        isHidden: context.isHidden || !isLast,
        isLast: context.isLast && isLast,
      });
    }
  }

  #list({ pipelines }: AndOrList, context: Context): void {
    for (const [i, pipeline] of pipelines.entries()) {
      const other = pipelines.slice(i + 1).find(({ joinedBy }) => joinedBy === "||");
      // `npm test || npx vitest` runs a real alternative after a failure, while `npm test || true` only hides the
      // failure.
      const isHidden = other === undefined ? context.isHidden : !other.stages.some(doesWork);
      const isExcused = context.isExcused || other !== undefined;
      const isLast = context.isLast && i === pipelines.length - 1 && !pipeline.isNegated;
      this.#pipeline(pipeline, { ...context, isHidden, isExcused, isLast });
    }
  }

  #pipeline({ stages, isNegated }: Pipeline, context: Context): void {
    const [first] = stages;
    if (first === undefined || (stages.length === 1 && this.#isTransparent(first, context))) return;
    for (const stage of stages) checkStage(stage, isOpenScript);
    const isFilter = stages.map((stage, i) => i > 0 && isFilterStage(stage));
    const end = stages.at(-1)?.to ?? 0;
    let copyOf: number | undefined;
    let isView = false;
    for (const [i, stage] of stages.entries()) {
      const isLast = i === stages.length - 1;
      const isCopied = !isFilter[i] && this.#isCopied(stage, stages[i + 1], context);
      const isHidden = !isNegated && (context.isHidden || !isLast);
      const isShown = !isLast && isFilter.slice(i + 1).every(Boolean);
      const { id, frame } = isFilter[i]
        ? this.#filter(stage, copyOf !== undefined || isView)
        : this.#work(stage, {
            ...context,
            isHidden,
            isCopied,
            isShown,
            hiddenTo: isLast ? this.#editor.text.length : end,
          });
      const opensView: boolean = isCopied
        ? isShown
        : isLast && !isView && this.#showsWritten(stages, isFilter);
      isView ||= opensView;
      this.#frame(
        stage,
        shell.endingFrame(opensView ? shell.openingView(frame) : frame, {
          ...(copyOf === undefined ? {} : { copyOf }),
          closesView: isView && isLast,
          errexit: this.#options.errexit,
        }),
      );
      copyOf = isCopied ? id : undefined;
    }
  }

  /**
   * Records the script inside a stage that consists of nothing else, such as a group or `eval`. Returns false for other
   * stages.
   */
  #isTransparent({ words, group, redirections }: Stage, context: Context): boolean {
    if (group !== undefined && redirections.length === 0) {
      this.#script(group, context);
      return true;
    }
    const isEval = words[0]?.text === "eval" && words.length === 2;
    const nested = nestedScript(words);
    const script = words[isEval ? 1 : (nested?.index ?? -1)];
    const hasOnlyInput = redirections.every(({ operator }) => operator === "<");
    if (script === undefined || script.expands || !hasOnlyInput || !context.canCopy) return false;
    if (nested?.isPlain === false) return false;
    const { recording, prefix, errexit } = this.#options;
    const inner = recordScript(
      script.text,
      isEval
        ? { recording, prefix: "", errexit, isLast: context.isLast }
        : { recording, prefix, errexit: nested?.errexit ?? false, isLast: context.isLast },
    );
    if (inner !== undefined) this.#editor.replace(script, quoteWord(inner));
    return isEval || inner !== undefined;
  }

  /** Decides whether the output that a stage writes into a pipe is copied to the record. */
  #isCopied(stage: Stage, next: Stage | undefined, { canCopy }: Context): boolean {
    if (next === undefined || !(doesWork(stage) || stage.group !== undefined)) return false;
    if (!canCopy) throw new UnsupportedSyntax("a pipe inside a group");
    if (printsElsewhere(stage)) return false;
    if (isFilterStage(next) || isInlineScript(next.words)) return true;
    if (stage.group !== undefined || !hasPlainOutput(stage.words)) this.#options.recording.isPartial = true;
    return false;
  }

  #filter(stage: Stage, isBehindCopy: boolean): Framed {
    if (isBehindCopy) {
      const operands = programOf(stage.words) === "tee" ? stage.words.slice(1) : [];
      const targets = stage.redirections.map(({ target }) => target);
      for (const { text } of [...operands, ...targets]) this.#written.add(text);
    }
    return { frame: plainFrame(stage) };
  }

  #work(stage: Stage, context: WorkContext): Framed {
    const { words, group } = stage;
    const { recording, errexit } = this.#options;
    const before = recording.stages.length;
    // If no stage inside a group is recorded, the group stays unchanged, and Pith's file descriptors are closed for it
    // as a whole.
    const isOpen =
      group !== undefined &&
      this.#editor.attempt(() => this.#script(group, { ...context, canCopy: false, isLast: false }));
    const isTool = doesWork(stage) || group !== undefined;
    const files = isTool && (group !== undefined || !hasPlainOutput(words)) ? this.#files(stage) : [];
    const isMentioned = kindOf(words) === "plain" && !context.isExcused && !isSilenced(stage);
    const isJudged = context.isHidden && (isTool || isMentioned);
    // Stages inside a recorded group need Pith's file descriptors, and a shell builtin starts no process that could
    // keep them open.
    const isBare = isOpen || (group === undefined && kindOf(words) === "silent");
    const frame = isBare ? shell.EMPTY_FRAME : plainFrame(stage);
    if (!isJudged && !context.isCopied && files.length === 0) return { frame };
    if (errexit && group !== undefined) throw new UnsupportedSyntax("a group under set -e");
    const id = recording.newId();
    recording.stages.push({
      id,
      command: quoteForReply(this.#editor.text.slice(stage.from, stage.to)),
      behind: quoteForReply(this.#editor.text.slice(stage.to, context.hiddenTo).replace(GROUP_END, "")),
      counts: isTool,
      answers: resultExitCodes(words),
      mayBeCut: group === undefined && hasPlainOutput(words),
      inner: recording.stages.slice(before).map((inside) => inside.id),
      isCopied: context.isCopied,
      isShownLast: isTool && context.isShown && context.isLast,
    });
    return { id, frame: shell.reportingFrame({ id, errexit, files, inside: frame }) };
  }

  /** Finds the files into which a stage writes its output, including temporary ones that replace /dev/null. */
  #files(stage: Stage): shell.RecordedFile[] {
    const files = new Map<string, shell.RecordedFile>();
    for (const one of stage.redirections) {
      const { operator, target, stream } = one;
      if (!/^&?>/.test(operator) || /^(?:\d+-?|-)$/.test(target.text)) continue;
      if (target.text === "/dev/null") {
        const word = quoteWord(this.#options.recording.newFile());
        const merges = operator.startsWith("&") || operator === ">&";
        this.#editor.replace(one, `${stream ?? ""}>>${word}${merges ? " 2>&1" : ""}`);
        files.set(word, { word, isAppended: false });
      } else if (target.expands && /[*?[`(]/.test(target.text)) this.#options.recording.isPartial = true;
      else {
        const word = this.#editor.text.slice(target.from, target.to);
        files.set(word, { word, isAppended: operator.endsWith(">>") });
        this.#written.add(target.text);
      }
    }
    return [...files.values()];
  }

  /** Checks whether a pipeline only prints a file that holds recorded output. */
  #showsWritten(stages: readonly Stage[], isFilter: readonly boolean[]): boolean {
    const [first, ...rest] = stages;
    const last = rest.at(-1) ?? first;
    if (first === undefined || last === undefined || kindOf(first.words) !== "plain") return false;
    return (
      first.words.some(({ text }) => this.#written.has(text)) &&
      isFilter.slice(1).every(Boolean) &&
      !printsElsewhere(last)
    );
  }

  #frame(stage: Stage, frame: shell.StageFrame): void {
    const first = firstCommand(stage);
    const text = this.#editor.text.slice(first.from, first.to);
    if (/__pith_[bn]/.test(frame.before) && /\$\?|PIPESTATUS/.test(text)) throw new UnsupportedSyntax("$?");
    const isPlain = [shell.PLAIN_FRAME, shell.PLAIN_GROUP_FRAME, shell.EMPTY_FRAME].includes(frame);
    this.#editor.surround(stage, frame, !isPlain);
  }
}

function plainFrame({ group }: Stage): shell.StageFrame {
  return group === undefined ? shell.PLAIN_FRAME : shell.PLAIN_GROUP_FRAME;
}

/** The first simple command of a stage, which may be inside groups. */
function firstCommand(stage: Stage): Stage {
  const first = stage.group?.lists[0]?.pipelines[0]?.stages[0];
  return first === undefined ? stage : firstCommand(first);
}

/** Checks whether a script in a command's arguments surely hides no failure of a build tool. */
export function isOpenScript(script: string): boolean {
  if (hasOnlyPlainCommands(script)) return true;
  const recording: Recording = { stages: [], isPartial: false, newId: () => 0, newFile: () => "" };
  try {
    recordScript(script, { recording, prefix: "", errexit: false, isLast: true });
    return recording.stages.every(({ counts }) => !counts);
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return false;
    throw error;
  }
}
