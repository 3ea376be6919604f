import type { EmbeddedPart, Scanned, ScannedSymbol } from "../language.ts";
import { lineCounter } from "../lines.ts";

/** Options for scanning a markup file, which may contain scripts and styles in other languages. */
export interface MarkupOptions {
  /** Language of a `<script>` without a `lang` attribute. */
  readonly script: string;
  /** True if headings, titles and elements with ids are listed as symbols, which is not the case in component files. */
  readonly withElements: boolean;
}

/** Matches tags, comments and the raw content of script and style, which ends only at the matching closing tag. */
const TAG =
  /<!--[\s\S]*?(?:-->|$)|<(script|style)(?![\w:-])((?:"[^"]{0,4000}"|'[^']{0,4000}'|[^<>"']){0,4000})>|<(title|h[1-6])(?![\w:-])((?:"[^"]{0,4000}"|'[^']{0,4000}'|[^<>"']){0,4000})>|<([a-zA-Z][\w:-]*)\b((?:"[^"]{0,4000}"|'[^']{0,4000}'|[^<>"']){0,4000})>/giu;

/** Scans HTML and similar component formats in one pass. */
export function scanMarkup(text: string, options: MarkupOptions): Scanned {
  const symbols: ScannedSymbol[] = [];
  const parts: EmbeddedPart[] = [];
  const imports: { source: string; line: number }[] = [];
  const lineOf = lineCounter(text);
  const front = options.withElements ? undefined : frontMatter(text);
  if (front !== undefined) parts.push(front);
  TAG.lastIndex = front?.end ?? 0;
  for (let match = TAG.exec(text); match !== null; match = TAG.exec(text)) {
    const [, raw, rawAttributes = "", heading, headingAttributes = "", , attributes = ""] = match;
    const line = lineOf(match.index);
    if (raw !== undefined) {
      const source = attribute(rawAttributes, "src");
      if (source !== undefined) imports.push({ source, line });
      // In component files a self-closing tag has no content, whereas HTML ignores the slash.
      if (!options.withElements && rawAttributes.endsWith("/")) continue;
      const part = embeddedPart(text, {
        tag: raw.toLowerCase(),
        attributes: rawAttributes,
        start: TAG.lastIndex,
        options,
      });
      TAG.lastIndex = part.end;
      if (part.language !== "") parts.push(part);
    } else if (options.withElements) {
      const found =
        heading === undefined
          ? symbolWithId(match[0], attributes, line)
          : titledSymbol(text, {
              tag: heading.toLowerCase(),
              line,
              start: TAG.lastIndex,
              id: attribute(headingAttributes, "id"),
            });
      if (found !== undefined) symbols.push(found);
    }
  }
  return { symbols, parts, imports };
}

/** Finds the script between two lines of dashes at the start of an Astro component. */
function frontMatter(text: string): EmbeddedPart | undefined {
  const open = /^\uFEFF?---[ \t]*\r?\n/u.exec(text)?.[0].length;
  if (open === undefined) return undefined;
  const length = text.slice(open).search(/^---[ \t]*\r?$/mu);
  return { language: "typescript", start: open, end: length < 0 ? text.length : open + length };
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  typescript: "typescript",
  tsx: "tsx",
  js: "javascript",
  jsx: "javascript",
  javascript: "javascript",
  module: "javascript",
  "text/javascript": "javascript",
  "application/javascript": "javascript",
  "text/typescript": "typescript",
  "text/babel": "javascript",
  css: "css",
  scss: "css",
  less: "css",
  postcss: "css",
  "text/css": "css",
};

interface RawTag {
  readonly tag: string;
  readonly attributes: string;
  readonly start: number;
  readonly options: MarkupOptions;
}

function embeddedPart(text: string, { tag, attributes, start, options }: RawTag): EmbeddedPart {
  const closing = new RegExp(`</${tag}\\s*>`, "giu");
  closing.lastIndex = start;
  const end = closing.exec(text)?.index ?? text.length;
  const named = attribute(attributes, "lang") ?? attribute(attributes, "type");
  const plain = tag === "style" ? "css" : options.script;
  // The content of a script whose `type` or `lang` names no known language, such as JSON or a template, is data and is
  // not outlined.
  const language = named === undefined ? plain : (LANGUAGES[named.toLowerCase()] ?? "");
  return { language, start, end };
}

function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "iu").exec(
    attributes,
  );
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

interface TitledTag {
  readonly tag: string;
  readonly line: number;
  readonly start: number;
  readonly id: string | undefined;
}

function titledSymbol(text: string, { tag, line, start, id }: TitledTag): ScannedSymbol | undefined {
  const ahead = text.slice(start, start + 500);
  const closing = ahead.toLowerCase().indexOf(`</${tag}`);
  const inner = closing < 0 ? (/^[^<]*/u.exec(ahead)?.[0] ?? "") : ahead.slice(0, closing);
  const name = inner
    .replace(/<[^>]*>?/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  if (name === "" && id === undefined) return undefined;
  const depth = tag === "title" ? 1 : Number(tag.slice(1));
  return {
    kind: "heading",
    name: name || (id ?? ""),
    signature: `<${tag}> ${name}`.trim(),
    lineStart: line,
    lineEnd: line,
    depth,
  };
}

function symbolWithId(tag: string, attributes: string, line: number): ScannedSymbol | undefined {
  const id = attribute(attributes, "id");
  if (id === undefined || id === "" || /[{}$<]/u.test(id)) return undefined;
  const signature = tag.replace(/\s+/gu, " ").slice(0, 120);
  return { kind: "section", name: id, signature, lineStart: line, lineEnd: line, depth: 7 };
}
