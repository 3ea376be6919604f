import { parse as parseJsonc } from "jsonc-parser";
import { type BoundedPattern, BoundedPatterns } from "../../security/untrusted-regex.ts";
import { isNestedTooDeep } from "../../kernel/files/nesting.ts";
import type { Severity } from "../../model/diagnostic.ts";
import { asNumber, asObject, asText } from "../parsing/json.ts";
import type { JsonObject } from "../parsing/json.ts";
import type { BuildTool, Found, LineParser, Sink } from "../tool.ts";

/** A problem matcher's pattern for one line, with the number of the capture group for each field. */
interface Pattern {
  readonly regexp: BoundedPattern;
  readonly groups: Readonly<Record<Field, number | undefined>>;
  readonly loop: boolean;
}

type Field =
  | "file"
  | "location"
  | "line"
  | "column"
  | "endLine"
  | "endColumn"
  | "severity"
  | "code"
  | "message";
const FIELDS: readonly Field[] = [
  "file",
  "location",
  "line",
  "column",
  "endLine",
  "endColumn",
  "severity",
  "code",
  "message",
];

interface Matcher {
  readonly owner: string;
  readonly severity: Severity;
  readonly patterns: readonly Pattern[];
}

/** Maximum length of a line that is matched; no tool prints a longer diagnostic on one line. */
const MAX_LINE = 500;
/** The time that the patterns of a workspace may take in one run, if they can take more than linear time. */
const PATTERN_BUDGET = { callMs: 400, totalMs: 5_000 };
const MAX_MATCHERS = 50;
const MAX_PATTERN = 1_000;

/**
 * Builds a tool from the problem matchers that a workspace defines in its `.vscode/tasks.json`, or returns undefined if none is usable. References
 * to built-in matchers (`$tsc`) are ignored, because known tools cover them.
 */
export function workspaceMatchers(tasksJson: string): BuildTool | undefined {
  const root = readTasks(tasksJson);
  const tasks = Array.isArray(root?.["tasks"]) ? root["tasks"] : [];
  const declared = [root, ...tasks].flatMap((task) => [asObject(task)?.["problemMatcher"] ?? []].flat());
  const bounded = new BoundedPatterns(PATTERN_BUDGET);
  const matchers = declared
    .slice(0, MAX_MATCHERS)
    .map((one) => readMatcher(asObject(one), bounded))
    .filter((one) => one !== undefined);
  if (matchers.length === 0) return undefined;
  return {
    id: "workspace-matcher",
    title: "Problem matchers of the workspace",
    url: "https://code.visualstudio.com/docs/debugtest/tasks",
    ecosystem: "general",
    kinds: ["build", "lint"],
    signatures: [],
    // The low priority means that all known tools are offered a line before the workspace's own matchers.
    priority: -1_000,
    parser: (sink) => matcherParser(matchers, bounded, sink),
  };
}

function readTasks(tasksJson: string): JsonObject | undefined {
  if (isNestedTooDeep(tasksJson)) return undefined;
  return asObject(parseJsonc(tasksJson, [], { allowTrailingComma: true }));
}

/**
 * Returns the parser of the problem matchers with this owner or name, or of the task with this label; undefined if there
 * are none.
 */
export function namedMatchers(tasksJson: string, name: string): BuildTool["parser"] {
  const root = readTasks(tasksJson);
  const tasks = Array.isArray(root?.["tasks"]) ? root["tasks"] : [];
  const declared = [root, ...tasks].flatMap((task) => {
    const isTask = asObject(task)?.["label"] === name;
    return [asObject(task)?.["problemMatcher"] ?? []]
      .flat()
      .map(asObject)
      .filter((one) => isTask || one?.["owner"] === name || one?.["name"] === name);
  });
  const read = (bounded: BoundedPatterns): readonly Matcher[] =>
    declared.map((one) => readMatcher(one, bounded)).filter((one) => one !== undefined);
  if (read(new BoundedPatterns(PATTERN_BUDGET)).length === 0) return undefined;
  return (sink) => {
    // Every run has a time budget of its own.
    const bounded = new BoundedPatterns(PATTERN_BUDGET);
    return matcherParser(read(bounded), bounded, sink);
  };
}

function readMatcher(value: JsonObject | undefined, bounded: BoundedPatterns): Matcher | undefined {
  const declared = [value?.["pattern"] ?? []].flat();
  const patterns = declared.map((one) => readPattern(asObject(one), bounded));
  if (value === undefined || patterns.length === 0 || patterns.includes(undefined)) return undefined;
  return {
    owner: asText(value["owner"]) ?? "workspace-matcher",
    severity: parseSeverity(asText(value["severity"])) ?? "error",
    patterns: patterns.filter((one) => one !== undefined),
  };
}

function readPattern(value: JsonObject | undefined, bounded: BoundedPatterns): Pattern | undefined {
  const source = asText(value?.["regexp"]);
  if (value === undefined || source === undefined || source.length > MAX_PATTERN) return undefined;
  const entries = FIELDS.map((field) => [field, asNumber(value[field])] as const);
  try {
    // The cast is safe because `entries` has an entry for every field.
    const groups = Object.fromEntries(entries) as Pattern["groups"];
    return { regexp: bounded.compile(source), groups, loop: value["loop"] === true };
  } catch {
    return undefined; // An invalid regular expression is ignored.
  }
}

interface Progress {
  readonly matcher: Matcher;
  step: number;
  fields: Partial<Record<Field, string>>;
}

function matcherParser(matchers: readonly Matcher[], bounded: BoundedPatterns, sink: Sink): LineParser {
  const all: readonly Progress[] = matchers.map((matcher) => ({ matcher, step: 0, fields: {} }));
  return {
    take({ text }) {
      return text.length <= MAX_LINE && all.some((progress) => advance(progress, text, sink));
    },
    end() {
      // If the output ends in the middle of a multi-line match, nothing is reported.
      if (bounded.isExhausted)
        sink.advice(
          "A problem matcher of .vscode/tasks.json takes too long and was turned off for this run.",
        );
      bounded.close();
    },
  };
}

/** Tries the next pattern of a problem matcher on the line and, if it does not match, the matcher's first pattern. */
function advance(progress: Progress, text: string, sink: Sink): boolean {
  const { patterns } = progress.matcher;
  for (const step of progress.step === 0 ? [0] : [progress.step, 0]) {
    const pattern = patterns[step];
    const match = pattern?.regexp.exec(text);
    if (pattern === undefined || match === undefined) continue;
    const fields = { ...(step === 0 ? {} : progress.fields), ...read(pattern, match) };
    const last = step === patterns.length - 1;
    progress.step = last ? (pattern.loop ? step : 0) : step + 1;
    progress.fields = last && !pattern.loop ? {} : step === 0 || !last ? fields : progress.fields;
    if (last) report(progress.matcher, fields, sink);
    return true;
  }
  progress.step = 0;
  progress.fields = {};
  return false;
}

function read(pattern: Pattern, match: readonly (string | undefined)[]): Partial<Record<Field, string>> {
  const fields: Partial<Record<Field, string>> = {};
  for (const field of FIELDS) {
    const group = pattern.groups[field];
    const text = group === undefined ? undefined : match[group];
    if (text !== undefined) fields[field] = text.trim();
  }
  return fields;
}

function report(matcher: Matcher, fields: Partial<Record<Field, string>>, sink: Sink): void {
  const [line, column, endLine, endColumn] = (fields.location ?? "").split(/[,:.-]+/);
  const found: Found = {
    tool: matcher.owner,
    severity: parseSeverity(fields.severity) ?? matcher.severity,
    message: fields.message ?? "",
    ...(fields.file === undefined ? {} : { file: fields.file }),
    ...positive("line", fields.line ?? line),
    ...positive("column", fields.column ?? column),
    ...positive("endLine", fields.endLine ?? endLine),
    ...positive("endColumn", fields.endColumn ?? endColumn),
    ...(fields.code === undefined ? {} : { code: fields.code }),
  };
  if (found.message !== "") sink.diagnostic(found);
}

function positive(key: "line" | "column" | "endLine" | "endColumn", text: string | undefined): object {
  const number = Number(text);
  return text !== undefined && Number.isInteger(number) && number > 0 ? { [key]: number } : {};
}

function parseSeverity(text: string | undefined): Severity | undefined {
  const word = text?.toLowerCase() ?? "";
  if (/^(?:e|err|error|fatal)/.test(word)) return "error";
  if (/^(?:w|warn)/.test(word)) return "warning";
  return /^(?:i|info|note|hint)/.test(word) ? "info" : undefined;
}
