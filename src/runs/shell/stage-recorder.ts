import { hasOnlyPlainCommands } from "../../shell/plain-commands.ts";
import { nestedScript } from "./nested-script.ts";
import { quoteWord } from "../plan/plan.ts";
import {
  resultExitCodes,
  hasPlainOutput,
  isInlineScript,
  kindOf,
  programOf,
} from "../../shell/program-kinds.ts";
import * as shell from "./recording-shell.ts";
import { applyEdits, type Edit, quotedPart } from "./script-edits.ts";
import { readScript } from "../../shell/script-reader.ts";
import type { AndOrList, Pipeline, Script, Span, Stage } from "../../shell/script-syntax.ts";
import { UnsupportedSyntax } from "../../shell/script-words.ts";
import {
  checkStage,
  doesWork,
  isFilterStage,
  isSilenced,
  printsElsewhere,
  setsErrexit,
} from "./stage-checks.ts";

/** A stage of a command line that reports its exit code. */
export interface RecordedStage {
  readonly id: number;
  /** As it stands in the line. */
  readonly command: string;
  /** What stands behind it in the line. */
  readonly behind: string;
  /** Whether its failure is one of the run; else it is only mentioned. */
  readonly counts: boolean;
  /** Exit codes beside 0 that are no failure. */
  readonly answers: readonly number[];
  /** Whether a filter that has read enough may end it, as in `git log | head`. */
  readonly mayBeCut: boolean;
  /** The stages inside it, which say more of a failure than it does. */
  readonly inner: readonly number[];
  /** Whether its output is recorded on its way to the next stage. */
  readonly isCopied: boolean;
  /** Whether the line's own exit code is that of a filter behind it. */
  readonly isShownLast: boolean;
}

/** What all scripts of one command line share. */
export interface Recording {
  readonly stages: RecordedStage[];
  /** Some stage prints to where it is not recorded. */
  isPartial: boolean;
  newId(): number;
  /** The path of a new file, for output that would go to /dev/null. */
  newFile(): string;
}

export interface RecordOptions {
  readonly recording: Recording;
  /** Defines the functions that the script calls; empty where it runs in a shell that has them. */
  readonly prefix: string;
  readonly errexit: boolean;
  /** Whether the command line ends as this script does. */
  readonly isLast: boolean;
}

/**
 * The script with its stages recorded; undefined where nothing in it can hide how a stage ends or what it prints. Throws
 * UnsupportedSyntax where that is not certain.
 */
export function recordScript(text: string, options: RecordOptions): string | undefined {
  const script = readScript(text);
  if ("unread" in script) throw new UnsupportedSyntax(script.unread);
  const errexit = options.errexit || setsErrexit(script);
  return new ScriptRecorder(text, { ...options, errexit }).record(script);
}

interface Context {
  /** Whether something behind it hides how it ends. */
  readonly isHidden: boolean;
  /** Whether a `||` stands behind it. */
  readonly isExcused: boolean;
  /** Whether a stage's output may be copied here; inside a stage that is copied as a whole it may not. */
  readonly canCopy: boolean;
  /** Whether the whole line ends as it does. */
  readonly isLast: boolean;
}

interface WorkContext extends Context {
  readonly isCopied: boolean;
  /** Whether only filters stand behind it. */
  readonly isShown: boolean;
  /** Where in the text ends what hides it. */
  readonly hiddenTo: number;
}

/** Behind the last stage of a group its bracket says nothing. */
const GROUP_END = /^[\s;]*[)}][\s)}]*(?:\d?>&\d\s*)?/;

/** How a stage is framed, and its number where another one refers to it. */
interface Framed {
  readonly id?: number;
  readonly frame: shell.StageFrame;
}

class ScriptRecorder {
  readonly #text: string;
  readonly #options: RecordOptions;
  readonly #edits: Edit[] = [];
  /** Files in which recorded output lies: who prints them shows a view. */
  readonly #written = new Set<string>();
  #isChanged = false;

  constructor(text: string, options: RecordOptions) {
    this.#text = text;
    this.#options = options;
  }

  record(script: Script): string | undefined {
    const { isLast } = this.#options;
    this.#script(script, { isHidden: false, isExcused: false, canCopy: true, isLast });
    return this.#isChanged ? this.#options.prefix + applyEdits(this.#text, this.#edits) : undefined;
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
      // `npm test || npx vitest` has two ways to succeed; `npm test || true` has one, and hides it.
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
            hiddenTo: isLast ? this.#text.length : end,
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

  /** A single stage that only holds another script, which is recorded in its place. */
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
    if (inner !== undefined) this.#edit(script, quoteWord(inner));
    return isEval || inner !== undefined;
  }

  /** Whether all that a stage prints into a pipe is recorded on its way. */
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
    const isOpen = group !== undefined && this.#changesGroup(group, context);
    const isTool = doesWork(stage) || group !== undefined;
    const files = isTool && (group !== undefined || !hasPlainOutput(words)) ? this.#files(stage) : [];
    const isMentioned = kindOf(words) === "plain" && !context.isExcused && !isSilenced(stage);
    const isJudged = context.isHidden && (isTool || isMentioned);
    // Stages inside an open group report too, and nothing is left open by a builtin.
    const isBare = isOpen || (group === undefined && kindOf(words) === "silent");
    const frame = isBare ? shell.EMPTY_FRAME : plainFrame(stage);
    if (!isJudged && !context.isCopied && files.length === 0) return { frame };
    if (errexit && group !== undefined) throw new UnsupportedSyntax("a group under set -e");
    const id = recording.newId();
    recording.stages.push({
      id,
      command: quotedPart(this.#text.slice(stage.from, stage.to)),
      behind: quotedPart(this.#text.slice(stage.to, context.hiddenTo).replace(GROUP_END, "")),
      counts: isTool,
      answers: resultExitCodes(words),
      mayBeCut: group === undefined && hasPlainOutput(words),
      inner: recording.stages.slice(before).map((inside) => inside.id),
      isCopied: context.isCopied,
      isShownLast: isTool && context.isShown && context.isLast,
    });
    return { id, frame: shell.reportingFrame({ id, errexit, files, inside: frame }) };
  }

  /** Whether stages inside a group are recorded. If not they are left as they are: the group as a whole has our streams closed. */
  #changesGroup(group: Script, context: Context): boolean {
    const wasChanged = this.#isChanged;
    const edits = this.#edits.length;
    this.#isChanged = false;
    this.#script(group, { ...context, canCopy: false, isLast: false });
    const isChanged = this.#isChanged;
    if (!isChanged) this.#edits.length = edits;
    this.#isChanged ||= wasChanged;
    return isChanged;
  }

  /** The files whose contents are output of the stage, among them those that take the place of /dev/null. */
  #files(stage: Stage): shell.RecordedFile[] {
    const files = new Map<string, shell.RecordedFile>();
    for (const one of stage.redirections) {
      const { operator, target, stream } = one;
      if (!/^&?>/.test(operator) || /^(?:\d+-?|-)$/.test(target.text)) continue;
      if (target.text === "/dev/null") {
        const word = quoteWord(this.#options.recording.newFile());
        const merges = operator.startsWith("&") || operator === ">&";
        this.#edit(one, `${stream ?? ""}>>${word}${merges ? " 2>&1" : ""}`);
        files.set(word, { word, isAppended: false });
      } else if (target.expands && /[*?[`(]/.test(target.text)) this.#options.recording.isPartial = true;
      else {
        const word = this.#text.slice(target.from, target.to);
        files.set(word, { word, isAppended: operator.endsWith(">>") });
        this.#written.add(target.text);
      }
    }
    return [...files.values()];
  }

  /** Whether a pipeline does no more than print a file in which recorded output lies. */
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
    const { before, after } = frame;
    const first = firstCommand(stage);
    const text = this.#text.slice(first.from, first.to);
    if (/__pith_[bn]/.test(before) && /\$\?|PIPESTATUS/.test(text)) throw new UnsupportedSyntax("$?");
    this.#edits.push({ from: stage.from, to: stage.from, text: before });
    this.#edits.push({ from: stage.to, to: stage.to, text: after });
    this.#isChanged ||= ![shell.PLAIN_FRAME, shell.PLAIN_GROUP_FRAME, shell.EMPTY_FRAME].includes(frame);
  }

  #edit({ from, to }: Span, text: string): void {
    this.#edits.push({ from, to, text });
    this.#isChanged = true;
  }
}

function plainFrame({ group }: Stage): shell.StageFrame {
  return group === undefined ? shell.PLAIN_FRAME : shell.PLAIN_GROUP_FRAME;
}

/** The command that a stage begins with. */
function firstCommand(stage: Stage): Stage {
  const first = stage.group?.lists[0]?.pipelines[0]?.stages[0];
  return first === undefined ? stage : firstCommand(first);
}

/** Whether a script inside a command's arguments hides no failure of a tool. */
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
