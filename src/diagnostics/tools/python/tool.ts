import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import { nativeFrame, projectFrame } from "../../traces/python-trace.ts";
import type { Place } from "../../../model/diagnostic.ts";

export const python = defineBuildTool({
  id: "python",
  title: "Python tracebacks",
  url: "https://docs.python.org/3/library/traceback.html",
  ecosystem: "python",
  kinds: ["run"],
  signatures: [
    "Traceback (most recent call last)",
    "SyntaxError: ",
    "IndentationError: ",
    "TabError: ",
    "Warning: ",
    "python: ",
    "python3: ",
    ": No module named",
    "Sorry: ",
    "System check identified",
  ],
  priority: -1,
  parser: pythonParser,
  manifests: ["pyproject.toml"],
});

const HEAD = /^(?: {2}\+ Exception Group )?Traceback \(most recent call last\):$/;
const EXCEPTION = /^([A-Za-z_][\w.]*)(?::(?: (.*))?)?$/;
const CHAINED =
  /^(?:During handling of the above exception, another|The above exception was the direct cause)/;
const WARNING = /^(.+\.pyi?):(\d{1,7}): ([A-Z]\w*Warning): (.+)$/;
const CANNOT =
  /^(?:\S*[/\\])?python[\d.]*(?:\.exe)?: (No module named .+|can't open file .+|can't find .+|Error while finding module .+)$/;
const SORRY = /^Sorry: (\w+: .+) \((.+), line (\d{1,7})\)$/;
const CHECK = /^(?:\?|[\w.<>-]+): \(([\w.]+\.[CEWID]\d{3})\) (.+)$/;
const GROUP = /^ {2,}[|+]/;

interface Open {
  readonly frames: Place[];
  readonly message: string[];
  state: "frames" | "message" | "ended";
  /** True for a file that does not parse, which Python reports without a traceback. */
  readonly isFileAlone: boolean;
}

/**
 * Matches the files of installed packages. An installer compiles all of them and ignores those that do not parse, such as code for another version of
 * Python.
 */
const INSTALLED = /(?:^|[\\/])(?:site-packages|dist-packages|build[\\/]bdist\.[\w.-]{1,60})[\\/]/;

/** Reads tracebacks of uncaught exceptions, files that do not parse, warnings, and errors of the interpreter itself. */
function pythonParser(sink: Sink): LineParser {
  const reader = new TracebackReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.close() };
}

class TracebackReader {
  readonly #sink: Sink;
  #open: Open | undefined;
  #inGroup = false;
  /** True if the next line may be the source line that is quoted below a warning's location. */
  #expectsSource = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (HEAD.test(text)) return this.#begin(text.startsWith(" "));
    const line = this.#inGroup && GROUP.test(text) ? text.replace(/^ {2}[|+] ?/, "") : text;
    if (this.#open !== undefined && this.#continues(this.#open, line, text)) return true;
    this.close();
    const frame = /^ {2}File "/.test(text) ? nativeFrame(text) : undefined;
    if (frame !== undefined && /", line \d{1,7}$/.test(text)) {
      this.#open = { frames: [frame], message: [], state: "frames", isFileAlone: true };
      return true;
    }
    const source = this.#expectsSource;
    this.#expectsSource = false;
    return this.#readSingle(text) || (source && /^ {2}\S/.test(text));
  }

  close(): void {
    const open = this.#open;
    this.#open = undefined;
    this.#inGroup = false;
    if (open === undefined || open.message.length === 0) return;
    const place = projectFrame(open.frames.filter((frame) => !frame.file.startsWith("<")));
    const severity = open.isFileAlone && INSTALLED.test(place?.file ?? "") ? "warning" : "error";
    this.#sink.diagnostic({ severity, message: open.message.join("\n").trimEnd(), ...place });
  }

  #begin(group: boolean): boolean {
    // A traceback directly after another one means that the first exception led to the second; only the last one, which
    // ended the program, is reported.
    if (this.#open?.state === "ended") this.#open = undefined;
    else this.close();
    this.#open = { frames: [], message: [], state: "frames", isFileAlone: false };
    this.#inGroup = group;
    return true;
  }

  #continues(open: Open, line: string, text: string): boolean {
    if (open.state === "frames") {
      const frame = nativeFrame(line);
      if (frame !== undefined) open.frames.push(frame);
      else if (/^\S/.test(line)) return this.#exception(open, line);
      return frame !== undefined || /^\s|^$/.test(line);
    }
    if (CHAINED.test(text)) {
      open.state = "ended";
      return true;
    }
    if (open.state === "ended") return text.trim() === "";
    // Indented tracebacks below an exception group are its parts and are not reported separately.
    if (this.#inGroup && GROUP.test(text)) return true;
    if (text.trim() === "") return true;
    return false;
  }

  #exception(open: Open, line: string): boolean {
    if (!EXCEPTION.test(line) && !/^[A-Za-z_][\w.]*: /.test(line)) {
      this.#open = undefined;
      return false;
    }
    open.message.push(line);
    open.state = "message";
    return true;
  }

  #readSingle(text: string): boolean {
    const found = readSingle(text);
    if (found === undefined) return /^\*{3} Error compiling '/.test(text);
    this.#expectsSource = found.severity === "warning";
    this.#sink.diagnostic(found);
    return true;
  }
}

function readSingle(text: string): Found | undefined {
  const warning = WARNING.exec(text);
  if (warning !== null)
    return {
      severity: "warning",
      file: warning[1] ?? "",
      line: Number(warning[2]),
      code: warning[3] ?? "",
      message: warning[4] ?? "",
    };
  const cannot = CANNOT.exec(text);
  if (cannot !== null) return { severity: "error", message: cannot[1] ?? "" };
  const sorry = SORRY.exec(text);
  if (sorry !== null)
    return { severity: "error", message: sorry[1] ?? "", file: sorry[2] ?? "", line: Number(sorry[3]) };
  const check = CHECK.exec(text);
  if (check === null) return undefined;
  const level = /\.([CEWID])\d{3}$/.exec(check[1] ?? "")?.[1];
  return {
    severity: level === "E" || level === "C" ? "error" : level === "W" ? "warning" : "info",
    code: check[1] ?? "",
    message: check[2] ?? "",
  };
}
