import type { NameUse } from "../../model/use.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { lineCounter } from "../lines.ts";

/** The template of a component: its expressions as code, with blanks in the place of everything else. */
export interface Template {
  readonly code: string;
  /** The components that its elements name. */
  readonly elements: readonly NameUse[];
  /** Returns true if the template itself binds a name on a line, as `v-for="item in items"` does. */
  readonly isLocal: (name: string, line: number) => boolean;
}

/** A range of a text that is no template: a script or a style. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Reads the template of a component of Vue, Svelte or Astro. */
export function readTemplate(text: string, language: string, parts: readonly Part[]): Template {
  const found: Found = { expressions: [], elements: [], locals: [] };
  const markup = withoutParts(text, parts);
  if (language === "vue") readVue(markup, found);
  else readBraces(markup, found);
  return {
    code: codeOf(text, found.expressions),
    elements: elementUses(text, found.elements),
    isLocal: localsByLine(text, found.locals),
  };
}

interface Found {
  readonly expressions: Part[];
  readonly elements: { readonly name: string; readonly at: number }[];
  readonly locals: Local[];
}

/** A variable and the range in which it is visible. */
interface Local extends Part {
  readonly name: string;
}

const BLANK = /[^\n]/gu;

function blank(text: string): string {
  return text.replace(BLANK, " ");
}

/** Blanks scripts, styles and comments, so that all offsets stay. */
function withoutParts(text: string, parts: readonly Part[]): string {
  let markup = text;
  for (const { start, end } of parts)
    markup = markup.slice(0, start) + " ".repeat(end - start) + markup.slice(end);
  return markup.replace(/<!--[^]*?(?:-->|$)/gu, (comment) => " ".repeat(comment.length));
}

function codeOf(text: string, expressions: readonly Part[]): string {
  let code = "";
  let at = 0;
  for (const { start, end } of expressions.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    // A semicolon keeps expressions apart; there is a mark before each of them.
    code += `${blank(text.slice(at, Math.max(at, start - 1)))}${start > at ? ";" : ""}${text.slice(start, end)}`;
    at = end;
  }
  return code;
}

const LOCAL_NAME = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;

function bindAll(pattern: string, { locals }: Found, { start, end }: Part): void {
  for (const [name] of pattern.matchAll(LOCAL_NAME)) locals.push({ name, start, end });
}

function localsByLine(text: string, locals: readonly Local[]): Template["isLocal"] {
  if (locals.length === 0) return () => false;
  const lines = new Map<number, number>();
  const lineOf = lineCounter(text);
  for (const offset of locals.flatMap(({ start, end }) => [start, end]).sort((a, b) => a - b))
    lines.set(offset, lineOf(offset));
  const byName = groupBy(locals, ({ name }) => name);
  return (name, line) =>
    byName
      .get(name)
      ?.some(({ start, end }) => (lines.get(start) ?? 0) <= line && line <= (lines.get(end) ?? 0)) === true;
}

/** Matches `{{ expression }}` and opening tags. */
const VUE =
  /\{\{(?<expression>[^]{0,10000}?)\}\}|<(?<tag>[a-zA-Z][\w.-]*)(?<attributes>(?:"[^"]{0,10000}"|'[^']{0,10000}'|[^<>"']){0,4000})>/gu;
/** Matches an attribute whose value is code: `@click`, `:style`, `#slot`, `v-if`. */
const VUE_ATTRIBUTE = /(?<name>(?<=\s)(?:[@:#]|v-)[^\s=>"']*)(?<sign>\s*=\s*["'])/gu;

function readVue(markup: string, found: Found): void {
  const first = /<template(?![\w-])[^>]{0,1000}>/u.exec(markup);
  if (first === null || /\blang=["']?(?!html)/u.test(first[0])) return;
  const end = markup.lastIndexOf("</template");
  VUE.lastIndex = first.index + first[0].length;
  for (let match = VUE.exec(markup); match !== null && match.index < end; match = VUE.exec(markup)) {
    const { expression, tag = "", attributes = "" } = match.groups ?? {};
    if (expression === undefined) {
      found.elements.push({ name: tag, at: match.index });
      readVueAttributes({ markup, tag, attributes, offset: match.index + 1 + tag.length }, found);
    } else found.expressions.push({ start: match.index + 2, end: match.index + 2 + expression.length });
  }
}

interface OpeningTag {
  readonly markup: string;
  readonly tag: string;
  readonly attributes: string;
  /** The offset of the attributes. */
  readonly offset: number;
}

function readVueAttributes({ markup, tag, attributes, offset }: OpeningTag, found: Found): void {
  const bind = (pattern: string): void => {
    const end = attributes.endsWith("/") ? offset + attributes.length : endOfElement(markup, tag, offset);
    bindAll(pattern, found, { start: offset, end });
  };
  VUE_ATTRIBUTE.lastIndex = 0;
  for (let one = VUE_ATTRIBUTE.exec(attributes); one !== null; one = VUE_ATTRIBUTE.exec(attributes)) {
    const { name = "", sign = "" } = one.groups ?? {};
    const from = VUE_ATTRIBUTE.lastIndex;
    const close = attributes.indexOf(sign.at(-1) ?? '"', from);
    const to = close < 0 ? attributes.length : close;
    const value = attributes.slice(from, to);
    VUE_ATTRIBUTE.lastIndex = to;
    const loop = name === "v-for" ? /\s(?:in|of)\s/u.exec(value) : null;
    if (loop !== null) bind(value.slice(0, loop.index));
    if (name.startsWith("#") || name.startsWith("v-slot")) bind(value);
    else {
      const start = loop === null ? from : from + loop.index + loop[0].length;
      found.expressions.push({ start: offset + start, end: offset + to });
    }
  }
}

/** Number of characters that are searched for the end of an element or block. */
const MAX_BLOCK = 50_000;

/** Returns the offset at which the element ends whose opening tag is before an offset. */
function endOfElement(markup: string, tag: string, from: number): number {
  const tags = new RegExp(
    `<(?<slash>/?)${tag.replaceAll(".", "\\.")}(?![\\w.-])[^<>]{0,4000}?(?<empty>/?)>`,
    "gu",
  );
  let depth = 1;
  const ahead = markup.slice(from, from + MAX_BLOCK);
  for (let match = tags.exec(ahead); match !== null; match = tags.exec(ahead)) {
    if (match.groups?.["slash"] === "/") depth--;
    else if (match.groups?.["empty"] === "") depth++;
    if (depth === 0) return from + match.index;
  }
  // An element such as `<input>` has no closing tag.
  return from + (ahead.length < MAX_BLOCK || depth === 1 ? Math.max(0, ahead.search(/>|$/u)) : MAX_BLOCK);
}

const ELEMENT = /<(?<tag>[a-zA-Z][\w.-]*)/gu;
/** Matches a directive of Svelte that names a function. */
const DIRECTIVE = /\s(?:use|transition|in|out|animate):(?<name>[\p{ID_Start}_$][\p{ID_Continue}$]*)/gu;
/** Matches what begins a block or tag of Svelte. */
const BLOCK = /^\s*(?<word>[#:@][a-z]+(?:\s+if\b)?)/u;

/** Reads the expressions in braces of Svelte and Astro. */
function readBraces(markup: string, found: Found): void {
  let rest = "";
  for (let at = 0; at < markup.length;) {
    const open = markup.indexOf("{", at);
    if (open < 0) {
      rest += markup.slice(at);
      break;
    }
    const close = closingBrace(markup, open);
    rest += markup.slice(at, open) + blank(markup.slice(open, close + 1));
    readBlock({ markup, content: markup.slice(open + 1, close), offset: open + 1 }, found);
    at = close + 1;
  }
  for (const { groups, index } of rest.matchAll(ELEMENT))
    found.elements.push({ name: groups?.["tag"] ?? "", at: index });
  for (const { groups, index, 0: whole } of rest.matchAll(DIRECTIVE)) {
    const name = groups?.["name"] ?? "";
    found.expressions.push({ start: index + whole.length - name.length, end: index + whole.length });
  }
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const mark = text[at];
    if (mark === "{") depth++;
    else if (mark === "}" && --depth === 0) return at;
    else if (mark === '"' || mark === "'" || mark === "`") {
      const end = text.indexOf(mark, at + 1);
      if (end > 0 && end - at < MAX_STRING) at = end;
    }
  }
  return text.length;
}

/** Longest string in an expression; a mark without another one so near is an apostrophe. */
const MAX_STRING = 2_000;

/** Reads what stands between braces: `a.b`, `#each list as item, i (key)`, `:then value`, `@const x = y`. */
function readBlock(
  { markup, content, offset }: { markup: string; content: string; offset: number },
  found: Found,
): void {
  const word = BLOCK.exec(content);
  const from = word === null ? 0 : word[0].length;
  const name = word?.groups?.["word"] ?? "";
  let to = content.length;
  const names = BINDING[name]?.exec(content.slice(from));
  if (names !== null && names !== undefined) {
    bindAll(names.groups?.["names"] ?? "", found, { start: offset, end: endOfBlock(markup, offset) });
    if (name !== "@const") to = from + names.index;
    const key = names.groups?.["key"];
    if (key !== undefined)
      found.expressions.push({
        start: offset + content.length - key.length - 1,
        end: offset + content.length,
      });
  }
  if (to > from) found.expressions.push({ start: offset + from, end: offset + to });
}

/** Returns the offset at which the block around an offset, or the one that begins before it, ends: `{/each}`. */
function endOfBlock(markup: string, from: number): number {
  let depth = 1;
  for (const { groups, index } of markup.slice(from, from + MAX_BLOCK).matchAll(/\{(?<mark>[#/])[a-z]/gu)) {
    depth += groups?.["mark"] === "#" ? 1 : -1;
    if (depth === 0) return from + index;
  }
  return Math.min(markup.length, from + MAX_BLOCK);
}

/** What the blocks of Svelte bind, by their first word. */
const BINDING: Readonly<Record<string, RegExp>> = {
  "#each": /\sas\s(?<names>[^(]*)(?:\((?<key>[^]*)\)\s*)?$/u,
  "#await": /\s(?:then|catch)\s(?<names>[^]*)$/u,
  ":then": /(?<names>[^]*)$/u,
  ":catch": /(?<names>[^]*)$/u,
  "#snippet": /(?<names>[^]*)$/u,
  "@const": /^(?<names>[^=]*)/u,
};

function elementUses(text: string, elements: Found["elements"]): NameUse[] {
  const lineOf = lineCounter(text);
  return elements
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ name, at }): NameUse[] => {
      const line = lineOf(at);
      const [first = "", ...members] = componentName(name).split(".");
      if (!/^\p{Lu}/u.test(first) && members.length === 0) return [];
      const owner: NameUse = {
        name: first,
        line,
        role: members.length === 0 ? "call" : "read",
        receiver: "none",
      };
      return [
        owner,
        ...members.map((member, index): NameUse => ({
          name: member,
          line,
          role: index === members.length - 1 ? "call" : "read",
          receiver: "previous",
        })),
      ];
    });
}

/** Returns the name of a component for that of an element: `MyButton` for `my-button`. */
function componentName(name: string): string {
  return name.includes("-")
    ? name.replace(/(?:^|-)(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase())
    : name;
}
