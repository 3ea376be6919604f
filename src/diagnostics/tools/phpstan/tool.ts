import { drafting } from "../../parsing/draft.ts";
import { asArray, asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import type { DocumentParser, Line, LineParser, Sink } from "../../tool.ts";

const RULE = /^ -{2,8} (-{2,})\s*$/;
const HEAD = /^ {2}Line {3}(\S.*)$/;
const BARE_HEAD = /^ {2,9}Error\s*$/;
const BARE_ROW = /^ {5}(\S.*)$/;
const ROW = /^ {2}(?::?(\d{1,9})|[?-]) {2,9}(\S.*)$/;
const MORE = /^ {9}(\s*\S.*)$/;
const IDENTIFIER = /^🪪 {1,2}(\S+)$/u;
/** Matches what follows the name of a file whose code another file includes. */
const CONTEXT = / ?\(in context of .*$/;
const TIP = /^💡 {1,2}(.*)$/u;
/** Matches the format of `--error-format=raw`: file, line and message without blanks between them. */
const RAW =
  /^(\/[^:]{1,1000}|[A-Za-z]:\\[^:]{1,1000}|[\w./\\-]{1,400}\.php):(\d{1,9}|\?):(\S.*?)(?: \[identifier=(\S+)\])?$/;
const BARE_RAW = /^\?:\?:(\S.*)$/;
const CLOSING = /^ *(?:\[(?:ERROR|OK|WARNING)\] .*|\d+\/\d+ \[[▓░=>-]+\].*)$/u;

/** Reads PHPStan's table and raw formats. */
class PhpstanParser implements LineParser {
  readonly #drafts;
  #file: string | undefined;
  #inTable = false;
  #isBare = false;
  #inTip = false;
  /** True between the heading of a table and its first row, where a long file name goes on. */
  #inHead = false;
  /** Number of characters that a message has room for in a row of the table. */
  #width = 0;
  /** True if the last row of the message is part of a word that does not fit into one row. */
  #isInWord = false;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const rule = RULE.exec(text)?.[1];
    if (rule !== undefined) {
      this.#drafts.close();
      this.#width = rule.length - 2;
      this.#inTip = false;
      this.#inTable = true;
      return true;
    }
    if (this.#inTable && this.#readTableLine(text.trimEnd())) return true;
    this.#drafts.close();
    this.#inTable = false;
    return this.#readRaw(text) || CLOSING.test(text);
  }

  end(): void {
    this.#drafts.close();
  }

  #readTableLine(text: string): boolean {
    const file = HEAD.exec(text)?.[1];
    if (file !== undefined || BARE_HEAD.test(text)) {
      this.#drafts.close();
      this.#file = file;
      this.#inHead = file !== undefined;
      this.#isBare = file === undefined;
      return true;
    }
    if (text.trim() === "") {
      this.#drafts.close();
      return true;
    }
    const bare = this.#isBare ? BARE_ROW.exec(text)?.[1] : undefined;
    if (bare !== undefined) {
      if (this.#drafts.current?.message.at(-1)?.endsWith(".") === true) this.#drafts.close();
      return this.#readMore(bare);
    }
    const row = ROW.exec(text);
    if (row !== null) {
      const [, line, message = ""] = row;
      this.#inTip = false;
      this.#inHead = false;
      this.#file = this.#file?.replace(CONTEXT, "");
      this.#drafts.open(
        {
          severity: "error",
          ...(this.#file === undefined ? {} : { file: this.#file }),
          ...(line === undefined || this.#file === undefined ? {} : { line: Number(line) }),
        },
        message,
      );
      this.#isInWord = this.#fills(message);
      return true;
    }
    const more = MORE.exec(text)?.[1];
    if (more !== undefined && this.#inHead) {
      // The table breaks a path anywhere, and the words behind it at blanks.
      this.#file += this.#file?.includes(".php") === true ? ` ${more.trim()}` : more.trim();
      return true;
    }
    return more !== undefined && this.#readMore(more);
  }

  /** Continues a message that the table wrapped at its width. */
  #readMore(text: string): boolean {
    const draft = this.#drafts.current ?? this.#drafts.open({ severity: "error", ...this.#place() });
    const trimmed = text.trim();
    const identifier = IDENTIFIER.exec(trimmed)?.[1];
    if (identifier !== undefined) {
      draft.found = { ...draft.found, code: identifier };
      return true;
    }
    const tip = TIP.exec(trimmed)?.[1];
    if (tip !== undefined) {
      this.#inTip = true;
      draft.help.push(tip.trim());
    } else if (this.#inTip) draft.help.push(joined(draft.help.pop(), trimmed));
    else if (!trimmed.startsWith("✏️")) {
      const before = draft.message.pop();
      draft.message.push(this.#isInWord ? `${before ?? ""}${trimmed}` : joined(before, trimmed));
      this.#isInWord = this.#fills(trimmed);
    }
    const url = /https:\/\/phpstan\.org\/\S+/.exec(trimmed)?.[0];
    if (url !== undefined && draft.found.url === undefined) draft.found = { ...draft.found, url };
    return true;
  }

  /** The table breaks its rows at blanks; only a row without any that has no room left can end within a word. */
  #fills(row: string): boolean {
    return row.length >= this.#width && !row.includes(" ");
  }

  #place(): { file?: string } {
    return this.#file === undefined ? {} : { file: this.#file };
  }

  #readRaw(text: string): boolean {
    const bare = BARE_RAW.exec(text)?.[1];
    if (bare !== undefined) {
      this.#drafts.open({ severity: "error" }, bare);
      return true;
    }
    const match = text.includes(".php") ? RAW.exec(text) : null;
    if (match === null) return false;
    const [, file = "", line, message = "", code] = match;
    this.#drafts.open(
      {
        severity: "error",
        file,
        ...(line === "?" ? {} : { line: Number(line) }),
        ...(code === undefined ? {} : { code }),
      },
      message,
    );
    return true;
  }
}

function joined(before: string | undefined, more: string): string {
  return before === undefined || before === "" ? more : `${before} ${more}`;
}

/** Reads PHPStan's json and prettyJson formats. */
const phpstanReport: DocumentParser = {
  matches: (start) => start.startsWith("{") && start.includes('"totals"') && start.includes('"file_errors"'),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report === undefined || asObject(report["totals"]) === undefined) return false;
    for (const [file, value] of Object.entries(asObject(report["files"]) ?? {}))
      for (const row of asObjects(asObject(value)?.["messages"])) {
        const tip = asText(row["tip"]);
        sink.diagnostic(
          defined({
            severity: "error" as const,
            message: asText(row["message"]) ?? "",
            file: file.replace(CONTEXT, ""),
            line: asNumber(row["line"]),
            code: asText(row["identifier"]),
            help: tip === undefined ? undefined : [tip],
          }),
        );
      }
    for (const message of asArray(report["errors"]))
      sink.diagnostic({ severity: "error", message: asText(message) ?? "" });
    return true;
  },
};

export const phpstan = defineBuildTool({
  id: "phpstan",
  title: "PHPStan",
  url: "https://phpstan.org",
  ecosystem: "php",
  kinds: ["lint"],
  signatures: [" ------ ", "  Line   ", ".php:", " -- ---"],
  priority: -1,
  parser: (sink) => new PhpstanParser(sink),
  document: phpstanReport,
  commands: [
    {
      name: "phpstan.check",
      description: "Analyse the PHP files",
      detect: (folder) =>
        ["phpstan.neon", "phpstan.neon.dist", "phpstan.dist.neon"].some((name) => folder.has(name))
          ? "it has a phpstan.neon"
          : undefined,
      argv: () => ["vendor/bin/phpstan", "analyse", "--no-progress"],
    },
  ],
});
