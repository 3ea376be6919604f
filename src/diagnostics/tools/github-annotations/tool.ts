import { findExpectation } from "../../parsing/expectation.ts";
import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, FoundFailure, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const githubAnnotations = defineBuildTool({
  id: "github-annotations",
  title: "GitHub Actions annotations",
  url: "https://docs.github.com/actions/reference/workflow-commands-for-github-actions",
  ecosystem: "general",
  kinds: ["lint", "build", "test"],
  signatures: ["::error", "::warning", "::notice", "::add-matcher", "::set-output", "##vso[task.logissue"],
  // The parsers of test runners have a higher priority, because they read their own annotations.
  priority: 4,
  parser: annotationParser,
  repeats: "annotations",
});

const AZURE = /^##vso\[task\.logissue ([^\]]*)\](.*)$/;
const SEVERITIES: Record<string, Severity> = { error: "error", warning: "warning", notice: "info" };
const COMMANDS = new Set(
  "debug add-mask add-matcher remove-matcher set-output save-state set-env add-path echo stop-commands".split(
    " ",
  ),
);
/** Matches titles with which test runners annotate a failed test or a suite that did not load. */
const TEST_TITLE = / (?:>|›) |\.(?:test|spec)\.[cm]?[jt]sx?$/;
const TEST_FILE = /(?:^|[._/\\-])(?:tests?|specs?|__tests__)[._/\\-]/i;
const TRACE = /\n[ \t]*(?:❯|at|›) \S/;
/** Matches a tool with its rule: `Ruff (F401)`. */
const TOOL_AND_RULE = /^([A-Za-z][\w-]{1,30}) \(([\w/.:-]{1,80})\)$/;
const RULE = /^[\w@][\w@/.:()-]{1,120}$/;

/** Reads `::error file=a.ts,line=1,col=2::message` and Azure's `##vso[task.logissue type=error;…]message`. */
function annotationParser(sink: Sink): LineParser {
  return {
    take({ text }) {
      const start = text.trimStart();
      if (start.startsWith("##vso[")) return azure(start, sink);
      if (!start.startsWith("::")) return false;
      const command = readCommand(start);
      if (command === undefined) return false;
      const severity = SEVERITIES[command.name];
      if (severity === undefined) return COMMANDS.has(command.name);
      const message = unescape(command.message, false);
      const failure = testFailure(command.fields, message);
      if (failure !== undefined) sink.failure(failure);
      else report(sink, finding({ severity, fields: command.fields, text: message }, sink));
      return true;
    },
    end() {
      // No line is ever held back, because each one is a complete annotation.
    },
  };
}

interface Command {
  readonly name: string;
  readonly fields: ReadonlyMap<string, string>;
  readonly message: string;
}

function readCommand(text: string): Command | undefined {
  const close = text.indexOf("::", 2);
  if (close < 0) return undefined;
  const head = text.slice(2, close);
  const blank = head.indexOf(" ");
  const name = blank < 0 ? head : head.slice(0, blank);
  const fields = new Map<string, string>();
  for (const field of blank < 0 ? [] : head.slice(blank + 1).split(",")) {
    const equals = field.indexOf("=");
    if (equals > 0) fields.set(field.slice(0, equals).trim(), unescape(field.slice(equals + 1), true));
  }
  return { name, fields, message: text.slice(close + 2) };
}

function azure(text: string, sink: Sink): boolean {
  const match = AZURE.exec(text);
  if (match === null) return text.startsWith("##vso[task.");
  const fields = new Map<string, string>();
  for (const field of (match[1] ?? "").split(";")) {
    const equals = field.indexOf("=");
    if (equals > 0) fields.set(field.slice(0, equals).trim(), field.slice(equals + 1));
  }
  const severity = SEVERITIES[fields.get("type") ?? ""] ?? "error";
  const renamed = new Map([
    ["file", fields.get("sourcepath") ?? ""],
    ["line", fields.get("linenumber") ?? ""],
    ["col", fields.get("columnnumber") ?? ""],
    ["title", fields.get("code") ?? ""],
  ]);
  report(sink, finding({ severity, fields: renamed, text: match[2] ?? "" }, sink));
  return true;
}

function report(sink: Sink, found: Found | undefined): void {
  if (found !== undefined) sink.diagnostic(found);
}

function testFailure(fields: ReadonlyMap<string, string>, text: string): FoundFailure | undefined {
  const title = fields.get("title") ?? "";
  const file = fields.get("file") ?? "";
  if (!TEST_TITLE.test(title) && !(TEST_FILE.test(file) && TRACE.test(text) && title !== ""))
    return undefined;
  const line = Number(fields.get("line"));
  const trace = text.search(TRACE);
  return {
    name: title,
    kind: file.endsWith(title) ? "suite" : "test",
    message: (trace < 0 ? text : text.slice(0, trace)).trim(),
    ...(file === "" ? {} : { file }),
    ...(Number.isInteger(line) && line > 0 ? { line } : {}),
    ...findExpectation(text),
  };
}

interface Annotation {
  readonly severity: Severity;
  readonly fields: ReadonlyMap<string, string>;
  readonly text: string;
}

function finding({ severity, fields, text }: Annotation, { toolOfRule }: Sink): Found | undefined {
  const title = fields.get("title") ?? "";
  if (title === "" && text.trim() === "") return undefined;
  const file = fields.get("file") ?? "";
  const named = TOOL_AND_RULE.exec(title);
  let message = withoutPlace(text, file).trim();
  const code = named?.[2] ?? (RULE.test(title) ? title : readLeadingRule(message, toolOfRule));
  if (code !== undefined && /^:? /.test(message.slice(code.length)) && message.startsWith(code))
    message = message.slice(code.length).replace(/^:? +/, "");
  if (code === undefined && title !== "" && !message.includes(title)) message = `${title}: ${message}`;
  const tool = named?.[1]?.toLowerCase() ?? toolOfRule(code);
  return {
    ...(tool === undefined ? {} : { tool }),
    severity,
    ...(file === "" ? {} : { file }),
    ...number("line", fields.get("line")),
    ...number("column", fields.get("col") ?? fields.get("column")),
    ...number("endLine", fields.get("endLine")),
    ...number("endColumn", fields.get("endColumn")),
    ...(code === undefined ? {} : { code }),
    message: message === "" ? title : message,
  };
}

/** Reads the rule at the start of the message, where some tools put it: `Style/Not: Use ! instead of not.` */
function readLeadingRule(message: string, toolOfRule: Sink["toolOfRule"]): string | undefined {
  const rule = /^([A-Za-z][\w/-]{1,100}): \S/.exec(message)?.[1];
  return toolOfRule(rule) === undefined ? undefined : rule;
}

/** Removes the location that some tools repeat in the message. */
function withoutPlace(text: string, file: string): string {
  const placed = file === "" ? undefined : leadingPlace(text);
  return placed !== undefined && file.endsWith(placed.place.file) ? placed.rest : text;
}

function number(key: "line" | "column" | "endLine" | "endColumn", text: string | undefined): object {
  const value = Number(text);
  return text !== undefined && Number.isInteger(value) && value > 0 ? { [key]: value } : {};
}

function unescape(text: string, isField: boolean): string {
  const plain = text.replaceAll("%0D", "\r").replaceAll("%0A", "\n");
  const field = isField ? plain.replaceAll("%3A", ":").replaceAll("%2C", ",") : plain;
  return field.replaceAll("\r\n", "\n").replaceAll("%25", "%");
}
