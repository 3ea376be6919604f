import type { Severity } from "../../model/diagnostic.ts";
import { drafting } from "../parsing/draft.ts";
import type { Draft } from "../parsing/draft.ts";
import { defined } from "../parsing/json.ts";
import type { BuildTool, Found, Line, LineParser, Sink } from "../tool.ts";
import { lineFilter, passes } from "./line-filter.ts";
import type { LineFilter } from "./line-filter.ts";
import type { ComplaintPattern, ContinuationPattern, OutputFormat, SectionPattern } from "./output-format.ts";

const DEFAULT_MAX_MESSAGE_LINES = 60;

/** Severity words that mean the same in most tools, in lower case. */
const COMMON_WORDS: Readonly<Record<string, Severity>> = {
  error: "error",
  err: "error",
  fatal: "error",
  "fatal error": "error",
  warning: "warning",
  warn: "warning",
  info: "info",
  information: "info",
  note: "info",
  hint: "info",
  style: "info",
  suggestion: "info",
};

/** The parser of a tool's lines, whether the tool has a format table or code of its own. */
export function parserOf(tool: BuildTool, sink: Sink): LineParser | undefined {
  return tool.format === undefined ? tool.parser?.(sink) : new FormatParser(compiled(tool.format), sink);
}

interface Rule<T> {
  readonly filter: LineFilter;
  readonly options: T & { readonly pattern: RegExp };
}

/** A format with its line filters, so that they are derived once and not per parser. */
interface CompiledFormat {
  readonly format: OutputFormat;
  readonly complaints: readonly Rule<ComplaintPattern>[];
  readonly related: readonly Rule<object>[];
  readonly continuation: readonly Rule<ContinuationPattern>[];
  readonly sections: readonly Rule<SectionPattern>[];
  /** Whether a complaint is over with its own line. */
  readonly isSingleLine: boolean;
}

const formats = new WeakMap<OutputFormat, CompiledFormat>();

function compiled(format: OutputFormat): CompiledFormat {
  let known = formats.get(format);
  if (known === undefined) {
    known = {
      format,
      complaints: rules(format.complaints),
      related: rules(format.related),
      continuation: rules(format.continuation),
      sections: rules(format.sections),
      isSingleLine: format.related === undefined && format.continuation === undefined,
    };
    formats.set(format, known);
  }
  return known;
}

function rules<T extends { readonly pattern: RegExp }>(
  patterns: readonly (RegExp | T)[] = [],
): readonly Rule<T | { readonly pattern: RegExp }>[] {
  return patterns.map((one) => {
    const options = one instanceof RegExp ? { pattern: one } : one;
    return { filter: lineFilter(options.pattern), options };
  });
}

type Fields = Draft["found"];

/** Reads lines as a format describes them. */
class FormatParser implements LineParser {
  readonly #rules: CompiledFormat;
  readonly #drafts;
  /** The fields of the section that the lines are in. */
  #section: { readonly fields: Partial<Fields>; readonly until: RegExp | undefined } | undefined;
  /** Whether the open complaint still lacks the line that proves it. */
  #isUnproven = false;
  #isSeen = false;
  #quotedLines = 0;
  #subtitle = "";

  constructor(format: CompiledFormat, sink: Sink) {
    this.#rules = format;
    this.#drafts = drafting({ ...sink, diagnostic: (found) => this.#report(found, sink) });
  }

  take({ text }: Line): boolean {
    const complaint = this.#complaint(text);
    if (complaint !== undefined) return complaint;
    const draft = this.#drafts.current;
    if (draft !== undefined && (this.#quoted() || this.#related(draft, text) || this.#continued(draft, text)))
      return true;
    this.#drafts.close();
    const { noise, noiseOnceSeen } = this.#rules.format;
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

  /** Whether the line is a complaint and this tool's; undefined where it is no complaint. */
  #complaint(text: string): boolean | undefined {
    const { complaints, format, isSingleLine } = this.#rules;
    for (const { filter, options } of complaints) {
      if (options.inSection === true && this.#section === undefined) continue;
      if (options.whenIdle === true && this.#drafts.current !== undefined) continue;
      const match = passes(filter, text) ? options.pattern.exec(text) : null;
      if (match === null) continue;
      const groups = match.groups ?? {};
      const section = options.inSection === true ? this.#section?.fields : undefined;
      const { message, help, fields } = readGroups(groups, format);
      const { severity = options.severity ?? section?.severity ?? format.severity ?? "error" } = fields;
      const { tool, code } = options;
      const draft = this.#drafts.open({
        ...section,
        ...(tool === undefined ? {} : { tool }),
        ...(code === undefined ? {} : { code }),
        ...fields,
        severity,
      });
      const words = options.message === undefined ? message : fill(options.message, groups);
      if (words !== undefined) draft.message.push(words);
      if (help !== undefined) draft.help.push(help);
      if (options.help !== undefined) draft.help.push(fill(options.help, groups));
      this.#isUnproven = options.unproven === true;
      this.#quotedLines = options.quotedLines ?? 0;
      this.#subtitle = "";
      if (isSingleLine || options.oneLine === true) this.#drafts.close();
      return !this.#isUnproven;
    }
    return undefined;
  }

  #quoted(): boolean {
    if (this.#quotedLines === 0) return false;
    this.#quotedLines--;
    return true;
  }

  #related(draft: Draft, text: string): boolean {
    for (const { filter, options } of this.#rules.related) {
      const groups = passes(filter, text) ? options.pattern.exec(text)?.groups : undefined;
      if (groups === undefined) continue;
      const { message, fields } = readGroups(groups, this.#rules.format);
      const { file, line, column } = fields;
      if (file === undefined) continue;
      draft.related.push({
        file,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
        ...(message === undefined ? {} : { message }),
      });
      return true;
    }
    return false;
  }

  #continued(draft: Draft, text: string): boolean {
    const { format, continuation } = this.#rules;
    const isFull = draft.message.length >= (format.maxMessageLines ?? DEFAULT_MAX_MESSAGE_LINES);
    for (const { filter, options } of continuation) {
      const { pattern, join, subtitle, below } = options;
      if (below?.test(this.#subtitle) === false) continue;
      const match = passes(filter, text) ? pattern.exec(text) : null;
      if (match === null) continue;
      const reading = match.groups === undefined ? undefined : readGroups(match.groups, format);
      if (reading?.message !== undefined && isFull) return false;
      if (reading !== undefined) this.#add(draft, reading, join);
      if (subtitle === true) this.#subtitle = text;
      return true;
    }
    return false;
  }

  #add(draft: Draft, { message, help, fields }: Reading, join: string | undefined): void {
    this.#isUnproven = false;
    if (message !== undefined) {
      const last = join === undefined ? undefined : draft.message.pop();
      // Some tools indent with no-break spaces.
      const words = message.replaceAll("\u00A0", " ");
      draft.message.push(last === undefined ? words : `${last}${join ?? ""}${words}`);
    }
    if (help !== undefined) draft.help.push(help);
    // The head gives only a default severity; a line below may give the tool's own.
    const { severity = draft.found.severity } = fields;
    draft.found = { ...fields, ...draft.found, severity };
  }

  /** Reads a section's heading or notices the section's end. True where the line is surely a heading. */
  #heading(text: string): boolean {
    for (const { filter, options } of this.#rules.sections) {
      const match = passes(filter, text) ? options.pattern.exec(text) : null;
      if (match === null) continue;
      const { fields } = readGroups(match.groups ?? {}, this.#rules.format);
      const { severity = options.severity } = fields;
      this.#section = {
        fields: { ...fields, ...(severity === undefined ? {} : { severity }) },
        until: options.until,
      };
      this.#isSeen ||= options.unproven !== true;
      return options.unproven !== true;
    }
    if (this.#section?.until?.test(text) === true) this.#section = undefined;
    return false;
  }

  #report(found: Found, sink: Sink): void {
    if (this.#isUnproven || found.message === "") return;
    this.#isSeen = true;
    for (const pattern of this.#rules.format.inMessage ?? []) {
      const groups = pattern.exec(found.message)?.groups;
      if (groups === undefined) continue;
      const { message = found.message, fields } = readGroups(groups, this.#rules.format);
      sink.diagnostic({ ...found, ...fields, message });
      return;
    }
    sink.diagnostic(found);
  }
}

interface Reading {
  readonly message: string | undefined;
  readonly help: string | undefined;
  readonly fields: Partial<Fields>;
}

/** The fields that a pattern's groups give. */
function readGroups(
  groups: Readonly<Record<string, string | undefined>>,
  { severities, firstColumn = 1 }: OutputFormat,
): Reading {
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
  const endColumn = number("endColumn", shift) ?? number("lastColumn", shift + 1);
  const line = number("line");
  const all = {
    file: texts.get("file"),
    line,
    column: number("column", shift),
    endLine: number("endLine") ?? (endColumn === undefined ? undefined : line),
    endColumn,
    severity: word === undefined ? undefined : severityOf(word, severities),
    code: texts.get("code"),
    url: texts.get("url"),
    tool: texts.get("tool"),
  };
  // An empty message group is a blank line of the message.
  const blank = groups["message"] === "" ? "" : undefined;
  return { message: texts.get("message") ?? blank, help: texts.get("help"), fields: defined(all) };
}

function severityOf(word: string, own: OutputFormat["severities"]): Severity | undefined {
  return own?.[word] ?? COMMON_WORDS[word.toLowerCase()];
}

/** The template with the groups' texts in the place of their names. */
function fill(template: string, groups: Readonly<Record<string, string | undefined>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => groups[name] ?? "");
}
