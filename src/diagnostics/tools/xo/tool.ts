import { StylishReader } from "../../javascript/stylish.ts";
import type { StylishRow } from "../../javascript/stylish.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const xo = defineBuildTool({
  id: "xo",
  title: "XO",
  url: "https://github.com/xojs/xo",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["  ✖  ", "  ×  ", "  ⚠  ", "  ‼  "],
  priority: 3,
  parser: xoParser,
  commands: [
    {
      name: "xo.check",
      description: "Lint the folder",
      detect: (folder) =>
        folder.packageJson?.dependencies["xo"] === undefined ? undefined : "package.json depends on xo",
      argv: () => ["npx", "--no-install", "xo"],
    },
  ],
  ownsIndented: /^ {2}[✖×⚠‼] +\d+:\d+ {2,}\S/,
});

const ROW = /^ {2}([✖×⚠‼]) +(\d{1,9}):(\d{1,9}) {2,}(\S.*)$/;
const CLOSING = /^ {2}\d+ (?:errors?|warnings?)$/;

/** Reads XO's table: the file with its first location, then rows that start with a symbol. */
function xoParser(sink: Sink): LineParser {
  const table = new StylishReader(sink, { row, header });
  let seen = false;
  return {
    take({ text }: Line): boolean {
      const mine = table.take(text);
      seen ||= mine;
      return mine || (seen && CLOSING.test(text));
    },
    end: () => table.end(),
  };
}

function row(text: string): StylishRow | undefined {
  const [, mark, line, column, rest = ""] = ROW.exec(text) ?? [];
  if (line === undefined) return undefined;
  const severity = mark === "✖" || mark === "×" ? "error" : "warning";
  return { line: Number(line), column: Number(column), severity, rest };
}

function header(text: string): string | undefined {
  if (!text.startsWith("  ") || text[2] === " " || text.length > 1_000) return undefined;
  return colonPlace(text.trim())?.file;
}
