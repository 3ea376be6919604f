import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Place } from "../../../model/diagnostic.ts";

export const valgrind = defineBuildTool({
  id: "valgrind",
  title: "Valgrind",
  url: "https://valgrind.org",
  ecosystem: "c-cpp",
  kinds: ["run", "test"],
  signatures: ["== Memcheck", "== Helgrind", "== DRD", "   at 0x", "   by 0x", "ERROR SUMMARY: "],
  priority: 9,
  parser: valgrindParser,
});

const OWN = /^(?:==|--)(\d{1,10})(?:==|--) ?(.*)$/;
const FRAME = /^ {3}(?:at|by) 0x[0-9A-F]+: (?:.*) \((?:in (.+)|(.+):(\d{1,7}))\)$/;
const ANY_FRAME = /^ {3}(?:at|by) 0x[0-9A-F]+: /;
/** Matches Valgrind's own replacements of functions, and the C library. */
const FOREIGN =
  /^(?:vg_replace_\w+\.c|vgpreload.*|hg_intercepts\.c|.*\.(?:S|tcc)|libc[-_]start\w*\.[ch]|.*-start\.c|pthread_\w+\.c|start_thread\.c|(?:v?[fs]?n?printf|vf?scanf|vfprintf-internal|iofopen|fileops|genops|iogetdelim|getdelim|raise|abort|assert|strn?dup|strlen|strcpy|strcat|strcmp|strchr|strtok|strtol_l|memcpy|memset|qsort|msort|setlocale|dl-\w+)(?:-\w+)*\.c|invoke\.h|std_(?:thread|function|abs)\.h|unique_ptr\.h|shared_ptr\w*\.h|new_allocator\.h|allocator\.h|alloc_traits\.h|stl_\w+\.h|basic_string\.h|char_traits\.h|new_op\w*\.cc|del_op\w*\.cc)$/;
const LEAK =
  /^[\d,]+ (?:\([\d, a-z]+\) )?bytes? in [\d,]+ blocks? (?:are|is) (definitely lost|indirectly lost|possibly lost|still reachable)/;
const TITLE =
  /^(?:Invalid |Conditional jump|Use of uninitialised|Syscall param|Mismatched free|Source and destination overlap|Argument |Jump to the invalid|Process terminating with default action of signal|Possible data race|Thread #\d+.*(?:lock|exit)|Illegal |realloc\(\) with size 0|Stack overflow|.*(?:uninitialised byte|unaddressable byte)|Warning: invalid file descriptor|Uninitialised |Unaddressable |exp-|Lock at|The following allocation)/;

interface Open {
  readonly title: string;
  /** Frames of the report's first stack, which shows where the error occurred. */
  readonly frames: Place[];
  isComplete: boolean;
}

/** Reads valgrind's reports; each becomes a diagnostic at the first frame inside the program's own source. */
function valgrindParser(sink: Sink): LineParser {
  const open = new Map<string, Open>();

  function close(process: string): void {
    const report = open.get(process);
    open.delete(process);
    if (
      report === undefined ||
      (report.frames.length === 0 && !report.title.startsWith("Process terminating"))
    )
      return;
    const leak = LEAK.exec(report.title);
    const place = report.frames.find((frame) => !FOREIGN.test(frame.file)) ?? report.frames[0];
    const soft = leak?.[1] === "possibly lost" || leak?.[1] === "still reachable";
    sink.diagnostic({
      severity: soft ? "warning" : "error",
      message: report.title.replace(/ in loss record .*$/, ""),
      ...place,
    });
  }

  return {
    take({ text }: Line): boolean {
      const own = OWN.exec(text);
      if (own === null) return false;
      const [, process = "", rest = ""] = own;
      const report = open.get(process);
      if (rest.trim() === "") close(process);
      else if (report !== undefined && ANY_FRAME.test(rest)) {
        const frame = FRAME.exec(rest);
        if (!report.isComplete && frame?.[2] !== undefined)
          report.frames.push({ file: frame[2], line: Number(frame[3]) });
      } else if (report !== undefined && rest.startsWith(" ")) report.isComplete ||= report.frames.length > 0;
      else if (TITLE.test(rest) || LEAK.test(rest)) {
        close(process);
        open.set(process, { title: rest.trim(), frames: [], isComplete: false });
      } else if (report !== undefined && report.frames.length > 0) report.isComplete = true;
      return true;
    },
    end(): void {
      for (const process of open.keys()) close(process);
    },
  };
}
