import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, Found, Line, LineParser, Sink } from "../../tool.ts";
import { pythonTool } from "../python/command.ts";
import type { RelatedPlace } from "../../../model/diagnostic.ts";

function fits(folder: FolderFacts): string | undefined {
  const config = ["mypy.ini", ".mypy.ini"].find((name) => folder.nearest(name) !== undefined);
  if (config !== undefined) return `${config} is here`;
  if (folder.nearest("pyproject.toml")?.includes("[tool.mypy") === true)
    return "pyproject.toml configures mypy";
  return folder.nearest("setup.cfg")?.includes("[mypy") === true ? "setup.cfg configures mypy" : undefined;
}

export const mypy = defineBuildTool({
  id: "mypy",
  title: "mypy",
  url: "https://mypy.readthedocs.io",
  ecosystem: "python",
  kinds: ["lint"],
  pureCheck: {
    options:
      /^(?:-[pm]|--(?:strict|config-file|ignore-missing-imports|no-incremental|pretty|no-pretty|no-error-summary|python-version|platform|follow-imports|(?:no-)?namespace-packages|explicit-package-bases|package|module|warn-[a-z-]+|disallow-[a-z-]+|no-implicit-[a-z-]+|check-untyped-defs|(?:hide|show)-[a-z-]+|exclude|no-color-output))$/,
    caches: /(?:^|\/)\.mypy_cache(?:\/|$)/,
    settings: /^\.?mypy\.ini$|^pyproject\.toml$|^setup\.cfg$/,
  },
  signatures: [": error: ", ": note: ", "mypy: ", "Success: no issues found"],
  priority: 4,
  parser: mypyParser,
  commands: [
    {
      name: "mypy.check",
      description: "Check the types",
      detect: fits,
      argv: (folder) => pythonTool(folder, "mypy", "."),
    },
  ],
});

const HEADER = /^(.+?):(?:(\d{1,7}):(?:(\d{1,7}):(?:(\d{1,7}):(\d{1,7}):)?)?)? (error|warning|note): (.*)$/;
const FILE = /\.(?:py|pyi|pyx|ipynb|toml|cfg|ini)$|^<string>$/;
const CODE = / {1,2}\[([a-z][a-z0-9-]{1,60})\]$/;
const CONTEXT = /^(?:In (?:function|member|class)|At top level)/;
/** Matches mypy's messages about a file as a whole. */
const WHOLE_FILE =
  /^(?:Duplicate module named|Source file found twice|Cannot |Can't |No parent module|Module .* is|Unable |Name .* already|.* is not a valid Python package name|Invalid |Unrecognized (?:option|report)|Unused )/;
const CLOSING =
  /^(?:Found \d{1,7} errors? in \d{1,7} files?|Success: no issues found|Success: |Warning: unused section)/;
const OWN = /^mypy: (?:error: )?(.+)$/;
const SEE = /^See (https?:\/\/\S+)/;
/** Matches the quoted source code below a message in pretty format. */
const FRAME = /^ {4,}\S|^ *[\^~]+ *$/;
/** Matches a line that starts with a location, which is a new message. */
const PLACED = /^\S+\.\w{1,8}[:(]\d/;
/** Minimum length of a line that mypy's pretty format may have wrapped; shorter messages are complete. */
const WRAPPED = 50;

interface Pending {
  found: Found;
  readonly related: RelatedPlace[];
  url: string | undefined;
  /**
   * True if the message may continue on the next line, because it was wrapped and its error code, which ends it, has
   * not been read yet.
   */
  open: boolean;
}

/** Reads mypy's output, plain and pretty. */
function mypyParser(sink: Sink): LineParser {
  const reader = new MypyReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.close() };
}

class MypyReader {
  readonly #sink: Sink;
  #pending: Pending | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const match = HEADER.exec(text);
    if (match !== null && FILE.test(match[1] ?? "")) return this.#readHeader(match);
    if (this.#pending !== undefined && FRAME.test(text)) {
      this.#pending.open = false;
      return true;
    }
    if (CLOSING.test(text)) {
      this.close();
      return true;
    }
    const own = OWN.exec(text);
    if (own !== null) {
      this.close();
      this.#sink.diagnostic({ severity: "error", message: own[1] ?? "" });
      return true;
    }
    return this.#pending?.open === true && unwrap(this.#pending, text);
  }

  close(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const { found, related, url } = pending;
    this.#sink.diagnostic({
      ...found,
      ...(related.length > 0 ? { related } : {}),
      ...(url === undefined ? {} : { url }),
    });
  }

  #readHeader(match: RegExpExecArray): boolean {
    const [whole, file = "", line, column, endLine, endColumn, word = "", message = ""] = match;
    if (word === "note" && CONTEXT.test(message)) return true;
    // A line without a line number is mypy's only if its message is one about a whole file, because any script may
    // print `main.py: error: …` about its arguments.
    if (line === undefined && word !== "note" && !WHOLE_FILE.test(message)) return false;
    const place = {
      file,
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(column === undefined ? {} : { column: Number(column) }),
      ...(endLine === undefined ? {} : { endLine: Number(endLine), endColumn: Number(endColumn) }),
    };
    const owner = this.#pending?.found;
    const same = owner?.file === file && owner.line === place.line;
    if (word === "note" && same && owner.severity !== "info") return this.#readNote(message, place);
    this.close();
    const code = CODE.exec(message);
    this.#pending = {
      found: {
        severity: word === "note" ? "info" : word === "warning" ? "warning" : "error",
        message: (code === null ? message : message.slice(0, code.index)).trimEnd(),
        ...place,
        ...(code?.[1] === undefined ? {} : { code: code[1] }),
      },
      related: [],
      url: undefined,
      open: code === null && whole.length >= WRAPPED,
    };
    return true;
  }

  #readNote(message: string, { file, line }: RelatedPlace): boolean {
    const pending = this.#pending;
    if (pending === undefined) return true;
    pending.open = false;
    const see = SEE.exec(message);
    if (see?.[1] === undefined)
      pending.related.push({ file, ...(line === undefined ? {} : { line }), message });
    else pending.url = see[1];
    return true;
  }
}

/** Adds the rest of a wrapped message, which ends with its error code. */
function unwrap(pending: Pending, text: string): boolean {
  if (text.trim() === "" || /^\s/.test(text) || PLACED.test(text)) return false;
  const code = CODE.exec(` ${text}`);
  const words = code === null ? text : text.slice(0, Math.max(0, code.index - 1));
  pending.found = {
    ...pending.found,
    message: `${pending.found.message} ${words.trimEnd()}`.trimEnd(),
    ...(code?.[1] === undefined ? {} : { code: code[1] }),
  };
  pending.open = code === null && text.length >= WRAPPED;
  return true;
}
