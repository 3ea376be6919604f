import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { DocumentParser, FolderFacts, Found, Line, LineParser, Sink } from "../../tool.ts";
import { pythonTool } from "../python/command.ts";
import type { Place } from "../../../model/diagnostic.ts";

const CODE = "[A-Z]{1,5}\\d{1,5}|SyntaxError|invalid-syntax|unused-noqa|unformatted";
const CONCISE = new RegExp(
  `^(.+?):(?:cell \\d{1,5}:)?(\\d{1,7}):(\\d{1,7}): (${CODE})(:)?(?: \\[\\*\\])? (.*)$`,
);
const PYLINT_STYLE = new RegExp(`^(.+?):(\\d{1,7}): \\[(${CODE})\\] (.*)$`);
const GROUP_FILE = /^(\S.*\.(?:pyi?|ipynb)):$/;
const GROUP_ITEM = new RegExp(`^ {2,}(?:cell \\d+:)?(\\d{1,7}):(\\d{1,7}) +(${CODE})(?: \\[\\*\\])?:? (.+)$`);
/** Matches the newer full format, which prints the message first and its location below. */
const HEADED = new RegExp(`^(${CODE})(?: \\[\\*\\])?:? (.+)$`);
const TYPED = /^(error|warning|info)\[([a-z][a-z0-9-]{2,60})\]:? (.+)$/;
const ARROW = /^ *--> (.+)$/;
const FRAME = /^ *(?:\d{1,7} )?[|+-](?: |$)|^ {2,}\||^ *::: |^ *\.\.\.$|^ {4,}\^/;
const HELP = /^(?: *= )?(help|info|note): (.+)$/;
const RUFF_CLOSING =
  /^(?:Found \d{1,7} (?:errors?|diagnostics?)|All checks passed!|\[\*\] \d{1,7} (?:potentially )?fixable with|No fixes available|\[\d{1,7} fixable|Fixed \d{1,7} error|Checking \d{1,7} files|ty \d|Checking )/;
const STATISTIC = /^\d{1,7}\s+[A-Z]{1,4}\d{1,4}\s/;
const PYTHON = /\.(?:py|pyi|pyx|ipynb|pyw|toml)$|^-$|^stdin$|^<stdin>$/;
/** Upper bound on concise lines that are held until the log shows which tool wrote them. */
const MAX_HELD = 20_000;

/** Reads the formats of ruff, flake8, which has the same short format, and ty. */
function ruffParser(sink: Sink): LineParser {
  const reader = new RuffReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.end() };
}

class RuffReader {
  readonly #sink: Sink;
  #held: Found[] = [];
  #isRuff = false;
  #file: string | undefined;
  /** A message that waits for its location. */
  #head: Found | undefined;
  #open: (Found & { readonly help: string[] }) | undefined;
  #inFrame = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const head = this.#head;
    this.#head = undefined;
    const arrow = ARROW.exec(text);
    const place = arrow === null ? undefined : colonPlace(arrow[1] ?? "");
    if (place !== undefined && head !== undefined && PYTHON.test(place.file))
      return this.#placed(head, place);
    if (this.#readBelow(text)) return true;
    const short = readShort(text);
    if (short !== undefined) return this.#hold(short, text);
    if (this.#readGrouped(text)) return true;
    const format = readFormatLine(text);
    if (format !== undefined) {
      this.#isRuff = true;
      if (format !== "noise") this.#emit({ ...format, tool: "ruff" });
      return true;
    }
    if (RUFF_CLOSING.test(text)) {
      this.#isRuff ||= !text.startsWith("ty ") && !text.startsWith("Checking ");
      if (text.startsWith("[*] ")) this.#sink.advice(text.slice(4));
      return true;
    }
    this.#head = readHead(text);
    return this.#held.length > 0 && STATISTIC.test(text);
  }

  end(): void {
    this.#flush();
    const tool = this.#isRuff ? "ruff" : "flake8";
    for (const found of this.#held) {
      const severity = tool === "flake8" && found.code?.startsWith("W") === true ? "warning" : found.severity;
      this.#sink.diagnostic({ ...found, tool, severity });
    }
    this.#held = [];
  }

  #hold(found: Found, text: string): boolean {
    this.#flush();
    this.#inFrame = true;
    if (/: [A-Z]+\d+ \[\*\] /.test(text) || /^(?:SyntaxError|[a-z-]+)$/.test(found.code ?? ""))
      this.#isRuff = true;
    this.#open = { ...found, help: [] };
    return true;
  }

  #flush(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { help, ...found } = open;
    this.#emit({ ...found, ...(help.length > 0 ? { help } : {}) });
  }

  /** Reports a finding at once if its tool is certain, otherwise holds it. */
  #emit(found: Found): void {
    if (found.tool !== undefined) this.#sink.diagnostic(found);
    else if (this.#held.length < MAX_HELD) this.#held.push(found);
    else this.#sink.diagnostic({ ...found, tool: this.#isRuff ? "ruff" : "flake8" });
  }

  #placed(head: Found, place: Place): boolean {
    this.#flush();
    this.#inFrame = true;
    this.#open = { ...head, ...place, help: [] };
    if (head.tool === "ruff") this.#isRuff = true;
    return true;
  }

  /** Reads the code frame and the advice below a diagnostic. */
  #readBelow(text: string): boolean {
    if (!this.#inFrame) return false;
    const help = HELP.exec(text);
    if (help !== null && this.#open !== undefined) {
      if (help[1] === "help") this.#open.help.push(help[2] ?? "");
      this.#isRuff ||= text.includes("= help:");
      return true;
    }
    if (FRAME.test(text) || (text.trim() === "" && this.#open?.tool !== undefined)) return true;
    // A lone caret belongs to the source line that flake8 shows above it.
    if (/^ *\^$/.test(text)) return true;
    if (/^ {4,}\S/.test(text) && this.#file === undefined) return true;
    this.#inFrame = false;
    return false;
  }

  #readGrouped(text: string): boolean {
    const file = GROUP_FILE.exec(text);
    if (file !== null) {
      this.#file = file[1];
      return true;
    }
    const item = this.#file === undefined ? null : GROUP_ITEM.exec(text);
    if (item === null) return false;
    this.#isRuff = true;
    this.#emit({
      severity: "error",
      tool: "ruff",
      file: this.#file ?? "",
      line: Number(item[1]),
      column: Number(item[2]),
      code: item[3] ?? "",
      message: item[4] ?? "",
    });
    return true;
  }
}

function readShort(text: string): Found | undefined {
  if (!text.includes(": ")) return undefined;
  const concise = CONCISE.exec(text);
  if (concise !== null && isPython(concise[1] ?? "")) {
    const [, file = "", line, column, code = "", colon, message = ""] = concise;
    // A code of a letter and four digits, followed by a colon (`C0301: …`), is pylint's.
    if (colon !== undefined && /^[A-Z]\d{4}$/.test(code)) return undefined;
    return { severity: "error", file, line: Number(line), column: Number(column), code, message };
  }
  const other = PYLINT_STYLE.exec(text);
  if (other === null || !isPython(other[1] ?? "")) return undefined;
  return {
    severity: "error",
    file: other[1] ?? "",
    line: Number(other[2]),
    code: other[3] ?? "",
    message: other[4] ?? "",
  };
}

/**
 * Returns whether the text names a Python file. A CI command (`::error …`) does not, although it may contain a
 * diagnostic after its own fields.
 */
function isPython(file: string): boolean {
  return PYTHON.test(file) && !file.includes("::") && !file.startsWith("##[");
}

function readHead(text: string): Found | undefined {
  const typed = TYPED.exec(text);
  if (typed !== null)
    return {
      severity: typed[1] === "error" ? "error" : typed[1] === "warning" ? "warning" : "info",
      tool: "ty",
      code: typed[2] ?? "",
      message: typed[3] ?? "",
    };
  const headed = HEADED.exec(text);
  if (headed === null) return undefined;
  return { severity: "error", tool: "ruff", code: headed[1] ?? "", message: headed[2] ?? "" };
}

/** Reads the array of `ruff check --output-format json`, or one object of `json-lines`. */
const ruffDocument: DocumentParser = {
  matches: (start) =>
    start.includes('"location"') && start.includes('"end_location"') && start.includes('"filename"'),
  parse(text, sink) {
    const report = parseJson(text);
    const items = asObjects(Array.isArray(report) ? report : [report]);
    if (!Array.isArray(report) && items[0]?.["end_location"] === undefined) return false;
    for (const item of items) {
      const start = asObject(item["location"]) ?? {};
      const end = asObject(item["end_location"]) ?? {};
      const fix = asText(asObject(item["fix"])?.["message"]);
      sink.diagnostic({
        severity: asText(item["severity"]) === "warning" ? "warning" : "error",
        message: asText(item["message"]) ?? "",
        ...defined({
          file: asText(item["filename"]),
          line: asNumber(start["row"]),
          column: asNumber(start["column"]),
          endLine: asNumber(end["row"]),
          endColumn: asNumber(end["column"]),
          code: asText(item["code"]),
          help: fix === undefined ? undefined : [fix],
          url: asText(item["url"]),
        }),
      });
    }
    return true;
  },
};

const WOULD = /^Would reformat: (.+)$/;
const NOISE =
  /^\d{1,7} files? (?:would be reformatted|already formatted|reformatted|left unchanged|would be left unchanged)/;
const FAILED = /^(error|warning): Failed to (?:parse|format|lint) (.+?):?(\d{1,7}:\d{1,7})?: (.+)$/;

/** Reads a line of `ruff format --check`, or one about a file that ruff cannot parse. */
function readFormatLine(text: string): Found | "noise" | undefined {
  const would = WOULD.exec(text);
  if (would !== null)
    return { severity: "error", message: "Would reformat", file: would[1] ?? "", help: ["ruff format"] };
  if (NOISE.test(text)) return "noise";
  const failed = FAILED.exec(text);
  if (failed === null || !/\.(?:pyi?|ipynb|toml)$/.test(failed[2] ?? "")) return undefined;
  const place =
    failed[3] === undefined ? { file: failed[2] ?? "" } : colonPlace(`${failed[2] ?? ""}:${failed[3]}`);
  return { severity: failed[1] === "warning" ? "warning" : "error", message: failed[4] ?? "", ...place };
}

function fits(folder: FolderFacts): string | undefined {
  const config = ["ruff.toml", ".ruff.toml"].find((name) => folder.nearest(name) !== undefined);
  if (config !== undefined) return `${config} is here`;
  return folder.nearest("pyproject.toml")?.includes("[tool.ruff") === true
    ? "pyproject.toml configures ruff"
    : undefined;
}

export const ruff = defineBuildTool({
  id: "ruff",
  title: "Ruff",
  url: "https://docs.astral.sh/ruff/",
  ecosystem: "python",
  kinds: ["lint", "format"],
  pureCheck: {
    subcommands: ["check"],
    options:
      /^(?:-[nq]|--(?:config|select|ignore|extend-select|extend-ignore|exclude|extend-exclude|per-file-ignores|target-version|line-length|output-format|no-fix|(?:no-)?preview|quiet|statistics|isolated|no-cache|(?:no-)?respect-gitignore|force-exclude|(?:no-)?unsafe-fixes))$/,
    caches: /(?:^|\/)\.ruff_cache(?:\/|$)/,
    settings: /^\.?ruff\.toml$|^pyproject\.toml$/,
    isOneFile: true,
  },
  signatures: [
    ".py:",
    ".pyi:",
    ".ipynb:",
    "Would reformat: ",
    " --> ",
    "All checks passed!",
    "Failed to parse ",
    "files already formatted",
    "would be reformatted",
  ],
  priority: 5,
  parser: ruffParser,
  document: ruffDocument,
  commands: [
    {
      name: "ruff.check",
      description: "Lint with Ruff",
      detect: fits,
      argv: (folder) => pythonTool(folder, "ruff", "check"),
    },
    {
      name: "ruff.format",
      description: "Check the formatting with Ruff",
      detect: fits,
      argv: (folder) => pythonTool(folder, "ruff", "format", "--check"),
    },
  ],
});
