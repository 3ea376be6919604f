import { findScripts } from "./nested-script.ts";
import { isDisplayFilter, kindOf, programOf } from "../../shell/program-kinds.ts";
import type { Redirection, Script, Stage } from "../../shell/script-syntax.ts";
import { UnsupportedSyntax } from "../../shell/script-words.ts";

/** Shell builtins that change how the rest of the script runs, so that such a script is not recorded. */
const DISRUPTIVE: ReadonlySet<string> = new Set(["exec", "trap", "eval", "coproc", "suspend"]);
/** Matches options of `set` that change neither the output nor the order of commands. */
const PLAIN_OPTIONS = /^(?:\+.*|-[aeu]+|--?|pipefail|errexit|nounset|posix|-[aeu]*o)$/;
/** The highest file descriptor that a recorded script may use; Pith uses higher ones. */
const LAST_STREAM = 2;

/**
 * Throws UnsupportedSyntax if the text of a stage does not show what the stage does, for example because it uses
 * `trap`.
 */
export function checkStage(stage: Stage, isScriptOpen: (script: string) => boolean): void {
  const { words, redirections } = stage;
  const program = words[0]?.text ?? "";
  if (DISRUPTIVE.has(program) || DISRUPTIVE.has(programOf(words)))
    throw new UnsupportedSyntax(`"${program}"`);
  if (program === "set" && !words.slice(1).every(({ text }, i, all) => isPlainOption(text, all[i - 1]?.text)))
    throw new UnsupportedSyntax(`"set"`);
  if (program === "shopt" && words.some(({ text }) => text === "lastpipe"))
    throw new UnsupportedSyntax(`"shopt"`);
  for (const one of redirections) checkStreams(one);
  const substitutions = [...words, ...redirections.map(({ target }) => target)].flatMap(
    (word) => word.substitutions,
  );
  if (substitutions.some(hasTool)) throw new UnsupportedSyntax("a command in $(…)");
  for (const { text } of findScripts(words))
    if (!isScriptOpen(text)) throw new UnsupportedSyntax("a script in its arguments");
}

function isPlainOption(text: string, before: string | undefined): boolean {
  return PLAIN_OPTIONS.test(text) || before === "--" || before === "-";
}

function checkStreams({ stream = 0, operator, target }: Redirection): void {
  const other = operator.endsWith("&") && /^\d+-?$/.test(target.text) ? Number.parseInt(target.text, 10) : 0;
  if (stream > LAST_STREAM || other > LAST_STREAM)
    throw new UnsupportedSyntax(`stream ${Math.max(stream, other)}`);
}

/** Checks whether a script runs a build tool or another program whose failure matters. */
export function hasTool({ lists }: Script): boolean {
  return lists.some(({ pipelines }) => pipelines.some(({ stages }) => stages.some(doesWork)));
}

export function doesWork({ words, group }: Stage): boolean {
  return group === undefined ? kindOf(words) === "tool" : hasTool(group);
}

/** Checks whether a stage after a pipe only displays its input, as `tail` or `{ grep x || true; }` do. */
export function isFilterStage({ words, group }: Stage): boolean {
  if (group === undefined) return isDisplayFilter(words);
  return group.lists.every(({ pipelines }) =>
    pipelines.every(({ stages }) =>
      stages.every(
        (stage) => isFilterStage(stage) || (stage.group === undefined && kindOf(stage.words) === "silent"),
      ),
    ),
  );
}

/** Checks whether a script contains `set -e`. */
export function setsErrexit({ lists }: Script): boolean {
  return lists.some(({ pipelines }) =>
    pipelines.some(({ stages }) =>
      stages.some(({ words, group }) =>
        group === undefined
          ? words[0]?.text === "set" && words.some(({ text }) => /^(?:-\w*e\w*|errexit)$/.test(text))
          : setsErrexit(group),
      ),
    ),
  );
}

/** Checks whether the stage discards its error messages by `2>/dev/null` or similar. */
export function isSilenced({ redirections }: Stage): boolean {
  return redirections.some(
    ({ stream, operator, target }) =>
      target.text === "/dev/null" && (stream === 2 || operator.startsWith("&")),
  );
}

/** Checks whether the output of the stage goes to a file instead of the pipe. */
export function printsElsewhere({ redirections }: Stage): boolean {
  return redirections.some(({ stream = 1, operator }) => stream === 1 && /^&?>/.test(operator));
}
