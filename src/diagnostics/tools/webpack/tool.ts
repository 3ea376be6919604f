import { isFrame, projectPlace } from "../../javascript/frames.ts";
import { colonPlace, parenPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Place } from "../../../model/diagnostic.ts";

export const webpack = defineBuildTool({
  id: "webpack",
  title: "webpack",
  url: "https://webpack.js.org",
  ecosystem: "js",
  kinds: ["build"],
  signatures: ["ERROR in ", "WARNING in ", "[webpack-cli] ", " compiled ", " - Error: ", " - Warning: "],
  priority: 5,
  parser: webpackParser,
  commands: [
    {
      name: "webpack.build",
      description: "Bundle",
      detect: (folder) =>
        folder.packageJson?.dependencies["webpack-cli"] === undefined
          ? undefined
          : "package.json depends on webpack-cli",
      argv: () => ["npx", "--no-install", "webpack"],
    },
  ],
});

const HEAD = /^(ERROR|WARNING) in ?(.*)$/;
const CLOSING =
  /^(?:webpack|rspack|Rspack)? ?(?:\d+\.\d+\.\d+\S* )?compiled (?:with|successfully)|^Found \d+ errors? in \d+ ms\.?$/;
const OVER = /^(?:npm (?:error|ERR!)|error Command failed|Child \S|ℹ |Hash: |Version: |assets? |Entrypoint )/;
const CLI = /^\[webpack-cli\] (?:✖ )?(.*)$/;
/** Matches the format of Angular's command line: `./src/main.ts:3:0-20 - Error: message`. */
const ANGULAR = /^(\.{1,2}\/\S{1,500}?)(?::(\d{1,9}:\d{1,9}(?:-\d{1,9})?))? - (Error|Warning): (.*)$/;
const MAX_LINES = 200;

interface Pending {
  readonly severity: "error" | "warning";
  readonly head: string;
  readonly lines: string[];
  /** True if an empty line ends the error or warning. */
  readonly endsAtBlank?: boolean;
}

/** Reads the errors and warnings of webpack's stats, versions 4 and 5, and of Rspack. */
function webpackParser(sink: Sink): LineParser {
  let pending: Pending | undefined;
  let cli: string[] | undefined;

  function close(): void {
    if (pending !== undefined) {
      const { head, lines, severity } = pending;
      for (const found of readRows(head, lines, severity) ?? [readStatsBlock(head, lines, severity)])
        if (found.message !== "") sink.diagnostic(found);
    }
    if (cli !== undefined) sink.diagnostic({ ...readStatsBlock(cli[0] ?? "", cli.slice(1), "error") });
    pending = undefined;
    cli = undefined;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      const [, word, head] = HEAD.exec(text) ?? [];
      if (word !== undefined && head !== undefined) {
        close();
        // No diagnostic starts here, because ESLint's plugin prints ESLint's own table below, which ESLint's parser
        // reads.
        if (head.trim() === "" || head.startsWith("[eslint]")) return true;
        pending = { severity: word === "ERROR" ? "error" : "warning", head: head.trim(), lines: [] };
        return true;
      }
      const [, file, range, level, message = ""] = text.startsWith(".") ? (ANGULAR.exec(text) ?? []) : [];
      if (file !== undefined) {
        close();
        const at = range === undefined ? file : `${file} ${range}`;
        const severity = level === "Error" ? "error" : "warning";
        pending = { severity, head: at, lines: [message], endsAtBlank: true };
        return true;
      }
      if (pending?.endsAtBlank === true && text.trim() === "") {
        close();
        return true;
      }
      if (CLOSING.test(text)) {
        close();
        return true;
      }
      const content = CLI.exec(text)?.[1];
      if (content !== undefined && pending === undefined) {
        if (cli === undefined) cli = [content];
        else cli.push(content);
        return true;
      }
      const lines = pending?.lines ?? cli;
      if (lines === undefined) return false;
      // The import trace is the last part of an error; an unindented line after it belongs to another tool.
      const traced = lines.findLast((line) => line.trim() !== "")?.startsWith(" @ ") === true;
      if (OVER.test(text) || lines.length > MAX_LINES || (traced && /^\S/.test(text))) {
        close();
        return false;
      }
      lines.push(text);
      return true;
    },
    end: close,
  };
}

/** Matches `./src/a.js 1:0-26` and `./src/a.js 1:11-3:5`, which count columns from 0. */
const RANGE = /^(.{1,1000}) (\d{1,9}):(\d{1,9})(?:-(?:(\d{1,9}):)?(\d{1,9}))?$/;
const TRACE = /^ *@ (\S.*)$/;
const TSL = /^\[tsl\] (?:ERROR|WARNING) in (\S.*)$/;
const CODED = /^ *(TS\d{1,6}): (.*)$/;
const RESOLVING = /^resolve '/;
const FRAME = /^ *(?:> *)?\d+ \||^ +\| |^ *[>|] /;
const NOISE =
  /^ts-loader-default_|^File was (?:parsed|processed) (?:as|with)|^You may need an (?:appropriate|additional) loader/;
const BABEL = /^\w*Error: (\S.{0,1000}?): .* \((\d{1,9}):(\d{1,9})\)$/;
const PATH = /^(?:\.{1,2}[\\/]|[\\/]|[A-Za-z]:[\\/]|[\w@-]+[\\/])\S*$/;

/** Reads one error or warning of webpack's stats, from the text after `ERROR in` and the lines below it. */
function readStatsBlock(head: string, lines: readonly string[], severity: "error" | "warning"): Found {
  let place = headPlace(head);
  let code: string | undefined;
  const message = place === undefined && head !== "main" ? [head] : [];
  for (const line of lines) {
    const tsl = TSL.exec(line)?.[1];
    const coded = CODED.exec(line);
    const trace = TRACE.exec(line)?.[1];
    if (RESOLVING.test(line) || isFrame(line)) break;
    if (tsl !== undefined) place = parenPlace(tsl) ?? place;
    else if (coded !== null) {
      code = coded[1];
      message.push(coded[2] ?? "");
    } else if (trace !== undefined) {
      if (place?.line === undefined)
        place = headPlace(trace.replace(/( \d+:\d+(?:-\d+)?).*$/, "$1")) ?? place;
    } else if (!FRAME.test(line) && !NOISE.test(line) && line.trim() !== "" && !isOwnPlace(line, place))
      message.push(line.trimEnd());
  }
  place = babelPlace(message) ?? (place?.line === undefined ? (projectPlace(lines) ?? place) : place);
  return {
    severity,
    message: message.join("\n"),
    ...place,
    ...(code === undefined ? {} : { code }),
  };
}

function headPlace(head: string): Place | undefined {
  const [, file, line, column, endLine, endColumn] = RANGE.exec(head) ?? [];
  if (file !== undefined)
    return {
      file,
      line: Number(line),
      column: Number(column) + 1,
      ...(endColumn === undefined
        ? {}
        : { endLine: Number(endLine ?? line), endColumn: Number(endColumn) + 1 }),
    };
  if (!PATH.test(head)) return undefined;
  return parenPlace(head) ?? colonPlace(head) ?? { file: head };
}

/** Returns whether the line repeats the location, as ts-loader does. */
function isOwnPlace(line: string, place: Place | undefined): boolean {
  const own = RANGE.exec(line)?.[1];
  return own !== undefined && place !== undefined && place.file.endsWith(own.replace(/^\.\//, ""));
}

function babelPlace(message: readonly string[]): Place | undefined {
  for (const line of message) {
    const [, file, row, column] = line.length < 4_000 ? (BABEL.exec(line) ?? []) : [];
    if (file !== undefined && PATH.test(file)) return { file, line: Number(row), column: Number(column) + 1 };
  }
  return undefined;
}

/** Matches a row of the list that Angular's compilers print below one `ERROR in`: `src/app/app.component.html(9,18): : message`. */
const ROW =
  /^(?:Error at )?(?:ng:\/\/)?(\S.{0,500}?\.(?:tsx?|html|[cm]?js) ?\(\d{1,9},\d{1,9}\)): (?:: )?(\S.*)$/;

/** Reads the rows of a list of Angular's compilers, or returns undefined if the header does not start one. */
function readRows(
  head: string,
  lines: readonly string[],
  severity: "error" | "warning",
): readonly Found[] | undefined {
  const rows: { readonly place: Place | undefined; readonly message: string[] }[] = [];
  for (const line of [head, ...lines]) {
    const [, at = "", message] = ROW.exec(line) ?? [];
    if (message !== undefined) rows.push({ place: parenPlace(at), message: [message] });
    else if (rows.length === 0) return undefined;
    else if (line.trim() !== "") rows.at(-1)?.message.push(line.trimEnd());
  }
  return rows.map(({ place, message }) => ({ severity, ...place, message: message.join("\n") }));
}
