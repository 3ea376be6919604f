import type { Word } from "./scanner.ts";

/** A parsed shell script: lists of pipelines that run one after the other. */
export interface Script {
  readonly lists: readonly AndOrList[];
}

/** Pipelines that are joined by `&&` and `||`. */
export interface AndOrList {
  readonly pipelines: readonly Pipeline[];
}

/** Commands or groups (the stages) that are joined by `|`. */
export interface Pipeline {
  /** The operator before the pipeline; absent for the first one of a list. */
  readonly joinedBy?: "&&" | "||";
  /** True if the pipeline begins with `!`, which inverts its exit code. */
  readonly isNegated: boolean;
  readonly stages: readonly Stage[];
}

/** A range of the script's text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A stage of a pipeline: a simple command, or a group in parentheses or braces, with its redirections. */
export interface Stage extends Span {
  /** The words of a simple command; empty for a group. */
  readonly words: readonly ScriptWord[];
  readonly group?: Script;
  readonly redirections: readonly Redirection[];
}

export interface ScriptWord extends Word, Span {
  /** True if the expansion can result in more than one word or in none, as that of an unquoted variable does. */
  readonly splits: boolean;
  /** The scripts of the command substitutions in this word. */
  readonly substitutions: readonly Script[];
}

export interface Redirection extends Span {
  /** The file descriptor that is redirected, if the script names one: 2 in `2>&1`. */
  readonly stream?: number;
  readonly operator: string;
  /** What follows the operator: a file, the descriptor after `>&`, or the delimiter of a here-document. */
  readonly target: ScriptWord;
}
