import { looksLikePath } from "../../fallback/paths.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Place } from "../../../model/diagnostic.ts";

export const knip = defineBuildTool({
  id: "knip",
  title: "Knip",
  url: "https://knip.dev",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: [
    "Unused files (",
    "Unused dependencies (",
    "Unused devDependencies (",
    "Unused exports (",
    "Unused exported ",
    "Unused catalog ",
    "Unlisted ",
    "Unresolved imports (",
    "Duplicate exports (",
    "in used namespace (",
    "Referenced optional peerDependencies (",
  ],
  parser: knipParser,
});

const TITLE =
  /^((?:Unused (?:files|dependencies|devDependencies|exports|exported (?:types|enum members|class members|namespace members)|catalog entries))|Unlisted (?:dependencies|binaries)|Unresolved imports|Duplicate exports|Referenced optional peerDependencies|Export(?:s|ed types) in used namespace) \((\d{1,7})\)$/;

/** Reads Knip's default and compact reports: a title with a count, followed by that many rows. */
function knipParser(sink: Sink): LineParser {
  let title = "";
  let left = 0;
  return {
    take({ text }: Line): boolean {
      const heading = TITLE.exec(text);
      if (heading !== null) {
        title = heading[1] ?? "";
        left = Number(heading[2]);
        return true;
      }
      const found = left > 0 ? (row(title, text) ?? listed(title, text)) : undefined;
      if (found === undefined) {
        left = 0;
        return false;
      }
      left--;
      sink.diagnostic(found);
      return true;
    },
    end() {
      // No line is ever held back, because each row is a complete finding.
    },
  };
}

/** Reads the columns `name  kind  src/a.ts:3:14`, or only a path for a file as a whole. */
function row(title: string, text: string): Found | undefined {
  const cells = text.trimEnd().split(/ {2,}/);
  const place = readPlace(cells.at(-1) ?? "");
  if (place === undefined || text.startsWith(" ") || cells.length > 4) return undefined;
  const named = cells.slice(0, -1).filter((cell) => cell !== "");
  if (named.length === 0 && title !== "Unused files") return undefined;
  const [name, ...kinds] = named;
  const kind = kinds.length === 0 ? "" : ` (${kinds.join(", ")})`;
  return { severity: "error", ...place, message: name === undefined ? title : `${title}: ${name}${kind}` };
}

/** Reads a row of the compact report: `src/a.ts: first, second`. */
function listed(title: string, text: string): Found | undefined {
  const colon = text.indexOf(": ");
  const file = text.slice(0, Math.max(colon, 0));
  if (!looksLikePath(file)) return undefined;
  const names = text.slice(colon + 2).trim();
  return { severity: "error", file, message: names === file ? title : `${title}: ${names}` };
}

function readPlace(text: string): Place | undefined {
  const place = colonPlace(text) ?? { file: text };
  return looksLikePath(place.file) ? place : undefined;
}
