import { drafting } from "../../parsing/draft.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const mix = defineBuildTool({
  id: "mix",
  title: "Elixir, Mix and Credo",
  url: "https://hexdocs.pm/mix",
  ecosystem: "general",
  kinds: ["build", "format", "lint"],
  signatures: [".ex:", ".exs:", "** (Mix)", "┃ [", ".heex:"],
  priority: -3,
  parser: (sink) => new MixParser(sink),
  commands: [
    {
      name: "mix.compile",
      description: "Compile the project",
      detect: hasMixFile,
      argv: () => ["mix", "compile"],
    },
  ],
});

/** Returns why the folder is a Mix project (it has a mix.exs), or undefined if it is not one. */
export function hasMixFile(folder: FolderFacts): string | undefined {
  return folder.has("mix.exs") ? "mix.exs is here" : undefined;
}

/** Matches `warning: text`, which Elixir indents since 1.15, with the source next to a vertical bar below it. */
const HEAD = /^ {0,6}(warning|error): (.*)$/;
const GUTTER = /^ {0,8}\d{0,7} ?[│|](.*)$/u;
const CORNER = /^ {2,8}└─ (.*)$/u;
/** Matches the location that ends a warning: `  lib/shop.ex:2: Shop.hello/1`. */
const PLACE = /^ {2,4}(\S.{0,600}?\.(?:exs?|eex|heex|leex)):(\d{1,9})(?::(\d{1,9}))?(?::? .*)?$/;
const THROWN = /^\*\* \((\w+Error|EEx\.\w+|Mix)\) (.*)$/;
const THROWN_PLACE =
  /^(?:[\w ]{1,60} (?:on|found on) )?(\S.{0,600}?\.(?:exs?|eex|heex)):(\d{1,9})(?::(\d{1,9}))?: ?(.*)$/;
const DERIVED = /cannot compile module .*\(errors have been logged\)/;
const UNFORMATTED = /^ {2}\* (\S.*)$/;
const CREDO = /^┃ \[([A-Z])\] \S{1,2} (.*)$/u;
const CREDO_PLACE = /^┃ {1,9}(\S.{0,600}?):(\d{1,9})(?::(\d{1,9}))? #\(/u;
const NOISE = /^(?:Compiling \d+ files? \(\.\w+\)|Generated \S+ app|== Compilation error in file .* ==)$/;

/** Reads the Elixir compiler, mix format and Credo. */
class MixParser implements LineParser {
  readonly #sink: Sink;
  readonly #drafts;
  #inList = false;
  #isThrown = false;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#drafts = drafting({
      ...sink,
      diagnostic(found) {
        // A message for which neither a location nor a code was found does not come from the compiler.
        if (found.file !== undefined || found.code !== undefined) sink.diagnostic(found);
      },
    });
  }

  take({ text }: Line): boolean {
    if (this.#inList && this.#readUnformatted(text)) return true;
    if (this.#readCredo(text)) return true;
    const thrown = text.startsWith("** (") ? THROWN.exec(text) : null;
    if (thrown !== null) return this.#throw(thrown);
    if (this.#drafts.current !== undefined && this.#continues(text)) return true;
    const head = HEAD.exec(text);
    if (head !== null) return this.#open(head);
    this.#close();
    return NOISE.test(text);
  }

  end(): void {
    this.#close();
  }

  #close(): void {
    this.#isThrown = false;
    this.#drafts.close();
  }

  #open([, word, message = ""]: RegExpExecArray): boolean {
    this.#close();
    const severity: Severity = word === "error" ? "error" : "warning";
    this.#drafts.open({ severity }, message);
    return true;
  }

  #throw([, type = "", rest = ""]: RegExpExecArray): boolean {
    this.#close();
    if (DERIVED.test(rest)) return true;
    if (rest.startsWith("mix format failed")) {
      this.#inList = true;
      return true;
    }
    const place = THROWN_PLACE.exec(rest);
    if (place === null && type !== "Mix") return false;
    const [, file, line, column, message] = place ?? [];
    const at =
      file === undefined
        ? {}
        : { file, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
    this.#drafts.open({ severity: "error", ...at, code: type }, message ?? rest);
    this.#isThrown = true;
    return true;
  }

  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    const corner = CORNER.exec(text)?.[1];
    const place = corner === undefined ? PLACE.exec(text) : null;
    if (corner !== undefined || (place !== null && draft.found.file === undefined)) {
      const at =
        corner === undefined
          ? readPlace(place)
          : colonPlace(corner.replace(/:? [^:]*$/, "").replace(/:$/, ""));
      draft.found = { ...at, ...draft.found };
      this.#drafts.close();
      return true;
    }
    if (GUTTER.test(text)) return true;
    const inner = this.#isThrown ? /^ {4}error: (.*)$/.exec(text)?.[1] : undefined;
    if (inner !== undefined) {
      draft.message.push(inner);
      return true;
    }
    if (this.#isThrown) return /^ {4}\S/.test(text);
    // A message of the compiler may contain blank lines, but an unindented line ends it.
    if (draft.message.length > 40 || /^\S/.test(text)) return false;
    draft.message.push(text.trim());
    return true;
  }

  #readUnformatted(text: string): boolean {
    const file = UNFORMATTED.exec(text)?.[1];
    if (file !== undefined) this.#sink.diagnostic({ severity: "error", file, message: "not formatted" });
    this.#inList = file !== undefined || text.trim() === "" || text.startsWith("The following files");
    return this.#inList;
  }

  #readCredo(text: string): boolean {
    if (!text.startsWith("┃")) return false;
    const head = CREDO.exec(text);
    if (head !== null) {
      this.#close();
      this.#drafts.open({ severity: "warning", tool: "credo", code: head[1] ?? "" }, head[2] ?? "");
      return true;
    }
    const place = CREDO_PLACE.exec(text);
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    if (place === null) return true;
    draft.found = { ...draft.found, ...readPlace(place) };
    this.#drafts.close();
    return true;
  }
}

function readPlace(
  match: RegExpExecArray | null,
): { file: string; line: number; column?: number } | undefined {
  if (match === null) return undefined;
  const [, file = "", line, column] = match;
  return { file, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}
