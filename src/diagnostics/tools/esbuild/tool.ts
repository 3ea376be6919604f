import { colonPlace, leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Place, RelatedPlace, Severity } from "../../../model/diagnostic.ts";

export const esbuild = defineBuildTool({
  id: "esbuild",
  title: "esbuild",
  url: "https://esbuild.github.io",
  ecosystem: "js",
  kinds: ["build"],
  signatures: [" [ERROR] ", " [WARNING] ", " failed with "],
  priority: 8,
  parser: esbuildParser,
});

const HEAD = /^(?:✘|X|▲|×|!) \[(ERROR|WARNING)\] (.*)$/;
const CODE = / \[([a-z][a-z0-9-]*)\]$/;
const PLUGIN = / \[plugin ([^\]]{1,100})\]$/;
const COMPILER = /^(TS-?\d{1,7}|NG-?\d{1,7}): /;
const PLACE = /^ {4}(\S.*):$/;
const FRAME = /^ {4,}(?:\d+ )?[│╵]/;
const NOTE = /^ {2}(\S.*)$/;
const FAILED = /(?:Build|Transform) failed with \d+ errors?:$/;
const LISTED = /^(ERROR|error|WARNING|warning): (.*)$/;
const CLOSING = /^(?:\d+ (?:errors?|warnings?)(?: and \d+ errors?)?|\d+ of \d+ (?:errors|warnings) shown.*)$/;

interface Pending {
  readonly severity: Severity;
  readonly message: string;
  readonly code: string | undefined;
  place: Place | undefined;
  note: string | undefined;
  readonly related: RelatedPlace[];
  readonly help: string[];
}

/**
 * Reads esbuild's own output, and the list of problems in the error that its API throws. esbuild counts columns from 0.
 */
function esbuildParser(sink: Sink): LineParser {
  let pending: Pending | undefined;
  let inList = false;

  function close(): void {
    if (pending === undefined) return;
    const { severity, message, code, place, related, note } = pending;
    const help = note === undefined ? pending.help : [...pending.help, note];
    pending = undefined;
    sink.diagnostic({
      severity,
      message,
      ...place,
      ...(code === undefined ? {} : { code }),
      ...(related.length > 0 ? { related } : {}),
      ...(help.length > 0 ? { help } : {}),
    });
  }

  function listed(text: string): boolean {
    const placed = leadingPlace(text);
    const [, word = "", message = ""] = LISTED.exec(placed?.rest ?? "") ?? [];
    if (placed === undefined || word === "") return false;
    const severity = word.toLowerCase() === "warning" ? "warning" : "error";
    sink.diagnostic({ severity, ...fromOne(placed.place), message });
    return true;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      const [, word, content] = HEAD.exec(text) ?? [];
      if (content !== undefined) {
        close();
        pending = { ...readHead(content), severity: word === "ERROR" ? "error" : "warning" };
        return true;
      }
      if (pending !== undefined && continues(pending, text)) return true;
      const after = pending !== undefined;
      close();
      if (inList && listed(text)) return true;
      inList = FAILED.test(text);
      return inList || (after && CLOSING.test(text)) || CLOSING.test(text);
    },
    end: close,
  };
}

function readHead(content: string): Omit<Pending, "severity"> {
  const text = content.replace(PLUGIN, "");
  const compiler = COMPILER.exec(text)?.[1];
  const code = compiler ?? CODE.exec(text)?.[1];
  const message = (compiler === undefined ? text : text.slice(compiler.length + 2)).replace(CODE, "");
  return { message, code, place: undefined, note: undefined, related: [], help: [] };
}

function continues(pending: Pending, text: string): boolean {
  if (text.trim() === "" || FRAME.test(text)) return true;
  const place = PLACE.exec(text)?.[1];
  const at = place === undefined ? undefined : colonPlace(place);
  if (at !== undefined) {
    if (pending.place === undefined && pending.note === undefined) pending.place = fromOne(at);
    else
      pending.related.push({
        ...fromOne(at),
        ...(pending.note === undefined ? {} : { message: pending.note }),
      });
    pending.note = undefined;
    return true;
  }
  const note = NOTE.exec(text)?.[1];
  if (note === undefined) return false;
  if (pending.note !== undefined) pending.help.push(pending.note);
  pending.note = note;
  return true;
}

function fromOne(place: Place): Place {
  return place.column === undefined ? place : { ...place, column: place.column + 1 };
}
