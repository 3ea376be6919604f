import { drafting } from "../parsing/draft.ts";
import type { Draft } from "../parsing/draft.ts";
import { asText, defined, parseJson } from "../parsing/json.ts";
import type { BuildTool, Found, Line, LineParser, Sink } from "../tool.ts";
import { lineFilter, passes } from "./line-filter.ts";
import type { LineFilter } from "./line-filter.ts";
import { severityOf } from "./severity-words.ts";
import type { ComplaintPattern, ContinuationPattern, OutputFormat, SectionPattern } from "./output-format.ts";

const DEFAULT_MAX_MESSAGE_LINES = 60;

/** Creates the parser of a tool's lines, from its format table or from its own code. */
export function parserOf(tool: BuildTool, sink: Sink): LineParser | undefined {
  return tool.format === undefined ? tool.parser?.(sink) : new FormatParser(compiled(tool.format), sink);
}

/** A pattern of a format table with its line filter, which is derived once per format and not once per parser. */
type Rule<T> = T & { readonly pattern: RegExp; readonly filter: LineFilter };

/**
 * T with all its fields, where absent ones are undefined: V8 runs faster if the rules of all tools have the same
 * fields.
 */
type Complete<T> = { readonly [K in keyof Required<T>]: T[K] | undefined };

interface CompiledFormat {
  readonly format: OutputFormat;
  readonly complaints: readonly Rule<Complete<ComplaintPattern>>[];
  readonly related: readonly Rule<object>[];
  readonly continuation: readonly Rule<Complete<ContinuationPattern>>[];
  readonly sections: readonly Rule<Complete<SectionPattern>>[];
  readonly noise: RegExp | undefined;
  readonly noiseOnceSeen: RegExp | undefined;
  /** Whether no complaint of this format continues on further lines. */
  readonly isSingleLine: boolean;
}

const formats = new WeakMap<OutputFormat, CompiledFormat>();

function compiled(format: OutputFormat): CompiledFormat {
  const known = formats.get(format);
  if (known !== undefined) return known;
  const { complaints, related = [], continuation = [], sections = [] } = format;
  const built = {
    format,
    complaints: complaints.map((one) => complaintRule(objectOf(one))),
    related: related.map((pattern) => ({ pattern, filter: lineFilter(pattern) })),
    continuation: continuation.map((one) => continuationRule(objectOf(one))),
    sections: sections.map((one) => sectionRule(objectOf(one))),
    noise: format.noise,
    noiseOnceSeen: format.noiseOnceSeen,
    isSingleLine: related.length + continuation.length === 0,
  };
  formats.set(format, built);
  return built;
}

function objectOf<T extends object>(one: RegExp | T): T | { readonly pattern: RegExp } {
  return one instanceof RegExp ? { pattern: one } : one;
}

function complaintRule(one: ComplaintPattern): Rule<Complete<ComplaintPattern>> {
  return {
    pattern: one.pattern,
    filter: lineFilter(one.pattern),
    severity: one.severity,
    tool: one.tool,
    message: one.message,
    help: one.help,
    inSection: one.inSection,
    whenIdle: one.whenIdle,
    unproven: one.unproven,
    oneLine: one.oneLine,
    quotedLines: one.quotedLines,
  };
}

function continuationRule(one: ContinuationPattern): Rule<Complete<ContinuationPattern>> {
  const { pattern, join, subtitle, below } = one;
  return { pattern, filter: lineFilter(pattern), join, subtitle, below };
}

function sectionRule(one: SectionPattern): Rule<Complete<SectionPattern>> {
  const { pattern, severity, until, unproven, quotedLines } = one;
  return { pattern, filter: lineFilter(pattern), severity, until, unproven, quotedLines };
}

type Fields = Draft["found"];

/** Reads lines as a format describes them. */
class FormatParser implements LineParser {
  readonly #rules: CompiledFormat;
  readonly #drafts;
  /** The section, started by a heading, that the current line is in. */
  #section: { readonly fields: Partial<Fields>; readonly until: RegExp | undefined } | undefined;
  /** True while no further line has confirmed that the complaint that is being read is this tool's. */
  #isUnproven = false;
  #isSeen = false;
  #quotedLines = 0;
  #subtitle = "";
  /** The indentation of the complaint that is being read; its further lines have the same. */
  #indent = "";

  constructor(format: CompiledFormat, sink: Sink) {
    this.#rules = format;
    this.#drafts = drafting({ ...sink, diagnostic: (found) => this.#report(found, sink) });
  }

  take({ text }: Line): boolean {
    const complaint = this.#complaint(text);
    if (complaint !== undefined) return complaint;
    if (this.#quoted()) return true;
    const draft = this.#drafts.current;
    if (draft !== undefined) {
      if (this.#related(draft, text) || this.#continued(draft, text)) return true;
      this.#drafts.close();
    }
    const { noise, noiseOnceSeen } = this.#rules;
    return (
      this.#heading(text) ||
      noise?.test(text) === true ||
      (this.#isSeen && noiseOnceSeen?.test(text) === true)
    );
  }

  end(): void {
    this.#drafts.close();
    this.#section = undefined;
  }

  /** Returns undefined if the line is not a complaint, otherwise whether only this tool prints such lines. */
  #complaint(text: string): boolean | undefined {
    for (const rule of this.#rules.complaints) {
      if (rule.inSection === true && this.#section === undefined) continue;
      if (rule.whenIdle === true && this.#drafts.current !== undefined) continue;
      const match = matchOf(rule, text);
      if (match === null) continue;
      this.#open(rule, match);
      return !this.#isUnproven;
    }
    return undefined;
  }

  #open(rule: Complete<ComplaintPattern>, match: RegExpExecArray): void {
    const groups: Groups = match.groups ?? {};
    const { format, isSingleLine } = this.#rules;
    const section = rule.inSection === true ? this.#section?.fields : undefined;
    const { message, help, fields } = readMatch(match, format);
    const { severity = rule.severity ?? section?.severity ?? format.severity ?? "error" } = fields;
    const tool = rule.tool === undefined ? {} : { tool: rule.tool };
    const { line = section?.line, endColumn, endLine = endColumn === undefined ? undefined : line } = fields;
    const draft = this.#drafts.open({ ...section, ...tool, ...fields, ...defined({ endLine }), severity });
    const words = rule.message === undefined ? message : fill(rule.message, groups);
    if (words !== undefined) draft.message.push(words);
    if (help !== undefined) draft.help.push(help);
    if (rule.help !== undefined) draft.help.push(fill(rule.help, groups));
    this.#isUnproven = rule.unproven === true;
    this.#quotedLines = rule.quotedLines ?? 0;
    this.#subtitle = "";
    this.#indent = groups["indent"] ?? "";
    if (isSingleLine || rule.oneLine === true) this.#drafts.close();
  }

  #quoted(): boolean {
    if (this.#quotedLines === 0) return false;
    this.#quotedLines--;
    return true;
  }

  #related(draft: Draft, text: string): boolean {
    for (const rule of this.#rules.related) {
      const match = matchOf(rule, text);
      if (match === null) continue;
      const { message, fields } = readMatch(match, this.#rules.format);
      const { file, line, column } = fields;
      if (file === undefined) continue;
      draft.related.push({ file, ...defined({ line, column, message }) });
      return true;
    }
    return false;
  }

  #continued(draft: Draft, line: string): boolean {
    const { format, continuation } = this.#rules;
    const text = line.startsWith(this.#indent) ? line.slice(this.#indent.length) : line;
    const isFull = draft.message.length >= (format.maxMessageLines ?? DEFAULT_MAX_MESSAGE_LINES);
    for (const rule of continuation) {
      if (rule.below?.test(this.#subtitle) === false) continue;
      const match = matchOf(rule, text);
      if (match === null) continue;
      const reading = match.groups === undefined ? undefined : readMatch(match, format);
      if (reading?.message !== undefined && isFull) return false;
      if (reading !== undefined) this.#add(draft, reading, rule.join);
      if (rule.subtitle === true) this.#subtitle = text;
      return true;
    }
    return false;
  }

  #add(draft: Draft, { message, help, fields }: Reading, join: string | undefined): void {
    this.#isUnproven = false;
    if (message !== undefined) {
      const last = join === undefined ? undefined : draft.message.pop();
      // No-break spaces are replaced, because some tools use them for indentation.
      const words = message.replaceAll("\u00A0", " ");
      draft.message.push(last === undefined ? words : `${last}${join ?? ""}${words}`);
    }
    if (help !== undefined) draft.help.push(help);
    // A severity on this line replaces that of the complaint's first line, which was then only a default.
    const { severity = draft.found.severity } = fields;
    draft.found = { ...fields, ...draft.found, severity };
  }

  /** Reads the heading of a section or ends the section. Returns whether the line is surely a heading of this tool. */
  #heading(text: string): boolean {
    for (const rule of this.#rules.sections) {
      const match = matchOf(rule, text);
      if (match === null) continue;
      const { fields } = readMatch(match, this.#rules.format);
      const { severity = rule.severity } = fields;
      this.#section = {
        fields: { ...fields, ...(severity === undefined ? {} : { severity }) },
        until: rule.until,
      };
      this.#quotedLines = rule.quotedLines ?? 0;
      this.#isSeen ||= rule.unproven !== true;
      return rule.unproven !== true;
    }
    if (this.#section?.until?.test(text) === true) this.#section = undefined;
    return false;
  }

  #report(found: Found, sink: Sink): void {
    if (this.#isUnproven || found.message === "") return;
    this.#isSeen = true;
    for (const pattern of this.#rules.format.inMessage ?? []) {
      const match = pattern.exec(found.message);
      if (match === null) continue;
      const { message = found.message, fields } = readMatch(match, this.#rules.format);
      sink.diagnostic({ ...found, ...fields, message });
      return;
    }
    sink.diagnostic(found);
  }
}

function matchOf({ filter, pattern }: Rule<object>, text: string): RegExpExecArray | null {
  return passes(filter, text) ? pattern.exec(text) : null;
}

type Groups = Readonly<Record<string, string | undefined>>;

interface Reading {
  readonly message: string | undefined;
  readonly help: string | undefined;
  readonly fields: Partial<Fields>;
}

/** Reads the fields of a complaint from the named groups of a pattern. */
function readMatch(match: RegExpExecArray, { severities, firstColumn = 1 }: OutputFormat): Reading {
  const groups: Groups = match.groups ?? {};
  const texts = new Map<string, string>();
  for (const [name, text] of Object.entries(groups)) {
    const isAlternative = /\d$/.test(name);
    const field = isAlternative ? name.slice(0, -1) : name;
    if (text !== undefined && text !== "" && !(isAlternative && texts.has(field))) texts.set(field, text);
  }
  const number = (name: string, add = 0): number | undefined => {
    const text = texts.get(name);
    return text === undefined ? undefined : Number(text) + add;
  };
  const word = texts.get("severity");
  const shift = 1 - firstColumn;
  const mark = texts.get("mark");
  const markColumn = mark === undefined ? undefined : match.input.indexOf(mark) + 1;
  const markEnd =
    mark === undefined || markColumn === undefined || mark.length === 1
      ? undefined
      : markColumn + mark.length;
  const all = {
    file: texts.get("file"),
    line: number("line"),
    column: number("column", shift) ?? markColumn,
    endLine: number("endLine"),
    endColumn: number("endColumn", shift) ?? number("lastColumn", shift + 1) ?? markEnd,
    severity: word === undefined ? undefined : severityOf(word, severities),
    code: texts.get("code"),
    url: texts.get("url"),
    tool: texts.get("tool"),
  };
  const quoted = groups["messageJson"];
  // If the pattern's message group matched nothing, the line is a blank line of the message.
  const message = texts.get("message") ?? (groups["message"] === "" ? "" : undefined);
  return {
    message: quoted === undefined ? message : (asText(parseJson(quoted)) ?? quoted),
    help: texts.get("help"),
    fields: defined(all),
  };
}

/** Replaces the names in braces by the texts of the groups. */
function fill(template: string, groups: Groups): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => groups[name] ?? "");
}
