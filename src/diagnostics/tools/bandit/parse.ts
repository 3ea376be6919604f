import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser, Line, LineParser, Sink } from "../../tool.ts";

const ISSUE = /^>> Issue: \[(B\d{3})(?::[\w-]+)?\] (.+)$/;
const SEVERITY = /^ {3}Severity: (\w+) +Confidence: \w+$/;
const LOCATION = /^ {3}Location: (.+?):(\d{1,7})(?::(\d{1,7}))?$/;
const INFO = /^ {3}More Info: (\S+)$/;
const CUSTOM = /^(.+?):(\d{1,7}): (B\d{3})\[bandit\]: (\w+): (.+)$/;
const NOISE =
  /^(?:\[main\]\t|\[tester\]\t|Run started:|Test results:|\tNo issues identified\.|Code scanned:|\tTotal |Run metrics:|\t\t\w+: \d|Files skipped \(\d|-{50}$| {3}CWE: |Working\.\.\.|\[node_visitor\]\t)/;
const SEVERITIES: Readonly<Record<string, Severity>> = { HIGH: "error", MEDIUM: "warning" };

interface Issue {
  readonly code: string;
  readonly message: string;
  severity: Severity;
  url: string | undefined;
  place: { file: string; line: number; column?: number } | undefined;
}

/** Reads bandit's text and its one-line format. */
export function banditParser(sink: Sink): LineParser {
  let issue: Issue | undefined;
  let seen = false;

  function close(): void {
    if (issue === undefined) return;
    const { code, message, severity, url, place } = issue;
    issue = undefined;
    sink.diagnostic({ severity, message, ...place, code, ...(url === undefined ? {} : { url }) });
  }

  function detail(text: string, open: Issue): boolean {
    const severity = SEVERITY.exec(text);
    const location = LOCATION.exec(text);
    const info = INFO.exec(text);
    if (severity !== null) open.severity = severityOf(severity[1]);
    if (info?.[1] !== undefined) open.url = info[1];
    if (location !== null) {
      const [, file = "", line, column] = location;
      // Columns count from 0.
      open.place = {
        file,
        line: Number(line),
        ...(column === undefined ? {} : { column: Number(column) + 1 }),
      };
    }
    return severity !== null || location !== null || info !== null || /^\d{1,7}\t/.test(text);
  }

  return {
    take({ text }: Line): boolean {
      const begun = ISSUE.exec(text);
      if (begun !== null) {
        close();
        seen = true;
        issue = {
          code: begun[1] ?? "",
          message: begun[2] ?? "",
          severity: "info",
          url: undefined,
          place: undefined,
        };
        return true;
      }
      if (issue !== undefined && detail(text, issue)) return true;
      const custom = CUSTOM.exec(text);
      if (custom !== null) {
        const [, file = "", line, code = "", word, message = ""] = custom;
        sink.diagnostic({ severity: severityOf(word), file, line: Number(line), code, message });
        return true;
      }
      if (text.trim() === "") return issue !== undefined;
      close();
      seen ||= text.startsWith("[main]\t") || text.startsWith("Run started:");
      return seen && NOISE.test(text);
    },
    end: close,
  };
}

/** The report of `bandit -f json`. */
export const banditDocument: DocumentParser = {
  matches: (start) => start.includes('"generated_at"') && start.includes('"SEVERITY.HIGH"'),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report === undefined || !("results" in report)) return false;
    for (const item of asObjects(report["results"])) {
      const column = asNumber(item["col_offset"]);
      sink.diagnostic({
        severity: severityOf(asText(item["issue_severity"])),
        message: asText(item["issue_text"]) ?? "",
        ...defined({
          file: asText(item["filename"]),
          line: asNumber(item["line_number"]),
          column: column === undefined ? undefined : column + 1,
          code: asText(item["test_id"]),
          url: asText(item["more_info"]),
        }),
      });
    }
    for (const item of asObjects(report["errors"]))
      sink.diagnostic({
        severity: "error",
        message: asText(item["reason"]) ?? "",
        ...defined({ file: asText(item["filename"]) }),
      });
    return true;
  },
};

function severityOf(word: string | undefined): Severity {
  return SEVERITIES[word?.toUpperCase() ?? ""] ?? "info";
}
