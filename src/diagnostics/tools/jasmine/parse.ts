import { durationMs } from "../../javascript/counts.ts";
import { projectPlace } from "../../javascript/frames.ts";
import { quotedPattern } from "../../javascript/rerun.ts";
import { defined } from "../../json.ts";
import type { TestCounts } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const STARTED = /^Started$/;
const SECTION = /^(Failures|Pending):$/;
const NUMBERED = /^\d+\) (\S.*)$/;
const SUITE = /^(?:Suite error: (\S.*)|Top level suite error)$/;
const PART = /^ {2}(Message|Stack):$/;
const COUNTS = /^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?$/;
const FINISHED = /^Finished in (.+)$/;
const INCOMPLETE = /^(?:Incomplete: )?No specs found$/;

interface Block {
  readonly name: string;
  readonly suite: boolean;
  readonly message: string[];
  readonly stack: string[];
  part: "message" | "stack" | undefined;
}

/** Reads Jasmine's console reporter. */
export function jasmineParser(sink: Sink): LineParser {
  let open = false;
  let section = "";
  let block: Block | undefined;
  let counts: TestCounts | undefined;
  let suites = 0;

  function closeBlock(): void {
    if (block === undefined) return;
    const { name, suite, message, stack } = block;
    block = undefined;
    if (suite) suites++;
    sink.failure({
      name,
      kind: suite ? "suite" : "test",
      message: message.join("\n").trim(),
      ...projectPlace(stack),
      rerun: `--filter=${quotedPattern(name)}`,
    });
  }

  function end(duration?: number): void {
    closeBlock();
    if (counts !== undefined)
      sink.summary(defined({ ...counts, failedSuites: suites, durationMs: duration }));
    counts = undefined;
    suites = 0;
    open = false;
    section = "";
  }

  function counted(text: string): boolean {
    const [, total, failed, pending] = COUNTS.exec(text) ?? [];
    if (total === undefined) return false;
    closeBlock();
    // The failures of suites are counted with those of the specs.
    const failedSpecs = Number(failed) - suites;
    const skipped = Number(pending ?? 0);
    counts = {
      total: Number(total),
      failed: failedSpecs,
      skipped,
      passed: Number(total) - failedSpecs - skipped,
    };
    open = true;
    return true;
  }

  function inBlock(text: string): boolean {
    if (block === undefined) return false;
    const part = PART.exec(text)?.[1];
    if (part !== undefined) block.part = part === "Message" ? "message" : "stack";
    else if (block.part === "message") block.message.push(text.replace(/^ {4}/, ""));
    else if (block.part === "stack") block.stack.push(text);
    return true;
  }

  function heading(text: string): boolean {
    const next = SECTION.exec(text)?.[1];
    if (next !== undefined) {
      closeBlock();
      section = next;
      return true;
    }
    const suite = SUITE.exec(text);
    const name = section === "Failures" ? NUMBERED.exec(text)?.[1] : undefined;
    if (suite === null && name === undefined) return false;
    closeBlock();
    block = {
      name: name ?? suite?.[1] ?? text,
      suite: suite !== null,
      message: [],
      stack: [],
      part: undefined,
    };
    return true;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return open;
      if (counted(text)) return true;
      if (STARTED.test(text)) {
        end();
        open = true;
        return true;
      }
      if (!open) return false;
      const finished = FINISHED.exec(text)?.[1];
      if (finished !== undefined && counts !== undefined) {
        end(durationMs(finished));
        return true;
      }
      if (INCOMPLETE.test(text) && section === "") {
        sink.diagnostic({ severity: "error", message: "No specs found" });
        counts = { total: 0, passed: 0, failed: 0, skipped: 0 };
        return true;
      }
      return heading(text) || inBlock(text) || section !== "" || /^[.F*]*$/.test(text);
    },
    end: () => end(),
  };
}
