import { isFrame, projectPlace } from "../../javascript/frames.ts";
import { trimBlank } from "../../javascript/diff.ts";
import { defined } from "../../json.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

/** A browser's name, its version and its system: `Chrome Headless 120.0.0.0 (Linux x86_64)`. */
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
  /** Undefined where the browser itself failed, before any test. */
  readonly name: string | undefined;
  readonly lines: string[];
}

/** Reads Karma's progress and dots reporters, as Angular's `ng test` prints them too. */
export function karmaParser(sink: Sink): LineParser {
  const results = new Map<string, Result>();
  let block: Block | undefined;

  function close(): void {
    if (block === undefined) return;
    const { name, lines } = block;
    block = undefined;
    const said = lines.map((line) => line.replace(/^\t/, ""));
    const message = trimBlank(said.filter((line) => !isFrame(line))).join("\n");
    const place = projectPlace(said);
    if (name === undefined)
      sink.failure({ name: place?.file ?? "browser", kind: "suite", message, ...place });
    else sink.failure({ name, kind: "test", message, ...place });
  }

  function executed(browser: string, rest: string): boolean {
    const [, done, total, failed, tail = ""] = EXECUTED.exec(rest) ?? [];
    if (done === undefined) return false;
    const [, seconds, minutes, more] = TIMES.exec(tail) ?? [];
    results.set(browser, {
      executed: Number(done),
      total: Number(total),
      failed: Number(failed ?? 0),
      skipped: Number(SKIPPED.exec(tail)?.[1] ?? 0),
      seconds: Number(seconds ?? 0) + Number(minutes ?? 0) * 60 + Number(more ?? 0),
      error: tail.includes("ERROR"),
    });
    return true;
  }

  function ofBrowser(text: string): boolean {
    const [, browser, rest = ""] = text.length < 4_000 ? (BROWSER.exec(text) ?? []) : [];
    if (browser === undefined) return false;
    close();
    if (executed(browser, rest)) return true;
    const name = FAILED.exec(rest)?.[1];
    if (name === undefined && !BROKEN.test(rest)) return false;
    block = { name, lines: [] };
    return true;
  }

  function log(text: string): boolean {
    const [, level, from, message = ""] = text.length < 20_000 ? (LOG.exec(text) ?? []) : [];
    if (level === undefined) return false;
    close();
    if (level === "ERROR") sink.diagnostic({ severity: "error", message: `[${from}] ${message}` });
    if (level === "WARN") sink.diagnostic({ severity: "warning", message: `[${from}] ${message}` });
    return true;
  }

  return {
    take({ text }: Line): boolean {
      if (ofBrowser(text) || log(text)) return true;
      if (block !== undefined && /^(?:\t| {2})/.test(text)) {
        block.lines.push(text);
        return true;
      }
      close();
      return TOTAL.test(text);
    },
    end() {
      close();
      for (const { executed: done, failed, skipped, total, seconds, error } of results.values())
        sink.summary(
          defined({
            passed: Math.max(0, done - failed),
            failed,
            skipped: Math.max(skipped, total - done),
            total,
            failedSuites: error ? 1 : 0,
            durationMs: Math.round(seconds * 1000),
          }),
        );
      results.clear();
    },
  };
}
