import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Place } from "../../../model/diagnostic.ts";

export const sanitizers = defineBuildTool({
  id: "sanitizers",
  title: "Address-, Leak-, Memory-, Thread- and UndefinedBehaviorSanitizer",
  url: "https://github.com/google/sanitizers",
  ecosystem: "c-cpp",
  kinds: ["run", "test"],
  signatures: ["Sanitizer: ", ": runtime error: "],
  priority: 9,
  parser: sanitizerParser,
});

const REPORT =
  /^(?:==\d{1,10}==)?(?:ERROR|WARNING): ((?:Address|Leak|Memory|Thread|HWAddress|UndefinedBehavior|RealtimeS|Type)Sanitizer): (.+)$/;
const LEAK = /^(Direct|Indirect) leak of \d+ byte\(s\) in \d+ object\(s\) allocated from:$/;
const FRAME = /^ {4}#\d{1,4} (?:0x[0-9a-f]+ )?(?:in )?(.*)$/;
const ACCESS = /^(?:READ|WRITE) of size \d+ |^ {2}(?:Write|Read|Atomic write|Atomic read) of size \d+ /;
const END = /^SUMMARY: \w+Sanitizer|^==\d+==ABORTING|^={18,}$/;
const RUNTIME = /^runtime error: (.+)$/;
const FOREIGN =
  /(?:^|[/\\])(?:libsanitizer|compiler-rt|sysdeps|csu|nptl|libio)[/\\]|^<|\/usr\/include\/|^\.\.\/\.\.\//;

interface Open {
  readonly message: string[];
  readonly code: string | undefined;
  readonly frames: Place[];
  /**
   * Number of stack traces read so far. The first shows where the error occurred, the following ones where the memory
   * came from.
   */
  stacks: number;
}

/** Reads the reports of Address-, Leak-, Memory-, Thread- and UndefinedBehaviorSanitizer. */
function sanitizerParser(sink: Sink): LineParser {
  let open: Open | undefined;
  let inside = false;

  function close(): void {
    const done = open;
    open = undefined;
    if (done === undefined) return;
    const place = done.frames.find((frame) => !FOREIGN.test(frame.file)) ?? done.frames[0];
    sink.diagnostic({
      severity: "error",
      message: done.message.join("\n"),
      ...place,
      ...(done.code === undefined ? {} : { code: done.code }),
    });
  }

  function frame(text: string): void {
    if (open === undefined) return;
    if (/^ {4}#0 /.test(text)) open.stacks++;
    if (open.stacks > 1) return;
    const place = readFramePlace(FRAME.exec(text)?.[1] ?? "");
    if (place !== undefined) open.frames.push(place);
  }

  return {
    take({ text }: Line): boolean {
      const report = REPORT.exec(text);
      if (report !== null) {
        close();
        inside = true;
        const [, name = "", what = ""] = report;
        // The header of LeakSanitizer's report is skipped, because the leaks are listed one by one below it.
        if (name !== "LeakSanitizer")
          open = { message: [`${name}: ${what}`], code: codeOf(what), frames: [], stacks: 0 };
        return true;
      }
      const leak = inside ? LEAK.exec(text) : null;
      if (leak !== null) {
        close();
        open = { message: [`LeakSanitizer: ${text}`], code: undefined, frames: [], stacks: 0 };
        return true;
      }
      if (!inside) return runtimeError(text, sink);
      if (FRAME.test(text)) frame(text);
      else if (ACCESS.test(text) && open?.message.length === 1) open.message.push(text.trim());
      else if (END.test(text)) close();
      if (/^==\d+==ABORTING|^SUMMARY: (?:Leak|Thread)Sanitizer/.test(text)) inside = false;
      return (
        FRAME.test(text) ||
        END.test(text) ||
        ACCESS.test(text) ||
        /^\s*$|^ |^=>|^0x[0-9a-f]+ is located|^(?:freed|previously|allocated) by thread|^Shadow byte|^Address 0x|^HINT/.test(
          text,
        )
      );
    },
    end: close,
  };
}

/** Reads UndefinedBehaviorSanitizer's `file.c:9:7: runtime error: …`. */
function runtimeError(text: string, sink: Sink): boolean {
  if (!text.includes(": runtime error: ")) return false;
  const placed = leadingPlace(text);
  const match = placed === undefined ? null : RUNTIME.exec(placed.rest);
  if (placed === undefined || match === null) return false;
  sink.diagnostic({ severity: "error", message: match[1] ?? "", ...placed.place });
  return true;
}

function codeOf(what: string): string | undefined {
  return /^[a-z-]+(?: race)?/.exec(what)?.[0].trim();
}

/** Reads a frame's location: `main /home/dev/c/mem.c:16`, `main ub.cpp:13 (app+0x2d)`, from Clang with a column. */
function readFramePlace(text: string): Place | undefined {
  const bare = text.replace(/ \([^()]*\)(?: \(BuildId: \w+\))?$/, "");
  const file = bare.slice(bare.lastIndexOf(" ") + 1);
  const match = /^(.+?):(\d{1,7})(?::(\d{1,7}))?$/.exec(file);
  if (match === null) return undefined;
  return {
    file: match[1] ?? "",
    line: Number(match[2]),
    ...(match[3] === undefined ? {} : { column: Number(match[3]) }),
  };
}
