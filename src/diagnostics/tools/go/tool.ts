import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, Found, Line, LineParser, Sink } from "../../tool.ts";
import { continuesCrash, isCrash, readCrash } from "./panic.ts";
import { firstOwnGoFrame } from "../../traces/go-frames.ts";

const hasModule = (folder: FolderFacts): string | undefined =>
  folder.nearest("go.mod") === undefined ? undefined : "go.mod is here";

export const go = defineBuildTool({
  id: "go",
  title: "go build and go vet",
  url: "https://pkg.go.dev/cmd/go",
  ecosystem: "go",
  kinds: ["build", "lint"],
  aliases: ["golang"],
  signatures: [
    ".go:",
    "go.mod:",
    "go.work:",
    "go: ",
    "goroutine ",
    "DATA RACE",
    "import cycle not allowed",
    "Go files in ",
    "found packages ",
    "cannot find package ",
    "cannot find main module",
    "main_main",
    "build constraints exclude",
    "# ",
    "pattern ",
    "package ",
  ],
  priority: 1,
  parser: goParser,
  commands: [
    {
      name: "go.build",
      description: "Compile all packages",
      detect: hasModule,
      argv: () => ["go", "build", "./..."],
    },
    {
      name: "go.vet",
      description: "Look for suspicious code in all packages",
      detect: hasModule,
      argv: () => ["go", "vet", "./..."],
    },
  ],
  manifests: ["go.mod"],
});

/** Matches a package heading. It needs a path or a test binary, because other logs contain `# words` too. */
const PACKAGE =
  /^# (?:\[?[\w.~@-]*[./][\w.~/@-]*\]?(?: \[[\w.~/@ -]+\])?|[\w.~@-]+ \[[\w.~/@ -]+\.test\]|command-line-arguments)$/;
const GO_FILE = /(?:\.go|(?:^|[/\\])go\.(?:mod|work|sum))$/;
const OWN = /^go(?: \w+)?: (.+)$/;
const QUIET =
  /^(?:downloading|finding|extracting|added|upgraded|downgraded|removed|found|creating|to add module|verifying|resolving|warning: ignoring|build cache|trying|no Go source files)\b/;
const PLAIN =
  /^(?:package \S+(?: is not in |: (?:build constraints|no Go files|cannot find|import cycle|unrecognized import|exported|invalid|malformed))|build constraints exclude all Go files|found packages \S+ \(\S+\) and \S+ \(\S+\) in |no Go files in |cannot find package |cannot find main module|can't load package: |import cycle not allowed|imports \S+: |\s+imports \S+: import cycle|function main is undeclared|runtime\.main_main·f: |pattern \S+: |no required module provides package |malformed import path|case-insensitive import collision|directory \S+ (?:is )?outside|use of internal package|main module \(.*\) does not contain package|\S+ (?:imports|tested by)$|cgo: |link: |\S*[/\\](?:link|compile|cgo|asm)(?:\.exe)?: )/;
const STATICCHECK = / \((?:SA|ST|S|QF|U)\d{4}\)$/;
const MORE = /^(?:\t| {4,}\S)/;

/** Reads messages of the compiler, of vet and of the go command. */
function goParser(sink: Sink): LineParser {
  const reader = new GoReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.close() };
}

class GoReader {
  readonly #sink: Sink;
  #pending: (Found & { readonly lines: string[] }) | undefined;
  #crash: string[] | undefined;
  #race: string[] | undefined;
  #cycle: string | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (this.#inReport(text)) return true;
    const placed = readGoPlace(text);
    if (placed !== undefined) return this.#open(placed);
    if (this.#pending !== undefined && MORE.test(text)) {
      this.#pending.lines.push(text.trimEnd());
      return true;
    }
    this.close();
    // A test's timeout is not read as a crash here, because it is printed on its own, often below the errors of another
    // package.
    if (isCrash(text) && !text.startsWith("panic: test timed out after ")) {
      this.#crash = [text];
      return true;
    }
    if (text === "WARNING: DATA RACE") {
      this.#race = [];
      return true;
    }
    return this.#readOwnLine(text);
  }

  close(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending !== undefined) {
      const { lines, ...found } = pending;
      const message = lines.join("\n");
      // A message that ends with `(compile)` is Staticcheck's: it repeats the compiler's messages, some over several
      // lines, with its own code appended.
      const repeated = message.endsWith(" (compile)");
      this.#sink.diagnostic(
        repeated
          ? { ...found, tool: "staticcheck", message: message.slice(0, -10), code: "compile" }
          : { ...found, message },
      );
    }
    this.#closeCrash();
    this.#closeRace();
  }

  /** Reads the lines of a crash or data race. */
  #inReport(text: string): boolean {
    if (this.#crash !== undefined && continuesCrash(text)) {
      if (this.#crash.length < 2_000) this.#crash.push(text);
      return true;
    }
    if (this.#race === undefined) return false;
    if (/^={18}$/.test(text)) this.#closeRace();
    else this.#race.push(text);
    return true;
  }

  #closeCrash(): void {
    const lines = this.#crash;
    this.#crash = undefined;
    if (lines === undefined || !lines.some((line) => /^goroutine \d+ /.test(line))) return;
    const { message, place } = readCrash(lines);
    this.#sink.diagnostic({ severity: "error", message, ...place, code: "panic" });
  }

  #closeRace(): void {
    const lines = this.#race;
    this.#race = undefined;
    if (lines === undefined) return;
    this.#sink.diagnostic({
      severity: "error",
      message: ["DATA RACE", ...lines.slice(0, 1)].join("\n"),
      ...firstOwnGoFrame(lines),
    });
  }

  #open(found: Found): boolean {
    this.close();
    this.#pending = { ...found, lines: [found.message] };
    return true;
  }

  #readOwnLine(text: string): boolean {
    if (PACKAGE.test(text) || /^(?:too many errors|note: module requires Go|exit status \d+)$/.test(text))
      return true;
    const cycle = /^package (\S+)$/.exec(text);
    if (cycle !== null) {
      this.#cycle = text;
      return true;
    }
    const importing = /^\timports (\S+)(?:: (import cycle not allowed.*))?$/.exec(text);
    if (importing !== null) {
      if (importing[2] !== undefined)
        this.#sink.diagnostic({
          severity: "error",
          message: [this.#cycle, text].filter((part) => part !== undefined).join("\n"),
        });
      else if (this.#cycle !== undefined) this.#cycle += `\n${text}`;
      return true;
    }
    const own = OWN.exec(text);
    if (own !== null) return this.#readCommand(own[1] ?? "");
    return PLAIN.test(text) && this.#open({ severity: "error", message: text.trim() });
  }

  /** Reads `go: …` lines: progress, or an error of the command itself. */
  #readCommand(text: string): boolean {
    if (QUIET.test(text) || /^errors parsing (?:go\.mod|go\.work|\S+):$/.test(text)) return true;
    const warning = /^warning: (.*)$/.exec(text);
    return this.#open({ severity: warning === null ? "error" : "warning", message: warning?.[1] ?? text });
  }
}

/** Reads `./main.go:10:2: undefined: foo`, also with vet's name before it. */
function readGoPlace(text: string): Found | undefined {
  if (/^\s/.test(text) || STATICCHECK.test(text)) return undefined;
  const placed = leadingPlace(text.replace(/^vet: /, ""));
  if (
    placed === undefined ||
    !GO_FILE.test(placed.place.file) ||
    placed.rest === "" ||
    placed.place.file.includes(": ")
  )
    return undefined;
  return { severity: "error", ...placed.place, message: placed.rest };
}
