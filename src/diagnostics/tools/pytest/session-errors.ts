import type { Sink } from "../../tool.ts";
import { readBlock } from "./block.ts";
import { isForeign, nativeFrame } from "../../traces/python-trace.ts";
import type { Place } from "../../../model/diagnostic.ts";

/** Reads text outside the session's sections: internal errors, crashes, wrong arguments, a conftest that does not load. */
export interface SessionErrorReader {
  take(text: string): boolean;
  end(): void;
}

const INTERNAL = /^INTERNALERROR> ?(.*)$/;
const FATAL = /Fatal Python error: (.+)$/;
const STACK = /^(?:Current thread|Thread) 0x[0-9a-f]+ .*\(most recent call first\):$/;
const CONFTEST = /^(?:ImportError while loading conftest|ConftestImportFailure:?) '?(.+?)'?\.?$/;
const EXIT = /^!{3,} (?:_pytest\.outcomes\.)?Exit: (.+) !{3,}$/;
const USAGE = /^ERROR: ((?:file or directory )?not found: .*|usage: .*)$/;
/** Matches insufficient coverage, which fails a run even if all its tests passed. */
const COVERAGE = /^(?:FAIL (Required test coverage of .+ not reached\..*)|ERROR: (Coverage failure: .+))$/;
const ARGUMENT = /^(?:\S+: )?error: (.+)$/;

type Mode = "none" | "internal" | "fatal" | "conftest" | "usage";

export function sessionErrorReader(sink: Sink): SessionErrorReader {
  let mode: Mode = "none";
  let name = "";
  let lines: string[] = [];

  function close(): void {
    const [was, found] = [mode, lines];
    mode = "none";
    lines = [];
    if (was === "internal") internal(found, sink);
    else if (was === "fatal") fatal(name, found, sink);
    else if (was === "conftest") {
      const details = readBlock(found);
      sink.failure({ kind: "suite", name, ...details, file: details.file ?? name });
    }
  }

  function open(next: Mode, title: string): boolean {
    close();
    mode = next;
    name = title;
    return true;
  }

  return {
    take(text) {
      const line = INTERNAL.exec(text);
      if (line !== null) {
        if (mode !== "internal") open("internal", "INTERNALERROR");
        lines.push(line[1] ?? "");
        return true;
      }
      const died = text.includes("Fatal Python error") ? FATAL.exec(text) : null;
      if (died !== null) return open("fatal", died[1] ?? "");
      const conftest = CONFTEST.exec(text);
      if (conftest !== null) return open("conftest", conftest[1] ?? "");
      if (belongs(mode, text)) {
        if (mode === "usage") usageLine(text, sink);
        else lines.push(text);
        return true;
      }
      close();
      const exit = EXIT.exec(text);
      if (exit !== null) {
        sink.failure({ kind: "unhandled", name: "Exit", message: exit[1] ?? "" });
        return true;
      }
      const coverage = COVERAGE.exec(text);
      if (coverage !== null) {
        sink.diagnostic({ severity: "error", message: coverage[1] ?? coverage[2] ?? "" });
        return true;
      }
      const usage = USAGE.exec(text);
      if (usage === null) return false;
      if (usage[1]?.startsWith("usage: ") === true) return open("usage", "");
      sink.diagnostic({ severity: "error", message: usage[1] ?? "" });
      return true;
    },
    end: close,
  };
}

function internal(lines: readonly string[], sink: Sink): void {
  const details = readBlock(lines);
  const message = lines.findLast((line) => /^\S/.test(line)) ?? "internal error";
  sink.failure({ kind: "unhandled", name: "INTERNALERROR", ...details, message });
}

/** Reports a crash of the interpreter, whose stack trace has the newest frame first. */
function fatal(name: string, lines: readonly string[], sink: Sink): void {
  const current = lines.findIndex((line) => line.startsWith("Current thread"));
  const frames = lines
    .slice(Math.max(current, 0))
    .map((line) => nativeFrame(line))
    .filter((frame): frame is Place => frame !== undefined);
  const place = frames.find((frame) => !isForeign(frame.file));
  sink.failure({
    kind: "unhandled",
    name: "Fatal Python error",
    message: name,
    ...(place === undefined ? {} : { file: place.file }),
    ...(place?.line === undefined ? {} : { line: place.line }),
  });
}

/** Returns whether the line continues the message that is being read. */
function belongs(mode: Mode, text: string): boolean {
  switch (mode) {
    case "fatal":
      return (
        STACK.test(text) ||
        nativeFrame(text) !== undefined ||
        /^\s*$|^\s+\.\.\.$|^Extension modules:/.test(text)
      );
    case "conftest":
      return text.trim() !== "";
    case "usage":
      return ARGUMENT.test(text) || /^ {2}(?:inifile|rootdir): /.test(text);
    case "none":
    case "internal":
    default:
      return false;
  }
}

function usageLine(text: string, sink: Sink): void {
  const argument = ARGUMENT.exec(text);
  if (argument !== null) sink.diagnostic({ severity: "error", message: argument[1] ?? "" });
}
