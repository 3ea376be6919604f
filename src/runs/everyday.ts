import { basename } from "node:path";
import { readCommandLine } from "./command-line.ts";

/** Programs whose output is what was asked for, or which have none: there is nothing to find in it. */
const EVERYDAY: ReadonlySet<string> = new Set(
  `. : [ alias awk basename bat cat cd chmod chown column comm cp curl cut date df diff dirname du echo env exit export
  false fd file find gh git grep head hostname id jq kill ln ls mkdir mktemp more mv nl od pgrep pith popd printenv
  printf ps pushd pwd readlink realpath rg rm rmdir sed seq set shopt sleep sort source stat tail tee test touch tr
  tree true type uname uniq unset wc wget which whoami xargs xxd yq zcat`.split(/\s+/),
);
/** A process that is left in the background writes on after the command has ended. */
const BACKGROUND = /(?:^|[^&<>|\\])&(?![&>])|\b(?:nohup|setsid|disown|coproc)\b/;

/** Whether a script leaves processes behind, or consists of commands whose output has to stay as it is. */
export function isEveryday(script: string): boolean {
  if (BACKGROUND.test(script)) return true;
  return readCommandLine(script).commands.every((words) => {
    const program = words.find(({ text }) => !/^\w+\+?=/.test(text));
    return program === undefined || (!program.expands && EVERYDAY.has(basename(program.text)));
  });
}
