import { trimBlank } from "../../javascript/diff.ts";
import { isFrame, projectPlace } from "../../javascript/frames.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const karma = defineBuildTool({
  id: "karma",
  title: "Karma",
  url: "https://karma-runner.github.io",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["karma"],
  signatures: [": Executed ", " FAILED", "[karma", "[launcher]", ") ERROR"],
  priority: 5,
  parser: karmaParser,
  commands: [
    {
      name: "karma.test",
      description: "Run the tests once",
      detect: (folder) => (folder.has("karma.conf.js") ? "karma.conf.js is here" : undefined),
      argv: () => ["npx", "--no-install", "karma", "start", "--single-run"],
    },
    {
      name: "ng.build",
      description: "Build the Angular application",
      detect: (folder) => (folder.has("angular.json") ? "angular.json is here" : undefined),
      argv: () => ["npx", "--no-install", "ng", "build"],
    },
    {
      name: "ng.test",
      description: "Run the Angular tests once",
      detect: (folder) => (folder.has("angular.json") ? "angular.json is here" : undefined),
      argv: () => ["npx", "--no-install", "ng", "test", "--watch=false"],
    },
  ],
});

/** Matches a browser's name, version and system: `Chrome Headless 120.0.0.0 (Linux x86_64)`. */
const BROWSER = /^([A-Z][\w ]{1,40} [\d.]{1,20} \([^()]{1,60}\))(.*)$/;
const EXECUTED = /^: Executed (\d+) of (\d+)(?: \((\d+) FAILED\))?(.*)$/;
const SKIPPED = /\(skipped (\d+)\)/;
const TIMES = /\((\d[\d.]*) secs? \/ [^()]*\)|\((\d+) mins? (\d[\d.]*) secs? \/ [^()]*\)/;
const FAILED = /^ (\S.*) FAILED$/;
const BROKEN = /^ ERROR$/;
const LOG = /^\d\d \d\d \d{4} \d\d:\d\d:\d\d\.\d{3}:(ERROR|WARN|INFO|DEBUG) \[([^\]]+)\]: (.*)$/;
const TOTAL = /^TOTAL: \d/;

interface Result {
  readonly executed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
  readonly seconds: number;
  readonly error: boolean;
}

interface Block {
  /** Name of the failed test; undefined if the browser itself failed before any test. */
  readonly name: string | undefined;
  readonly lines: string[];
}

/** Reads Karma's progress and dots reporters, also as Angular's `ng test` prints them. */
function karmaParser(sink: Sink): LineParser {
  return new KarmaReader(sink);
}

class KarmaReader implements LineParser {
  readonly #sink: Sink;
  /** Latest counts per browser; Karma prints them repeatedly. */
  readonly #results = new Map<string, Result>();
  #block: Block | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (this.#readBrowserLine(text) || this.#readLog(text)) return true;
    if (this.#block !== undefined && /^(?:\t| {2})/.test(text)) {
      this.#block.lines.push(text);
      return true;
    }
    this.#close();
    return TOTAL.test(text);
  }

  end(): void {
    this.#close();
    for (const { executed, failed, skipped, total, seconds, error } of this.#results.values())
      this.#sink.summary({
        passed: Math.max(0, executed - failed),
        failed,
        skipped: Math.max(skipped, total - executed),
        total,
        failedSuites: error ? 1 : 0,
        durationMs: Math.round(seconds * 1000),
      });
    this.#results.clear();
  }

  #readBrowserLine(text: string): boolean {
    const [, browser, rest = ""] = text.length < 4_000 ? (BROWSER.exec(text) ?? []) : [];
    if (browser === undefined) return false;
    this.#close();
    const result = readResult(rest);
    if (result !== undefined) {
      this.#results.set(browser, result);
      return true;
    }
    const name = FAILED.exec(rest)?.[1];
    if (name === undefined && !BROKEN.test(rest)) return false;
    this.#block = { name, lines: [] };
    return true;
  }

  #readLog(text: string): boolean {
    const [, level, from = "", message = ""] = text.length < 20_000 ? (LOG.exec(text) ?? []) : [];
    if (level === undefined) return false;
    this.#close();
    if (level === "ERROR" || level === "WARN")
      this.#sink.diagnostic({
        severity: level === "ERROR" ? "error" : "warning",
        message: `[${from}] ${message}`,
      });
    return true;
  }

  #close(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    const content = block.lines.map((line) => line.replace(/^\t/, ""));
    const message = trimBlank(content.filter((line) => !isFrame(line))).join("\n");
    const place = projectPlace(content);
    const { name } = block;
    if (name === undefined)
      this.#sink.failure({ name: place?.file ?? "browser", kind: "suite", message, ...place });
    else this.#sink.failure({ name, kind: "test", message, ...place });
  }
}

function readResult(rest: string): Result | undefined {
  const [, done, total, failed, tail = ""] = EXECUTED.exec(rest) ?? [];
  if (done === undefined) return undefined;
  const [, seconds, minutes, more] = TIMES.exec(tail) ?? [];
  return {
    executed: Number(done),
    total: Number(total),
    failed: Number(failed ?? 0),
    skipped: Number(SKIPPED.exec(tail)?.[1] ?? 0),
    seconds: Number(seconds ?? 0) + Number(minutes ?? 0) * 60 + Number(more ?? 0),
    error: tail.includes("ERROR"),
  };
}
