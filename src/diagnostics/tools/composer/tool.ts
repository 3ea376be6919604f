import { drafting } from "../../parsing/draft.ts";
import { keysOfSection } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const composer = defineBuildTool({
  id: "composer",
  title: "Composer",
  url: "https://getcomposer.org",
  ecosystem: "php",
  kinds: ["install"],
  signatures: [
    "Your requirements could not be resolved",
    "Your lock file ",
    ".php line ",
    " returned with error code ",
    "composer",
    "is abandoned, ",
    '" option does not exist.',
    '" is not defined.',
    "Not enough arguments (missing: ",
    "Too many arguments",
  ],
  parser: (sink) => new ComposerParser(sink),
  commands: [
    {
      name: "composer.install",
      description: "Install the packages",
      detect: (folder) => (folder.has("composer.json") ? "composer.json is here" : undefined),
      argv: () => ["composer", "install", "--no-interaction", "--no-progress"],
    },
  ],
  manifests: ["composer.json"],
  targets: {
    command: "composer run",
    files: ["composer.json"],
    above: false,
    names: (text) => keysOfSection(text, "scripts"),
  },
});

const UNSOLVABLE = /^Your (?:requirements|lock file) .*(?:could not be resolved|does not contain) .*$/;
const PROBLEM = /^ {2}Problem \d+$/;
/**
 * Matches the first line of an exception as Symfony's console prints it: the location where it was thrown, then the
 * message between blank lines.
 */
const THROWN = /^In \w+\.php line \d+:$/;
/**
 * Matches a message of Symfony's console about the command line. It stands in a box of blanks, which older versions do
 * not introduce.
 */
const BOXED =
  /^ {2}((?:The "[^"]{1,200}" (?:option|argument) (?:does not exist|requires a value)|Command "[^"]{1,200}" is (?:not defined|ambiguous)|There are no commands defined in the "|Not enough arguments \(missing: "|Too many arguments\b|No arguments expected\b).*?) {2}$/;
const OLD_THROWN = /^ {2}\[[\w\\]*(?:Exception|Error)\]\s*$/;
const SCRIPT =
  /^(?:Script .* returned with error code \d+|Could not (?:find|open|delete|fetch) .*|.*composer\.json (?:file )?(?:does not|could not) .*|The lock file is not up to date .*|.* lock file is not up to date with .*)$/;
const WARNING =
  /^(?:Warning: (?:The lock file|Ambiguous|This development build|.*composer).*|Package \S+ is abandoned, .*)$/;

type Part = "none" | "unsolvable" | "problem" | "block";

/** Reads why Composer could not install: unsolvable requirements, exceptions, failed scripts. */
class ComposerParser implements LineParser {
  readonly #drafts;
  #part: Part = "none";

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    if (UNSOLVABLE.test(text)) return this.#open("unsolvable", text);
    if (PROBLEM.test(text) && (this.#part === "unsolvable" || this.#part === "problem")) {
      const head = this.#drafts.current?.message[0] ?? "";
      if (this.#part === "unsolvable" && this.#drafts.current !== undefined) this.#part = "problem";
      else this.#open("problem", head);
      return true;
    }
    if (THROWN.test(text) || OLD_THROWN.test(text)) return this.#open("block");
    if (this.#part !== "none" && this.#goesOn(text)) return true;
    this.#drafts.close();
    this.#part = "none";
    const boxed = text.endsWith("  ") ? BOXED.exec(text)?.[1] : undefined;
    if (boxed !== undefined) return this.#open("block", boxed);
    if (SCRIPT.test(text)) return this.#open("none", text);
    if (!WARNING.test(text)) return false;
    this.#drafts.open({ severity: "warning" }, text.replace(/^Warning: /, ""));
    return true;
  }

  end(): void {
    this.#drafts.close();
  }

  #open(part: Part, ...message: string[]): boolean {
    this.#drafts.open({ severity: "error" }, ...message);
    this.#part = part;
    return true;
  }

  #goesOn(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    if (text.trim() === "") {
      // A blank line after the message ends the exception.
      if (this.#part === "block" && draft.message.length > 0) {
        this.#drafts.close();
        this.#part = "none";
      }
      return true;
    }
    if (!text.startsWith("  ")) return false;
    draft.message.push(this.#part === "block" ? text.trim() : text.slice(2).trimEnd());
    return true;
  }
}
