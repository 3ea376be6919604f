import { drafting } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const swift = defineBuildTool({
  id: "swift",
  title: "Swift, SwiftPM and xcodebuild",
  url: "https://www.swift.org",
  ecosystem: "swift",
  kinds: ["build", "install"],
  programs: ["swift", "xcodebuild"],
  signatures: [
    ".swift:",
    "xcodebuild: error",
    ".xcodeproj: ",
    "Building for ",
    "** BUILD ",
    "error: '",
    "warning: '",
    "Planning build",
    "❌ ",
    "error: build had ",
    ".storyboard:",
    ".xib:",
    "Command line invocation:",
  ],
  priority: 8,
  parser: (sink) => new SwiftParser(sink),
  commands: [
    {
      name: "swift.build",
      description: "Build the package",
      detect: hasPackage,
      argv: () => ["swift", "build"],
    },
  ],
  manifests: ["Package.swift"],
});

/** Returns why the folder is a Swift package (it has a Package.swift), or undefined if it is not one. */
export function hasPackage(folder: FolderFacts): string | undefined {
  return folder.has("Package.swift") ? "Package.swift is here" : undefined;
}

/** Matches `/app/Sources/main.swift:5:1: error: text`; xcpretty and xcbeautify print a symbol before the path and omit the severity. */
const PLACED =
  /^(?:(❌|⚠️|\[x\]|\[!\]) {1,2})?(\S.{0,1000}?\.(?:swift|xib|storyboard|xcassets|plist|intentdefinition|metal)):(?:(\d{1,9}):(?:(\d{1,9}):)?)? (?:(error|warning|note|remark|fatal error|Fatal error): )?(.+)$/u;
/** The file extensions of the pattern for a diagnostic's location, for a quick test before the pattern is tried. */
const FILES = [".swift:", ".xib:", ".storyboard:", ".xcassets:", ".plist:", ".intentdefinition:", ".metal:"];
const NOTE = /^(\S.{0,1000}?):(\d{1,9}):(\d{1,9}): note: (.*)$/;
const PROJECT = /^(\S.{0,1000}?\.(?:xcodeproj|xcworkspace|pbxproj)): (error|warning|note): (.*)$/;
const TOOL = /^(?:xcodebuild|swift-package|swift-build|swiftc?|<unknown>:0|ld|clang): (error|warning): (.*)$/;
const PACKAGE = /^(error|warning): (.*)$/;
const SYMBOL_ONLY = /^(❌|⚠️) {1,2}(\S.*)$/u;
/** Matches lines that only SwiftPM or xcodebuild print; later bare `error:` lines are then theirs. */
const CONTEXT =
  /^(?:\[\d+\/\d+\] |Building for |Compiling |Build complete!|Resolved source packages:|Command line invocation:|\*\* (?:BUILD|TEST|ARCHIVE|CLEAN) |Test Suite '|Computing version for |Fetching https|Planning build)/;
/** Matches messages that only refer to errors above. */
const DERIVED =
  /^(?:build had \d+ command failures?|emit-module command failed |fatalError$|compile command failed |link command failed with exit code 1|the following command failed |terminated\(\d+\): |Exited with unexpected signal code|failed to build module|Testing failed:|Test session results)/;
const SOURCE = /^ {0,8}\d{1,7} \|/;
const MARK = /^ {1,12}\| {1,400}[|`]-? ?(.*)$/;
const GUTTER = /^ {1,12}\|/;
const CARET = /^\s*[\^~](?:[\^~ ]*[\^~])?\s*$/;
const SUFFIX = / \(in target '[^']{1,200}' from project '[^']{1,200}'\)$/;

/** Reads the Swift compiler's diagnostics as SwiftPM and xcodebuild show them. */
class SwiftParser implements LineParser {
  readonly #drafts;
  #isSwift = false;
  #held: string | undefined;
  #errors = 0;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    if (!this.#isSwift && CONTEXT.test(text)) this.#isSwift = true;
    if (this.#readCommands(text)) return true;
    if (this.#readNote(text) || this.#readLocation(text) || this.#readBare(text) || this.#continues(text))
      return true;
    this.#drafts.close();
    return false;
  }

  end(): void {
    this.#drafts.close();
  }

  /** Reads a note, which explains the previous diagnostic wherever it points to, such as a header or a module's interface. */
  #readNote(text: string): boolean {
    const draft = this.#drafts.current;
    const match = draft !== undefined && text.includes(": note: ") ? NOTE.exec(text) : null;
    if (match === null) return false;
    const [, file = "", line, column, message = ""] = match;
    draft?.related.push({ file, line: Number(line), column: Number(column), message });
    this.#held = undefined;
    return true;
  }

  #readLocation(text: string): boolean {
    const match = FILES.some((ending) => text.includes(ending)) ? PLACED.exec(text) : null;
    if (match === null) return false;
    const [, sign, file = "", line, column, word, message = ""] = match;
    if (word === undefined && sign === undefined) return false;
    this.#isSwift = true;
    const place = {
      file,
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(column === undefined ? {} : { column: Number(column) }),
    };
    this.#held = undefined;
    // A note explains the previous diagnostic; on its own it is not a finding.
    if (word === "note" || word === "remark") {
      this.#drafts.current?.related.push({ ...place, message });
      return true;
    }
    this.#open(severityOf(word, sign), place, message.replace(SUFFIX, ""));
    return true;
  }

  #open(severity: Severity, place: object, text: string): void {
    const group = /^(.*) \[#([\w-]+)\]$/.exec(text);
    if (severity === "error") this.#errors++;
    this.#drafts.open(
      { severity, ...place, ...(group === null ? {} : { code: group[2] ?? "" }) },
      group?.[1] ?? text,
    );
  }

  #readBare(text: string): boolean {
    const project = PROJECT.exec(text);
    if (project !== null) {
      const [, file = "", word, message = ""] = project;
      if (word !== "note") this.#open(severityOf(word), { file }, message.replace(SUFFIX, ""));
      return true;
    }
    const sign = this.#isSwift ? SYMBOL_ONLY.exec(text) : null;
    if (sign !== null) {
      this.#open(severityOf(undefined, sign[1]), {}, sign[2] ?? "");
      return true;
    }
    const match =
      TOOL.exec(text) ??
      (this.#isSwift || /^(?:error|warning): '[\w-]+': /.test(text) ? PACKAGE.exec(text) : null);
    if (match === null) return false;
    const [, word, message = ""] = match;
    this.#drafts.close();
    if (DERIVED.test(message) && (this.#errors > 0 || word === "warning")) return true;
    this.#open(severityOf(word), {}, message.replace(SUFFIX, ""));
    return true;
  }

  /** Reads the source below a diagnostic: with line numbers since Swift 6, before that one line with carets below it. */
  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || draft.found.file === undefined) return this.#readListed(text);
    if (SOURCE.test(text) || GUTTER.test(text)) {
      const note = /^note: (.*)$/.exec(MARK.exec(text)?.[1] ?? "")?.[1];
      const { file, line } = draft.found;
      if (note !== undefined && !draft.related.some((one) => one.message === note))
        draft.related.push({ file, ...(line === undefined ? {} : { line }), message: note });
      return true;
    }
    if (this.#held === undefined && text.trim() !== "" && !CONTEXT.test(text) && !text.startsWith("error:")) {
      this.#held = text;
      return true;
    }
    const caret = this.#held !== undefined && CARET.test(text);
    return caret;
  }

  /** Reads the commands that xcodebuild lists as failed, used if nothing else explains the failure. */
  #readCommands(text: string): boolean {
    if (this.#errors > 0 || !/^The following (?:build )?commands failed:$/.test(text)) {
      const open = this.#drafts.current?.message[0]?.startsWith("The following") === true;
      if (!open || !/^\s+\S/.test(text)) return false;
      this.#drafts.current?.message.push(text.trim());
      return true;
    }
    this.#drafts.open({ severity: "error" }, text);
    return true;
  }

  /** Reads details that SwiftPM and xcodebuild indent below a diagnostic without a location. */
  #readListed(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || !/^\s{4,}\S/.test(text) || draft.message.length > 40) return false;
    if (/unhandled; explicitly declare them/.test(draft.message[0] ?? "")) return true;
    draft.message.push(text);
    return true;
  }
}

function severityOf(word: string | undefined, sign?: string): Severity {
  if (word === "warning" || sign === "⚠️" || sign === "[!]") return "warning";
  return word === "note" || word === "remark" ? "info" : "error";
}
