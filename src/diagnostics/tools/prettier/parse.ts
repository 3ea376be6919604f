import type { Line, LineParser, Sink } from "../../tool.ts";

const START = "Checking formatting...";
const TAGGED = /^\[(warn|error)\] ?(.*)$/;
const CLOSING =
  /^(?:Code style issues (?:found|fixed) in |All matched files use Prettier code style!|Error occurred when checking code style in )/;
const SYNTAX = /^(.{1,2000}?): (\w*Error): (.*)$/;
const POSITION = / \((\d{1,9}):(\d{1,9})\)$/;
const FRAME = /^ *>? *\d+ \||^ +\|/;
const PATH = /^[^\s:*?"<>|][^:*?"<>|]*\.[A-Za-z0-9]+$/;

const UNFORMATTED = "Code style issues found";
const HELP = ["Run Prettier with --write to fix."];

/** Reads what `prettier --check` prints: a line for each file, and what it could not parse. */
export function prettierParser(sink: Sink): LineParser {
  let open = false;
  /** Lines of an error that is not about one file's syntax. */
  let error: string[] = [];

  function close(): void {
    if (error.length > 0) sink.diagnostic({ severity: "error", message: error.join("\n").trimEnd() });
    error = [];
  }

  function problem(text: string): boolean {
    if (FRAME.test(text)) return true;
    const syntax = readSyntaxError(text);
    if (syntax === undefined) {
      if (open) error.push(text);
      return open;
    }
    close();
    sink.diagnostic(syntax);
    return true;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      if (text === START) {
        open = true;
        return true;
      }
      const [, tag, rest = ""] = TAGGED.exec(text) ?? [];
      if (tag === "error") return problem(rest);
      close();
      const said = tag === "warn" ? rest : text;
      if (CLOSING.test(said)) {
        open = false;
        return true;
      }
      // Versions before 2 print the names alone.
      if (!open || said === "" || !(tag === "warn" || PATH.test(said))) return false;
      sink.diagnostic({ severity: "warning", file: said, message: UNFORMATTED, help: HELP });
      return true;
    },
    end: close,
  };
}

function readSyntaxError(text: string): Parameters<Sink["diagnostic"]>[0] | undefined {
  const [, file, kind, said = ""] = SYNTAX.exec(text) ?? [];
  if (file === undefined) return undefined;
  const [, line, column] = POSITION.exec(said) ?? [];
  return {
    severity: "error",
    file,
    ...(line === undefined ? {} : { line: Number(line), column: Number(column) }),
    message: `${kind}: ${said.replace(POSITION, "")}`,
  };
}
