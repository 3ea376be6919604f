import { type OptionTable, skipOptions } from "./options.ts";
import { isRunningOption, type RunningOptions } from "./programs.ts";
import type { Argument } from "./rule.ts";

const GLOBAL_OPTIONS: OptionTable = {
  flags: "Pp",
  values: "C",
  longFlags: "no-pager paginate bare no-optional-locks literal-pathspecs no-replace-objects version help",
  longValues: "git-dir work-tree namespace",
};
/** Subcommands that run nothing which their arguments name. An alias cannot replace them. */
const PLAIN_SUBCOMMANDS: ReadonlySet<string> = new Set(
  `add am annotate apply blame branch bundle cat-file check-attr check-ignore checkout checkout-index cherry clean
  commit commit-tree count-objects describe diff diff-files diff-index diff-tree for-each-ref format-patch fsck gc
  hash-object help log ls-files ls-tree merge-base merge-file mktree mv name-rev notes pack-refs prune
  range-diff read-tree reflog replace rerere reset restore rev-list rev-parse rm shortlog show show-branch show-ref
  sparse-checkout stash status stripspace switch symbolic-ref tag update-index update-ref var verify-commit verify-tag
  version whatchanged worktree write-tree`.split(/\s+/),
);
/** Subcommands that run a command only with some options. Git accepts abbreviations of long options. */
const RUNNING: Readonly<Record<string, RunningOptions>> = {
  archive: { long: "exec remote" },
  "cherry-pick": { long: "strategy" },
  clone: { short: "cu", long: "config upload-pack template" },
  config: {
    words:
      /^(?!--(?:get|get-all|get-regexp|list|show-origin|global|local|show-scope)$|-l$|user\.(?:name|email)$|[\w. @+-]*$)/,
  },
  fetch: { long: "upload-pack" },
  grep: { short: "O", long: "open-files-in-pager" },
  init: { long: "template" },
  "ls-remote": { long: "upload-pack exec" },
  merge: { short: "s", long: "strategy" },
  pull: { short: "s", long: "upload-pack strategy" },
  push: { long: "receive-pack exec" },
  rebase: { short: "xis", long: "exec interactive strategy" },
  remote: {},
  revert: { long: "strategy" },
  submodule: { words: /^foreach$/ },
};
/** A repository whose address is a command. */
const COMMAND_ADDRESS = /^(?:--\w+=)?ext::/;

/** Says why it is unknown what git runs; undefined if it runs only its own subcommand. */
export function unclearGitCommand(args: readonly Argument[]): string | undefined {
  const rest = skipOptions(args, GLOBAL_OPTIONS);
  if (rest === undefined) return "an option of git";
  const [subcommand, ...own] = rest;
  if (subcommand === undefined) return undefined;
  if (own.some(({ text }) => COMMAND_ADDRESS.test(text))) return "git with an address that is a command";
  if (!subcommand.expands && PLAIN_SUBCOMMANDS.has(subcommand.text)) return undefined;
  const running = subcommand.expands ? undefined : RUNNING[subcommand.text];
  if (running === undefined) return `git ${subcommand.text}, which may run other commands`;
  const hidden = own.find((arg) => isRunningOption(arg.text, running) || (arg.expands && mayBeOption(arg)));
  const isSetting = subcommand.text === "config" && !isHarmlessConfig(own);
  return hidden === undefined && !isSetting
    ? undefined
    : `git ${subcommand.text} with ${hidden?.text ?? "a setting"}`;
}

/** Settings can name programs that git runs later, except for the name of the author. */
function isHarmlessConfig(args: readonly Argument[]): boolean {
  const [first, second] = args.map((arg) => arg.text).filter((text) => !/^--(?:global|local)$/.test(text));
  return (
    /^(?:--(?:get|get-all|get-regexp|list)|-l|user\.(?:name|email))$/.test(first ?? "") ||
    second === undefined
  );
}

/** Checks whether the expansion of a word could begin with a dash. */
export function mayBeOption({ text, splits }: Argument): boolean {
  return (splits && /[$`{]/.test(text)) || /^[$`{-]/.test(text);
}
