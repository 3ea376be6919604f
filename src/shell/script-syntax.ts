import type { Word } from "./command-line.ts";

/** A shell script as far as it is read: the lists of it that run one after the other. */
export interface Script {
  readonly lists: readonly AndOrList[];
}

/** Pipelines joined by `&&` and `||`. */
export interface AndOrList {
  readonly pipelines: readonly Pipeline[];
}

/** Stages joined by `|`. */
export interface Pipeline {
  /** What stands before it in its list; absent for the first. */
  readonly joinedBy?: "&&" | "||";
  /** Begins with `!`. */
  readonly isNegated: boolean;
  readonly stages: readonly Stage[];
}

/** A place in the script's text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A simple command, or a group in brackets or braces, with its redirections. */
export interface Stage extends Span {
  /** Of a simple command; empty for a group. */
  readonly words: readonly ScriptWord[];
  readonly group?: Script;
  readonly redirections: readonly Redirection[];
}

export interface ScriptWord extends Word, Span {
  /** The scripts whose output the shell puts in. */
  readonly substitutions: readonly Script[];
}

export interface Redirection extends Span {
  /** The stream's number where it is written. */
  readonly stream?: number;
  readonly operator: string;
  /** A file, a stream's number behind `>&`, or the word that ends a here document. */
  readonly target: ScriptWord;
}
