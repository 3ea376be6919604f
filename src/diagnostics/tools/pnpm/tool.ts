import { trimBlank } from "../../javascript/diff.ts";
import { isFrame } from "../../javascript/frames.ts";
import { managerCommands, SCRIPT_ANNOUNCEMENTS } from "../../javascript/package-scripts.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const pnpm = defineBuildTool({
  id: "pnpm",
  title: "pnpm",
  url: "https://pnpm.io",
  ecosystem: "js",
  kinds: ["install", "build", "test", "run"],
  signatures: [
    "╭ Warning ─",
    "ERR_PNPM_",
    "ELIFECYCLE",
    "\u2009ERROR\u2009",
    "WARN\u2009",
    " WARN  ",
    "Progress: resolved",
  ],
  priority: 5,
  parser: pnpmParser,
  commands: managerCommands("pnpm"),
  packageManager: { lockFiles: ["pnpm-lock.yaml"], rank: 3, workspace: (name) => ["--filter", name] },
  announces: SCRIPT_ANNOUNCEMENTS,
});

/** Matches pnpm's error badges, which are surrounded by thin spaces, or by plain ones in copied logs. */
const CODED = /^[\s\u2009]?\[?(ERR_PNPM_[A-Z0-9_]+|ELIFECYCLE)\]?[\s\u2009]{1,4}(\S.*)$/u;
const ERROR = /^\u2009ERROR\u2009 +(\S.*)$/u;
const WARN = /^[\s\u2009]WARN[\s\u2009]{2,4}(\S.*)$/u;
const HINT = /^hint: (.*)$/;
const ORIGIN = /^This error happened while installing /;
/** Matches an unexpected error that pnpm prints again with its stack. */
const AGAIN = /^pnpm: /;
const NOISE =
  /^(?:Progress: resolved \d|Packages: [+-]\d|[+-]{3,}$|Lockfile is up to date|Already up to date$|Scope: (?:all )?\d+)/;
const STOP =
  /^(?:##\[|::|\$ |> |\+ |npm |Error: Process completed|Done in |devDependencies:$|dependencies:$)/;
/** Matches the folder of a package that failed; its error follows below. */
const PACKAGE = /^(?:\/|[A-Za-z]:[\\/])\S.{0,1000}:$/;
/** Matches the last line about a failed script. */
const EXIT = /^Exit status \d+$/;
/** Matches the heading of a tree of unmet peer dependencies. */
const PEERS = /^Issues with peer dependencies found$/;
const TREE = /^(?:\.|[\w@./-]{1,200}|[ │]*[└├].{1,1000})$/u;
const MAX_LINES = 40;
const BOX_TOP = /^╭ Warning ─+╮$/u;
const BOX_ROW = /^│ *(\S.*?|) *│$/u;
const BOX_BOTTOM = /^╰─+╯$/u;

interface Pending {
  readonly code: string | undefined;
  readonly message: string[];
  readonly help: string[];
  part: "message" | "help" | "again";
}

/** Reads pnpm's errors, each as one diagnostic with the lines below it, and its warnings. */
function pnpmParser(sink: Sink): LineParser {
  let pending: Pending | undefined;
  let peers: string[] | undefined;
  const readBox = warningBox(sink);

  function closePeers(): void {
    if (peers !== undefined) sink.diagnostic({ severity: "warning", message: peers.join("\n") });
    peers = undefined;
  }

  function close(): void {
    if (pending === undefined) return;
    const { code, message, help } = pending;
    pending = undefined;
    sink.diagnostic({
      severity: "error",
      message: trimBlank(message).join("\n"),
      ...(code === undefined ? {} : { code }),
      ...(help.length > 0 ? { help: [trimBlank(help).join("\n")] } : {}),
    });
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      if (readBox(text)) return true;
      if (peers !== undefined && peers.length < MAX_LINES && TREE.test(text)) {
        if (text !== ".") peers.push(text);
        return true;
      }
      closePeers();
      if (pending !== undefined && EXIT.test(text)) pending.message.push(text);
      if (pending !== undefined && (EXIT.test(text) || PACKAGE.test(text))) {
        close();
        return true;
      }
      const [, code, content] = CODED.exec(text) ?? [];
      const first = content ?? ERROR.exec(text)?.[1];
      const warning = WARN.exec(text)?.[1];
      if (first === undefined && warning === undefined && pending !== undefined && continues(pending, text))
        return true;
      close();
      if (first !== undefined) {
        pending = { code, message: [first], help: [], part: "message" };
        // No further lines belong to the failure of a script.
        if (code === "ELIFECYCLE") close();
      } else if (warning !== undefined && PEERS.test(warning)) peers = [warning];
      else if (warning !== undefined) sink.diagnostic({ severity: "warning", message: warning });
      else return NOISE.test(text);
      return true;
    },
    end() {
      closePeers();
      close();
    },
  };
}

/** Makes a function that reads the lines of a warning in a box, and reports it at the end of the box. */
function warningBox(sink: Sink): (text: string) => boolean {
  let box: string[] | undefined;
  return (text) => {
    if (BOX_TOP.test(text)) {
      box = [];
      return true;
    }
    const inside = box === undefined ? undefined : BOX_ROW.exec(text)?.[1];
    if (inside !== undefined && box !== undefined && box.length < MAX_LINES) {
      if (inside !== "") box.push(inside);
      return true;
    }
    const isEnd = box !== undefined && BOX_BOTTOM.test(text);
    if (box !== undefined && box.length > 0) sink.diagnostic({ severity: "warning", message: box.join(" ") });
    box = undefined;
    return isEnd;
  };
}

function continues(pending: Pending, text: string): boolean {
  if (STOP.test(text) || pending.message.length + pending.help.length > MAX_LINES) return false;
  const hint = HINT.exec(text)?.[1];
  if (AGAIN.test(text)) pending.part = "again";
  if (pending.part === "again" || isFrame(text)) return true;
  if (hint !== undefined || ORIGIN.test(text)) pending.part = "help";
  const target = pending.part === "help" ? pending.help : pending.message;
  const line = hint ?? text.trimEnd();
  if (line !== "" || (target.length > 0 && target.at(-1) !== "")) target.push(line);
  return true;
}
