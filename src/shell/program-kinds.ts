import { basename } from "node:path";
import type { Word } from "./scanner.ts";
import { findExecCommands, unwrappedCommand } from "./started-commands.ts";

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/**
 * Shell builtins and similar programs that set or test something, or print their arguments, but do no work of their
 * own.
 */
const SILENT = wordSet(
  `. : [ [[ alias bg builtin cd command declare dirs echo exit export hash let local popd printf pushd pwd read readonly return
  set shift shopt sleep source test times true type typeset ulimit umask unalias unset wait`,
);
/** Programs that print existing data or move files around. */
const PLAIN = wordSet(
  `ag awk base64 basename bat cat chmod chown cksum cmp col column comm cp cut date dd df diff dirname du egrep env
  expand fd fgrep file find fmt fold gawk grep head hexdump hostname iconv id jobs join jq kill less ln ls md5sum mkdir
  mktemp more mv nl od paste pgrep pkill pr printenv ps readlink realpath rev rg rm rmdir sed seq sha256sum shuf sort stat
  strings tac tail tee touch tr tree ts uname uniq wc which whoami xxd yes yq zcat zgrep`,
);
/** Programs that only select or reformat the lines they read. */
const FILTERS = wordSet(
  `: ag awk base64 bat cat cksum col column cut egrep expand fgrep fmt fold gawk grep head hexdump iconv jq less md5sum
  more nl od paste pr rev rg sed sha256sum shuf sort strings tac tail tee tr true ts uniq wc xxd yq`,
);
/** Programs that work over a network or a repository, and whose output the caller wants as it is. */
const FETCHERS = wordSet("curl gh git pith wget xargs");
/** Interpreters that can run a script from their arguments on their input. */
const INTERPRETERS = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php)$/;
/** Programs whose exit code 1 is a result, not a failure: nothing matched, or the files differ. */
const EXIT_1_IS_RESULT = wordSet("ag cmp diff egrep fgrep grep pgrep pkill rg which zgrep");
/** The exit code of xargs when one of its commands failed. */
const XARGS_COMMAND_FAILED = 123;
/** Matches options that make a filter edit its input files, so that it does more than display. */
const IN_PLACE_OPTION = /^(?:-i|-i\..*|-[a-zA-Z]*i[a-zA-Z]*|--in-place.*)$/;

export type ProgramKind = "silent" | "plain" | "tool";

/** The name of the program that a simple command runs, without wrappers; empty if it only assigns variables. */
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
  // `find` counts as a build tool if it runs one for the files that it finds.
  if (name === "find" && findExecCommands(words).some((inner) => kindOf(inner) === "tool")) return "tool";
  return PLAIN.has(name) ? "plain" : "tool";
}

/** Checks whether the caller wants the command's output as it is, because it holds no diagnostics to extract. */
export function hasPlainOutput(words: readonly Word[]): boolean {
  return kindOf(words) !== "tool" || FETCHERS.has(programOf(words));
}

/** Checks whether a command after a pipe only displays its input. */
export function isDisplayFilter(words: readonly Word[]): boolean {
  const [program, ...rest] = unwrappedCommand(words);
  if (program === undefined || program.expands) return false;
  const name = basename(program.text);
  if (!FILTERS.has(name)) return false;
  if (/^(?:sed|yq)$/.test(name)) return !rest.some(({ text }) => IN_PLACE_OPTION.test(text));
  return !/^g?awk$/.test(name) || !rest.some(({ text }) => text.includes("system("));
}

/** Checks whether a command after a pipe runs a script from its arguments, such as `python3 -c "…"`. */
export function isInlineScript(words: readonly Word[]): boolean {
  return INTERPRETERS.test(programOf(words)) && words.some(({ text }) => /^-\w*[cenp]$|^--eval$/.test(text));
}

/** Nonzero exit codes of a command that are a result and not a failure. */
export function resultExitCodes(words: readonly Word[]): readonly number[] {
  const [program, first] = unwrappedCommand(words);
  const name = basename(program?.text ?? "");
  const isGitQuestion = name === "git" && /^(?:grep|diff)$/.test(first?.text ?? "");
  if (!EXIT_1_IS_RESULT.has(name) && !isGitQuestion) return [];
  return words.some(({ text }) => basename(text) === "xargs") ? [1, XARGS_COMMAND_FAILED] : [1];
}
