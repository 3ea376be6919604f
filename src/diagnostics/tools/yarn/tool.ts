import { isFrame } from "../../javascript/frames.ts";
import { managerCommands, unknownCommand } from "../../javascript/package-scripts.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const yarn = defineBuildTool({
  id: "yarn",
  title: "Yarn",
  url: "https://yarnpkg.com",
  ecosystem: "js",
  kinds: ["install", "build", "test", "run"],
  signatures: [
    "yarn install v",
    "yarn run v",
    "yarn v",
    "yarn add v",
    "yarn upgrade v",
    "➤ ",
    "Usage Error: ",
    "Internal Error: ",
    "Unknown Syntax Error: ",
    "The command failed in workspace ",
  ],
  priority: 2,
  parser: yarnParser,
  commands: managerCommands("yarn"),
  packageManager: { lockFiles: ["yarn.lock"], rank: 2, workspace: (name) => ["workspace", name] },
});

/** Reads Yarn 1 and the later versions. */
function yarnParser(sink: Sink): LineParser {
  const classic = new ClassicReader(sink);
  const berry = new BerryReader(sink);
  return {
    take: ({ text }: Line) => text.length < 20_000 && (berry.take(text) || classic.take(text)),
    end() {
      classic.end();
      berry.end();
    },
  };
}

const LINE = /^➤ (?:YN(\d{4}): )?(?:[│┌└·] ?)?(.*)$/;
const OWN_ERROR = /^(?:(?:Usage|Internal|Unknown Syntax) Error: |The command failed in workspace ).*$/;
/** Matches the lines in which Yarn suggests other commands. */
const OFFER = /^(?: {2}- |\$ yarn |$)/;
/** Matches a line of a package's build output; a later line reports that this package's build failed. */
const PRINTED = /^(\S{1,500}) STD(?:OUT|ERR) (.*)$/;
const FAILED_BUILD = /^(\S{1,500}) couldn't be built successfully /;
/** Number of lines that are kept from the end of a build's output; `MAX_BUILDS` bounds the number of builds. */
const MAX_PRINTED = 20;
const MAX_BUILDS = 200;
/** Codes of progress messages; those of warnings are in `WARNS`. Yarn itself shows the difference only by color. */
const PROGRESS_CODES = new Set(
  [
    "0000",
    "0003",
    "0007",
    "0008",
    "0013",
    "0019",
    "0053",
    "0062",
    "0065",
    "0073",
    "0076",
    "0084",
    "0085",
    "0087",
  ].concat(["0088", "0089", "0090"]),
);
const WARNS = new Set(
  [
    "0002",
    "0004",
    "0005",
    "0006",
    "0022",
    "0025",
    "0031",
    "0032",
    "0034",
    "0050",
    "0055",
    "0057",
    "0060",
    "0061",
  ].concat(["0066", "0068", "0069", "0070", "0071", "0072", "0075", "0077", "0086", "0091", "0092"]),
);
/** Matches the lines of the diff that Yarn prints if the lockfile would change although it must not. */
const DIFF = /^(?:[+-]|@@)/;

interface Pending {
  readonly code: string;
  readonly severity: Severity;
  readonly lines: string[];
  readonly printed: readonly string[];
}

/** Reads the coded lines of Yarn 2 and later; the lines of one error become one diagnostic. */
class BerryReader {
  readonly #sink: Sink;
  #pending: Pending | undefined;
  readonly #printed = new Map<string, string[]>();
  /** The text of an error of Yarn itself, below which it may list suggested commands. */
  #offer: string[] | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const [whole, number, content = ""] = text.startsWith("➤") ? (LINE.exec(text) ?? []) : [];
    if (whole === undefined) {
      if (this.#pending !== undefined && isFrame(text)) return true;
      if (this.#offer !== undefined && OFFER.test(text)) {
        if (text !== "") this.#offer.push(text);
        return true;
      }
      this.end();
      return this.#readOwnLine(text);
    }
    const code = number ?? "0000";
    if (code === "0000" && this.#prints(content)) return true;
    // An empty line with a progress code is part of the message around it.
    if (PROGRESS_CODES.has(code) && content.trim() === "") return true;
    if (PROGRESS_CODES.has(code)) this.end();
    else this.#coded(`YN${code}`, WARNS.has(code) ? "warning" : "error", content);
    return true;
  }

  end(): void {
    const offer = this.#offer;
    this.#offer = undefined;
    if (offer !== undefined) this.#sink.diagnostic({ severity: "error", message: offer.join("\n") });
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const content = pending.lines.filter((line) => !DIFF.test(line));
    this.#sink.diagnostic({
      severity: pending.severity,
      code: pending.code,
      message: [...(content.length > 0 ? content : pending.lines), ...pending.printed].join("\n").trim(),
    });
  }

  #readOwnLine(text: string): boolean {
    if (!OWN_ERROR.test(text)) return false;
    if (text.endsWith(":")) this.#offer = [text];
    else this.#sink.diagnostic({ severity: "error", message: text });
    return true;
  }

  #prints(content: string): boolean {
    const [, name, line = ""] = PRINTED.exec(content) ?? [];
    if (name === undefined || (this.#printed.size >= MAX_BUILDS && !this.#printed.has(name))) return false;
    const lines = this.#printed.get(name) ?? [];
    lines.push(line);
    if (lines.length > MAX_PRINTED) lines.shift();
    this.#printed.set(name, lines);
    return true;
  }

  #coded(code: string, severity: Severity, content: string): void {
    const open = this.#pending;
    const more =
      open?.code === code && (content.startsWith(" ") || DIFF.test(content) || onlyDiff(open.lines));
    if (open !== undefined && more) {
      open.lines.push(content);
      return;
    }
    this.end();
    const build = FAILED_BUILD.exec(content)?.[1] ?? "";
    this.#pending = { code, severity, lines: [content], printed: this.#printed.get(build) ?? [] };
  }
}

function onlyDiff(lines: readonly string[]): boolean {
  return lines.every((line) => DIFF.test(line));
}

const HEADER = /^yarn (?:([a-z]+) )?v\d+\.\d+\.\d+/;
const VISIT = "info Visit https://yarnpkg.com/";
const TAGGED = /^(error|warning|info|success) (\S.*)$/;
/** Matches Yarn's own messages about a failed script; a script may print lines with `error` too. */
const SCRIPT_FAILURE = /^(?:Command (?:failed|"|was killed)|An unexpected error|Couldn't find|Your )/;
const STEP = /^\[(?:\d+\/\d+|-\/-)\] |^Done in \d|^\$ /;
const OUTPUT = /^Output:$/;
const MAX_LINES = 40;

/** Reads Yarn 1. Errors are reported once the line that refers to the documentation shows that they are Yarn's. */
class ClassicReader {
  readonly #sink: Sink;
  #command: string | undefined;
  #errors: string[][] = [];
  #isSkipping = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const header = HEADER.exec(text);
    if (header !== null) {
      this.end();
      this.#command = header[1] ?? "install";
      return true;
    }
    if (this.#command === undefined) return false;
    if (text.startsWith(VISIT)) {
      this.#give();
      this.#command = undefined;
      return true;
    }
    if (text.startsWith("Done in ")) {
      this.#command = undefined;
      this.#errors = [];
      return true;
    }
    const complaint = unknownCommand(text);
    if (complaint !== undefined) this.#sink.diagnostic(complaint);
    return complaint !== undefined || this.#readTagged(text) || this.#continues(text) || STEP.test(text);
  }

  end(): void {
    if (this.#command !== "run") this.#give();
    this.#errors = [];
    this.#command = undefined;
  }

  #readTagged(text: string): boolean {
    const [, tag, content = ""] = TAGGED.exec(text) ?? [];
    if (tag === undefined) return false;
    const own = this.#command !== "run" || SCRIPT_FAILURE.test(content);
    if (tag === "error" && own) {
      this.#errors.push([content]);
      this.#isSkipping = false;
      return true;
    }
    if (this.#command === "run") return false;
    if (tag === "warning") this.#sink.diagnostic({ severity: "warning", message: content });
    return true;
  }

  #continues(text: string): boolean {
    const open = this.#command === "run" ? undefined : this.#errors.at(-1);
    if (open === undefined || STEP.test(text)) return false;
    this.#isSkipping ||= isFrame(text) || OUTPUT.test(text);
    if (!this.#isSkipping && open.length < MAX_LINES) open.push(text);
    return true;
  }

  #give(): void {
    for (const lines of this.#errors)
      this.#sink.diagnostic({ severity: "error", message: lines.join("\n").trim() });
    this.#errors = [];
  }
}
