import type { RelatedPlace, Severity } from "../../../model/diagnostic.ts";
import { parenPlace } from "../../parsing/place.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";

const SAID =
  /^(fatal error|error|warning|note|Command line error|Command line warning)(?: (C\d{4}|LNK\d{4}|D\d{4}|U\d{4}|RC\d{4}|BK\d{4}|CVT\d{4}|MIDL\d{4}|A\d{4}|CNCC-\d{4}))? ?: (.*)$/;
const PROJECT = / \[[^\][]*\.(?:vcxproj|vcproj|proj|sln|csproj|vbproj)(?:::[^\][]*)?\]$/;
const TOOL =
  /^(LINK|cl|NMAKE|RC|LIB|CVTRES|MIDL|ml64|lld-link|[^\s:()][^:()]*\.(?:obj|lib|exe|dll|res)(?:\([^()]*\))?) ?: /;

/** Reads Microsoft's C and C++ compiler, linker and nmake. */
export function msvcParser(sink: Sink): LineParser {
  let pending: (Found & { readonly related: RelatedPlace[] }) | undefined;

  function close(): void {
    if (pending === undefined) return;
    const { related, ...found } = pending;
    pending = undefined;
    sink.diagnostic({ ...found, ...(related.length > 0 ? { related } : {}) });
  }

  return {
    take({ text }: Line): boolean {
      const read = readLine(text);
      if (read === undefined)
        return /^(?:Microsoft \(R\) (?:C\/C\+\+|Incremental Linker)|Copyright \(C\) Microsoft)/.test(text);
      if (read.note) {
        if (pending === undefined || read.found.file === undefined) return false;
        pending.related.push({ ...read.found, file: read.found.file });
        return true;
      }
      close();
      pending = { ...read.found, related: [] };
      return true;
    },
    end: close,
  };
}

function readLine(text: string): { readonly note: boolean; readonly found: Found } | undefined {
  // A parallel build puts the number of the process before each line.
  const line = text.replace(/^ {0,4}\d{1,3}>/, "").trimStart();
  const end = line.search(/\d\) ?: /);
  const place = end < 0 ? undefined : parenPlace(line.slice(0, end + 2));
  const tool = place === undefined ? TOOL.exec(line) : null;
  if (place === undefined && tool === null) return undefined;
  const rest =
    place === undefined ? line.slice(tool?.[0].length ?? 0) : line.slice(line.indexOf(":", end + 1) + 1);
  const said = SAID.exec(rest.trim());
  if (said === null) return undefined;
  const [, word = "", code, message = ""] = said;
  const note = word === "note";
  if (code === undefined && !note) return undefined;
  const file = place?.file ?? objectOf(tool?.[1] ?? "");
  return {
    note,
    found: {
      severity: severityOf(word),
      message: message.replace(PROJECT, ""),
      ...place,
      ...(file === undefined ? {} : { file }),
      ...(code === undefined ? {} : { code }),
    },
  };
}

function severityOf(word: string): Severity {
  if (word === "note") return "info";
  return word.includes("warning") ? "warning" : "error";
}

/** `main.obj : error LNK2019` names the object; `LINK : …` names nothing. */
function objectOf(tool: string): string | undefined {
  return /\.(?:obj|lib|res)$/.test(tool) ? tool : undefined;
}
