import { drafting } from "../../parsing/draft.ts";
import { colonPlace, leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const dart = defineBuildTool({
  id: "dart",
  title: "Dart and Flutter",
  url: "https://dart.dev/tools/dart-analyze",
  ecosystem: "general",
  kinds: ["build", "lint", "format"],
  signatures: [".dart:", ".dart"],
  priority: 5,
  parser: (sink) => new DartParser(sink),
  commands: [
    {
      name: "dart.analyze",
      description: "Analyse the package",
      detect: hasPubspec,
      argv: (folder) => (usesFlutter(folder) ? ["flutter", "analyze"] : ["dart", "analyze"]),
    },
  ],
});

/** Returns why the folder is a Dart package (it has a pubspec.yaml), or undefined if it is not one. */
export function hasPubspec(folder: FolderFacts): string | undefined {
  return folder.has("pubspec.yaml") ? "pubspec.yaml is here" : undefined;
}

/** Returns whether the package is built with Flutter. */
export function usesFlutter(folder: FolderFacts): boolean {
  return /^\s+sdk:\s*flutter\b/m.test(folder.nearest("pubspec.yaml") ?? "");
}

/** Matches `   info • text • lib/a.dart:1:8 • unused_import` of `flutter analyze`; `dart analyze` prints the location before the text. */
const SEVERITY = /^ {0,4}(info|warning|error|hint) (•|-) (.*)$/u;
const MACHINE =
  /^(ERROR|WARNING|INFO)\|[A-Z_]{1,40}\|([A-Z0-9_]{1,80})\|(.{1,1000}?\.(?:dart|yaml))\|(\d{1,9})\|(\d{1,9})\|(\d{1,9})\|(.*)$/;
const COMPILER = /^(Error|Warning|Context|Note): (.*)$/;
const CARETS = /^\s*\^+\s*$/;
const FORMAT = /^Changed (\S.*\.dart)$/;
const NOISE =
  /^(?:Analyzing .*\.{3} *[\d.]*s?|\d+ issues? found\.?.*|No issues found!.*|Formatted \d+ files? .*|Target \w+ failed: .*)$/;

const SEVERITIES: Readonly<Record<string, Severity>> = { error: "error", warning: "warning" };

/** Reads the Dart analyzer and compiler, also when Flutter runs them. */
class DartParser implements LineParser {
  readonly #drafts;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const issue = SEVERITY.exec(text);
    if (issue !== null && this.#issue(issue)) return true;
    if (this.#readMachine(text) || this.#readCompiler(text) || this.#continues(text)) return true;
    this.#drafts.close();
    const changed = FORMAT.exec(text)?.[1];
    if (changed === undefined) return NOISE.test(text);
    this.#drafts.open({ severity: "error", file: changed }, "not formatted");
    return true;
  }

  end(): void {
    this.#drafts.close();
  }

  #issue([, word = "", dash = "", rest = ""]: RegExpExecArray): boolean {
    const parts = rest.split(` ${dash} `);
    const code = parts.at(-1) ?? "";
    const last = colonPlace(parts.at(-2) ?? "");
    const first = colonPlace(parts[0] ?? "");
    const place = last ?? first;
    if (parts.length < 3 || place === undefined || !/^\w+$/.test(code)) return false;
    const message = last === undefined ? parts.slice(1, -1) : parts.slice(0, -2);
    this.#drafts.open({ severity: SEVERITIES[word] ?? "info", ...place, code }, message.join(` ${dash} `));
    return true;
  }

  /** Reads `dart analyze --format=machine`, in which a backslash escapes a backslash or a vertical bar. */
  #readMachine(text: string): boolean {
    const match = text.includes("|") ? MACHINE.exec(text) : null;
    if (match === null) return false;
    const [, word = "", code = "", file = "", line, column, length, message = ""] = match;
    const place = { file: file.replaceAll("\\\\", "\\"), line: Number(line), column: Number(column) };
    const end = { endLine: Number(line), endColumn: Number(column) + Number(length) };
    const severity = SEVERITIES[word.toLowerCase()] ?? "info";
    this.#drafts.open(
      { severity, ...place, ...end, code: code.toLowerCase() },
      message.replaceAll("\\|", "|"),
    );
    return true;
  }

  #readCompiler(text: string): boolean {
    const placed = text.includes(".dart:")
      ? leadingPlace(text.replace(/^compiler message: /, ""))
      : undefined;
    const match = placed === undefined ? null : COMPILER.exec(placed.rest);
    if (placed === undefined || match === null) return false;
    const [, word, message = ""] = match;
    if (word === "Context" || word === "Note")
      this.#drafts.current?.related.push({ ...placed.place, message });
    else this.#drafts.open({ severity: word === "Warning" ? "warning" : "error", ...placed.place }, message);
    return true;
  }

  /** Reads the lines below a compiler's message: its continuation, the source line, carets. */
  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || draft.found.code !== undefined || text.trim() === "") return false;
    if (CARETS.test(text)) return true;
    if (/^(?: - '|Try )/.test(text)) {
      draft.message.push(text);
      return true;
    }
    return /^\s/.test(text);
  }
}
