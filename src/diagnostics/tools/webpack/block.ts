import type { Place } from "../../../model/diagnostic.ts";
import { isFrame, projectPlace } from "../../javascript/frames.ts";
import { colonPlace, parenPlace } from "../../parsing/place.ts";
import type { Found } from "../../tool.ts";

/** `./src/a.js 1:0-26`, `./src/a.js 1:11-3:5`: columns count from 0. */
const RANGE = /^(.{1,1000}) (\d{1,9}):(\d{1,9})(?:-(?:(\d{1,9}):)?(\d{1,9}))?$/;
const TRACE = /^ *@ (\S.*)$/;
const TSL = /^\[tsl\] (?:ERROR|WARNING) in (\S.*)$/;
const CODED = /^ *(TS\d{1,6}): (.*)$/;
const RESOLVING = /^resolve '/;
const FRAME = /^ *>? *\d+ \||^ +\| |^ *[>|] /;
const NOISE =
  /^ts-loader-default_|^File was (?:parsed|processed) (?:as|with)|^You may need an (?:appropriate|additional) loader/;
const BABEL = /^\w*Error: (\S.{0,1000}?): .* \((\d{1,9}):(\d{1,9})\)$/;
const PATH = /^(?:\.{1,2}[\\/]|[\\/]|[A-Za-z]:[\\/]|[\w@-]+[\\/])\S*$/;

/** One error or warning of webpack's stats, from what stands after `ERROR in` and the lines below it. */
export function readStatsBlock(head: string, lines: readonly string[], severity: "error" | "warning"): Found {
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

/** ts-loader repeats the place as webpack knows it. */
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

/** `src/app/app.component.html(9,18): : message`, as Angular's compilers list them below one `ERROR in`. */
const ROW =
  /^(?:Error at )?(?:ng:\/\/)?(\S.{0,500}?\.(?:tsx?|html|[cm]?js) ?\(\d{1,9},\d{1,9}\)): (?:: )?(\S.*)$/;

/** The rows of such a list; undefined where the head is none. */
export function readRows(
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
