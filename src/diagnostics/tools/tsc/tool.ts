import { colonPlace, parenPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { CompileStage, Line, LineParser, Sink } from "../../tool.ts";
import type { Diagnostic, Place, RelatedPlace, Severity } from "../../../model/diagnostic.ts";

export const tsc = defineBuildTool({
  id: "tsc",
  title: "TypeScript compiler",
  url: "https://www.typescriptlang.org",
  ecosystem: "js",
  kinds: ["build", "lint"],
  pureCheck: {
    requires: /(?:^|\s)--noEmit(?!\s+false)(?=\s|$)/i,
    options:
      /^(?:-p|--(?:project|noEmit|pretty|skipLibCheck|incremental|allow\w+|checkJs|esModuleInterop|exact\w+|isolatedModules|jsx|lib|module\w*|no[A-Z]\w+|resolve\w+|strict\w*|target|types|use\w+|verbatimModuleSyntax))$/i,
    exitCodes: [0, 1, 2],
    caches: /\.tsbuildinfo$/,
    settings: /^[jt]sconfig[^/]*\.json$/,
  },
  programs: ["tsc", "vue-tsc"],
  aliases: ["typescript"],
  signatures: ["error TS", "warning TS", "message TS", "error NG", "warning NG", "error ts(", "warning ts("],
  priority: 10,
  parser: tscParser,
  commands: [
    {
      name: "tsc",
      description: "Type check without writing files",
      detect: (folder) => (folder.has("tsconfig.json") ? "tsconfig.json is here" : undefined),
      argv: () => ["npx", "--no-install", "tsc", "--noEmit"],
    },
  ],
  ruleNames: /^TS\d{4,5}$/,
  opens: /^[^\s'"`(]{1,300}\(\d+,\d+\): (?:error|warning) TS\d+: /,
  stageOf: typescriptStage,
});

/** Matches severity and code. Angular's compiler has its own codes, and Astro's checker puts the number in brackets. */
const HEADER = /(^|: | - )(error|warning|message|suggestion|hint) ((?:TS|NG)-?\d{1,6}|ts\(\d{1,6}\)): /;
/** Matches the word that programs which run tsc, such as bundlers, print before the file. */
const WRAPPER_WORD = /^(?:(?:Error|Warning|ERROR in):|(?:ERROR|WARNING) in) /;
const FRAME = /^ {0,9}\d{1,9}(?: |$)|^[ ~]*~[ ~]*$|^ *\.\.\.$/;
const CLOSING = /^Found \d+ errors?|^Errors {2}Files$|^ {2,}\d+ {2}\S.*:\d+$/;
const SEVERITIES: Record<string, Severity> = { error: "error", warning: "warning" };

/** The part of a diagnostic that is being read below its header line. */
type Part = "message" | "frame" | "related";

interface Pending {
  readonly severity: Severity;
  readonly code: string;
  readonly place: Place | undefined;
  readonly pretty: boolean;
  readonly message: string[];
  readonly related: RelatedPlace[];
  part: Part;
}

/** Reads tsc's plain and pretty output. */
function tscParser(sink: Sink): LineParser {
  let pending: Pending | undefined;

  function close(): void {
    if (pending === undefined) return;
    const { severity, code, place, message, related } = pending;
    pending = undefined;
    sink.diagnostic({
      severity,
      code,
      ...place,
      message: message.join("\n"),
      ...(related.length > 0 ? { related } : {}),
    });
  }

  return {
    take({ text }: Line): boolean {
      const header = readHeader(text);
      if (header !== undefined) {
        close();
        pending = header;
        return true;
      }
      if (pending !== undefined && continues(pending, text)) return true;
      close();
      return CLOSING.test(text);
    },
    end: close,
  };
}

function readHeader(text: string): Pending | undefined {
  const match = HEADER.exec(text);
  if (match === null) return undefined;
  const [whole, separator, word = "", code = ""] = match;
  const head = text.slice(0, match.index).replace(WRAPPER_WORD, "").trim();
  const place = separator === ": " ? parenPlace(head) : separator === " - " ? colonPlace(head) : undefined;
  if (separator !== "" && place === undefined) return undefined;
  return {
    severity: SEVERITIES[word] ?? "info",
    code: code.replace(/^ts\((\d+)\)$/, "TS$1"),
    place,
    pretty: separator === " - ",
    message: [text.slice(match.index + whole.length)],
    related: [],
    part: "message",
  };
}

/** Adds the line to the diagnostic that is being read, and returns whether it belongs there. */
function continues(pending: Pending, text: string): boolean {
  if (text.trim() === "") {
    if (pending.pretty) pending.part = "frame";
    return pending.pretty;
  }
  if (pending.part === "message") {
    if (!text.startsWith("  ")) return false;
    pending.message.push(text.trimEnd());
    return true;
  }
  if (pending.part === "frame" && FRAME.test(text)) return true;
  const other = text.startsWith("  ") ? colonPlace(text.trim()) : undefined;
  if (other !== undefined) {
    pending.related.push(other);
    pending.part = "related";
    return true;
  }
  return pending.part === "related" && relatedLine(pending, text);
}

/** Reads related locations, which are indented by four: a code frame, then the message. */
function relatedLine(pending: Pending, text: string): boolean {
  if (!text.startsWith("    ")) return false;
  if (FRAME.test(text.slice(4))) return true;
  const last = pending.related.pop();
  if (last === undefined) return false;
  const message = last.message === undefined ? text.trim() : `${last.message}\n${text.slice(4).trimEnd()}`;
  pending.related.push({ ...last, message });
  return true;
}

const OPTIONS = { order: 0, isReportedCompletely: false };
const SYNTAX = { order: 1, isReportedCompletely: true };
const TYPES = { order: 2, isReportedCompletely: true };

/**
 * Maps TypeScript's codes to the stage that reports them: the 1000s come from the parser, the 5000s and 6000s from the options, most others from
 * the type checker.
 */
function typescriptStage({ code = "" }: Diagnostic): CompileStage | undefined {
  const number = Number(/^TS(\d+)$/.exec(code)?.[1]);
  if (Number.isNaN(number)) return undefined;
  if ((number >= 5_000 && number < 7_000) || number === 18_002 || number === 18_003) return OPTIONS;
  return number < 2_000 ? SYNTAX : TYPES;
}
