import { asNumber, asObject, asText, parseJson } from "../../parsing/json.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Place, Severity } from "../../../model/diagnostic.ts";

export const svelteCheck = defineBuildTool({
  id: "svelte-check",
  title: "svelte-check",
  url: "https://svelte.dev/docs/cli/sv-check",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: [
    "svelte-check",
    "Getting Svelte diagnostics",
    ' START "',
    ' ERROR "',
    ' WARNING "',
    '{"type":"ERROR"',
    '{"type":"WARNING"',
    ".svelte:",
  ],
  priority: 9,
  parser: svelteCheckParser,
  commands: [
    {
      name: "svelte.check",
      description: "Check Svelte components and types",
      detect: (folder) =>
        folder.packageJson?.dependencies["svelte-check"] === undefined
          ? undefined
          : "package.json depends on svelte-check",
      argv: () => ["npx", "--no-install", "svelte-check"],
    },
  ],
});

const WORD = /^(Error|Warn|Hint): (.*)$/;
const SOURCE = / ?\((ts|js|svelte|css|scss|less|html|postcss)\)$/;
const LINK = /^https:\/\/svelte\.dev\/(?:e|docs\/\S*#)\/?(\S+?)(?: \(\w+\))?$/;
const MACHINE = /^\d{10,16} (ERROR|WARNING) "((?:[^"\\]|\\.)*)" (\d{1,9}):(\d{1,9}) ("(?:[^"\\]|\\.)*")$/;
const VERBOSE = /^\d{10,16} (\{"type":.*\})$/;
const CLOSING =
  /^(?:={10,}$|svelte-check found \d+ |Loading svelte-check in workspace|Getting Svelte diagnostics|\d{10,16} (?:START|COMPLETED|FAILURE) )/;

const SEVERITIES: Readonly<Record<string, Severity>> = { Error: "error", Warn: "warning" };

interface Pending {
  readonly place: Place;
  readonly severity: Severity;
  readonly lines: string[];
  isDone: boolean;
}

/** Reads svelte-check's human-readable and machine-readable output. */
function svelteCheckParser(sink: Sink): LineParser {
  let candidate: Place | undefined;
  let pending: Pending | undefined;

  function close(): void {
    if (pending !== undefined) sink.diagnostic(toFound(pending));
    pending = undefined;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      const machine = readMachineLine(text) ?? readVerboseLine(text);
      if (machine !== undefined) {
        sink.diagnostic(machine);
        return true;
      }
      const [, word, content = ""] = candidate === undefined ? [] : (WORD.exec(text) ?? []);
      if (word !== undefined && candidate !== undefined) {
        close();
        const severity = SEVERITIES[word] ?? "info";
        pending = {
          place: candidate,
          severity,
          lines: [content],
          isDone: SOURCE.test(content) || content.endsWith(" "),
        };
        candidate = undefined;
        return true;
      }
      if (pending !== undefined && continues(pending, text)) return true;
      close();
      candidate = /^[^\s"']/.test(text) ? colonPlace(text) : undefined;
      if (candidate?.column === undefined) candidate = undefined;
      return CLOSING.test(text);
    },
    end: close,
  };
}

/**
 * Continues a multi-line message, which ends with the name of its source in brackets; the quoted source code follows,
 * up to the next blank line.
 */
function continues(pending: Pending, text: string): boolean {
  if (pending.isDone || pending.lines.length > 30) {
    if (text.trim() === "") return false;
    return true;
  }
  pending.lines.push(text);
  pending.isDone = SOURCE.test(text);
  return true;
}

function toFound({ place, severity, lines }: Pending): Found {
  const link = lines.map((line) => LINK.exec(line)).find((match) => match !== null);
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "");
  const content = (end < 0 ? lines : lines.slice(0, end)).filter((line) => !LINK.test(line));
  const message = content.map((line) => line.replace(SOURCE, "").trimEnd()).join("\n");
  const url = link?.[0].replace(SOURCE, "");
  return {
    severity,
    message,
    ...place,
    ...(link?.[1] === undefined ? {} : { code: link[1] }),
    ...(url === undefined ? {} : { url }),
  };
}

function readMachineLine(text: string): Found | undefined {
  const [, word, file = "", line, column, quoted = ""] = MACHINE.exec(text) ?? [];
  if (word === undefined) return undefined;
  const message = asText(parseJson(quoted)) ?? quoted;
  return { ...split(message, word), file, line: Number(line), column: Number(column) };
}

/** Reads a line of the machine-readable format, which counts lines and columns from 0. */
function readVerboseLine(text: string): Found | undefined {
  const json = VERBOSE.exec(text)?.[1];
  const report = json === undefined ? undefined : asObject(parseJson(json));
  if (report === undefined) return undefined;
  const start = asObject(report["start"]);
  const end = asObject(report["end"]);
  const number = asNumber(report["code"]);
  const code = asText(report["code"]) ?? (number === undefined ? undefined : `TS${number}`);
  const from = (at: ReturnType<typeof asObject>, key: string): number => (asNumber(at?.[key]) ?? 0) + 1;
  return {
    ...split(asText(report["message"]) ?? "", asText(report["type"]) ?? ""),
    file: asText(report["filename"]) ?? "",
    line: from(start, "line"),
    column: from(start, "character"),
    endLine: from(end, "line"),
    endColumn: from(end, "character"),
    ...(code === undefined ? {} : { code }),
  };
}

function split(message: string, word: string): Found {
  const lines = message.split("\n");
  const url = lines.find((line) => LINK.test(line));
  const code = url === undefined ? undefined : LINK.exec(url)?.[1];
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "");
  return {
    severity: word === "ERROR" ? "error" : "warning",
    message: (end < 0 ? lines : lines.slice(0, end)).filter((line) => line !== url).join("\n"),
    ...(url === undefined ? {} : { url }),
    ...(code === undefined ? {} : { code }),
  };
}
