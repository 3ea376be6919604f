import { basename } from "node:path";
import type { Word } from "./command-line.ts";
import { found, unwrappedCommand } from "./started-commands.ts";

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Shell builtins and their like: they say or decide something, and are no work of their own. */
const SILENT = names(
  `. : [ [[ alias bg builtin cd command declare dirs echo exit export hash let local popd printf pushd pwd read readonly return
  set shift shopt sleep source test times true type typeset ulimit umask unalias unset wait`,
);
/** Programs that print what is there already, or put files in their place. */
const PLAIN = names(
  `ag awk base64 basename bat cat chmod chown cksum cmp col column comm cp cut date dd df diff dirname du egrep env
  expand fd fgrep file find fmt fold gawk grep head hexdump hostname iconv id jobs join jq kill less ln ls md5sum mkdir
  mktemp more mv nl od paste pgrep pkill pr printenv ps readlink realpath rev rg rm rmdir sed seq sha256sum shuf sort stat
  strings tac tail tee touch tr tree ts uname uniq wc which whoami xxd yes yq zcat zgrep`,
);
/** Of these, the ones that only choose or shape the lines they read. */
const FILTERS = names(
  `: ag awk base64 bat cat cksum col column cut egrep expand fgrep fmt fold gawk grep head hexdump iconv jq less md5sum
  more nl od paste pr rev rg sed sha256sum shuf sort strings tac tail tee tr true ts uniq wc xxd yq`,
);
/** Programs that work for a while over a network or a repository, and whose output is what was asked for. */
const FETCHERS = names("curl gh git pith wget xargs");
/** Programs that run a script from their arguments over what they read. */
const INTERPRETERS = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php)$/;
/** Exit code 1 of these is an answer: nothing matched, or there is a difference. */
const ANSWERERS = names("ag cmp diff egrep fgrep grep pgrep pkill rg which zgrep");
/** What xargs exits with when one of its commands did not exit 0. */
const XARGS_ANSWER = 123;
/** A display filter that changes files is none. */
const WRITES = /^(?:-i|-i\..*|-[a-zA-Z]*i[a-zA-Z]*|--in-place.*)$/;

export type ProgramKind = "silent" | "plain" | "tool";

/** The name of the program that a simple command runs in the end; empty for assignments alone. */
export function programOf(words: readonly Word[]): string {
  const [program] = unwrappedCommand(words);
  return program === undefined ? "" : basename(program.text);
}

export function kindOf(words: readonly Word[]): ProgramKind {
  const [program] = unwrappedCommand(words);
  if (program === undefined) return "silent";
  const name = basename(program.text);
  if (program.expands) return "tool";
  if (SILENT.has(name)) return "silent";
  // What find starts for each file decides.
  if (name === "find" && found(words).some((inner) => kindOf(inner) === "tool")) return "tool";
  return PLAIN.has(name) ? "plain" : "tool";
}

/** Whether its output is what was asked for: there is nothing to find in it. */
export function isEverydayProgram(words: readonly Word[]): boolean {
  return kindOf(words) !== "tool" || FETCHERS.has(programOf(words));
}

/** Whether a command behind a pipe does no more than show what comes through it. */
export function isDisplayFilter(words: readonly Word[]): boolean {
  const [program, ...rest] = unwrappedCommand(words);
  if (program === undefined || program.expands) return false;
  const name = basename(program.text);
  if (!FILTERS.has(name)) return false;
  if (/^(?:sed|yq)$/.test(name)) return !rest.some(({ text }) => WRITES.test(text));
  return !/^g?awk$/.test(name) || !rest.some(({ text }) => text.includes("system("));
}

/** Whether a command behind a pipe runs a script from its arguments, such as `python3 -c "…"`. */
export function isInlineScript(words: readonly Word[]): boolean {
  return INTERPRETERS.test(programOf(words)) && words.some(({ text }) => /^-\w*[cenp]$|^--eval$/.test(text));
}

/** Exit codes other than 0 that are an answer and no failure. */
export function answersOf(words: readonly Word[]): readonly number[] {
  const [program, first] = unwrappedCommand(words);
  const name = basename(program?.text ?? "");
  const isGitQuestion = name === "git" && /^(?:grep|diff)$/.test(first?.text ?? "");
  if (!ANSWERERS.has(name) && !isGitQuestion) return [];
  return words.some(({ text }) => basename(text) === "xargs") ? [1, XARGS_ANSWER] : [1];
}
