import { diffSides, trimBlank } from "../../javascript/diff.ts";
import { isFrame, plainPath, projectPlace } from "../../javascript/frames.ts";
import { quotedPattern } from "../../javascript/runner-output.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Place } from "../../../model/diagnostic.ts";

export const ava = defineBuildTool({
  id: "ava",
  title: "AVA",
  url: "https://github.com/avajs/ava",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["ava"],
  signatures: ["✘ ", "✔ ", "  ✖ ", "Uncaught exception in ", "Unhandled rejection in "],
  priority: 3,
  parser: avaParser,
  commands: [
    {
      name: "ava.test",
      description: "Run the tests",
      detect: (folder) =>
        folder.packageJson?.dependencies["ava"] === undefined ? undefined : "package.json depends on ava",
      argv: () => ["npx", "--no-install", "ava"],
    },
  ],
  rerun: "npx ava",
  selectTests: { files: (argv, paths) => [...argv, ...paths] },
  ownsIndented: /^ {2}(?:✘ \[fail\]|─$|(?:Uncaught exception|Unhandled rejection) in \S)/,
});

const OUTCOME = /^ {2}(✔|✘|✖) (?:\[(fail|expected fail|unexpected pass)\]:? )?(\S.*?)(?: \(\d[\d.]*m?s\))?$/;
const SKIPPED = /^ {2}- \[(?:skip|todo)\] /;
const COUNT =
  /^ {2}(\d+) (tests? (?:failed|passed|skipped|todo)|known failures?|unhandled rejections?|uncaught exceptions?)(?: \[[\d:]{8}\])?$/;
const OUTSIDE = /^ {2}(Uncaught exception|Unhandled rejection) in (\S.*)$/;
const EXITED = /^(\S.*) (?:exited with a non-zero exit code|exited due to|timed out)/;
const NO_FILES =
  /^ {2}✘ (?:Couldn't find any (?:files|matching tests)|Based on your configuration, .*did not match the filters|No tests found in .*)/;
const SOURCE = /^\s*\d+: /;
const AT = /^\S+\.[cm]?[jt]sx?:\d+$/;
const CALL = /^› (.*)$/;
const DIFF = /^Difference(?: \(- actual, \+ expected\))?:$/;
const MAX_HELD = 5_000;
const RULE = /^ {2}─+$/;

interface Block {
  readonly name: string;
  readonly kind: "test" | "unhandled";
  readonly file: string | undefined;
  readonly lines: string[];
}

/** Reads AVA's default reporter. */
function avaParser(sink: Sink): LineParser {
  return new AvaReader(sink);
}

class AvaReader implements LineParser {
  readonly #sink: Sink;
  #isOpen = false;
  /** Names of the failed tests that AVA lists; some are followed by a short reason. */
  #failed: string[] = [];
  #passed = 0;
  /** Results in a list that may turn out to be AVA's. They are held until its separator line confirms it. */
  #held: { passed: number; readonly failed: string[] } = { passed: 0, failed: [] };
  readonly #counts = new Map<string, number>();
  #inDetails = false;
  #hasSeparator = false;
  #block: Block | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (text.length > 20_000) return this.#isOpen;
    if (NO_FILES.test(text)) return this.#readNothing(text);
    return (
      this.#readOutcome(text) ||
      this.#readOutside(text) ||
      this.#count(text) ||
      (this.#isOpen && this.#readInside(text))
    );
  }

  end(): void {
    this.#close();
    const sum = (word: string): number =>
      [...this.#counts].filter(([key]) => key.startsWith(word)).reduce((all, [, number]) => all + number, 0);
    if (this.#counts.size > 0)
      this.#sink.summary({
        passed: Math.max(sum("test passed"), this.#passed),
        failed: sum("test failed"),
        skipped: sum("test skipped") + sum("test todo"),
        unhandledErrors: sum("unhandled") + sum("uncaught"),
      });
    this.#counts.clear();
    this.#failed = [];
    this.#passed = 0;
    this.#isOpen = false;
    this.#inDetails = false;
  }

  #readNothing(text: string): boolean {
    this.#sink.diagnostic({ severity: "error", message: text.slice(4) });
    this.#sink.summary({ passed: 0, failed: 0, skipped: 0, total: 0 });
    return true;
  }

  #readOutcome(text: string): boolean {
    const [, mark, word, title = ""] = OUTCOME.exec(text) ?? [];
    if (mark === undefined || this.#inDetails) return SKIPPED.test(text) && this.#isOpen;
    // Other tools print lists with the same symbols. In AVA's, the file precedes the test or a word in brackets follows it.
    const isAva = this.#isOpen || word !== undefined || title.includes(" › ");
    if (!isAva) return this.#hold(mark, title);
    this.#close();
    this.#begin();
    const exited = mark === "✔" ? undefined : EXITED.exec(title)?.[1];
    if (mark === "✔") {
      this.#passed++;
      this.#sink.outcome({ name: title, result: "passed" });
    } else if (exited === undefined) this.#failed.push(title);
    else this.#sink.failure({ name: exited, kind: "suite", message: title, file: exited, rerun: exited });
    return true;
  }

  /**
   * Holds an entry of a list of results. If AVA's separator line ends the list, the entry belongs to a run of one file,
   * in which AVA omits the file name.
   */
  #hold(mark: string, title: string): false {
    if (mark === "✔") this.#held.passed++;
    else if (this.#held.failed.length < MAX_HELD) this.#held.failed.push(title);
    return false;
  }

  #begin(): void {
    this.#isOpen = true;
    this.#passed += this.#held.passed;
    this.#failed.push(...this.#held.failed);
    this.#held = { passed: 0, failed: [] };
  }

  #readOutside(text: string): boolean {
    const [, title, file] = OUTSIDE.exec(text) ?? [];
    if (title === undefined || file === undefined) return false;
    this.#close();
    this.#isOpen = true;
    this.#block = { name: `${title} in ${file}`, kind: "unhandled", file, lines: [] };
    return true;
  }

  #count(text: string): boolean {
    const [, number, words = ""] = this.#isOpen || this.#hasSeparator ? (COUNT.exec(text) ?? []) : [];
    // If a run has a single file, AVA prints no file names, so the separator line before the counts is what identifies
    // its output.
    this.#hasSeparator = !this.#isOpen && (RULE.test(text) || (this.#hasSeparator && text.trim() === ""));
    if (this.#hasSeparator && this.#held.failed.length > 0) {
      this.#begin();
      this.#inDetails = true;
      return true;
    }
    if (number === undefined) return false;
    this.#close();
    this.#begin();
    this.#inDetails = true;
    this.#counts.set(words.replace(/^tests /, "test "), Number(number));
    return true;
  }

  #readInside(text: string): boolean {
    if (RULE.test(text)) {
      this.#close();
      this.#inDetails = true;
      return true;
    }
    const title = this.#inDetails && /^ {2}\S/.test(text) ? text.trim() : undefined;
    const known =
      title === undefined
        ? undefined
        : this.#failed.find((one) => one === title || one.startsWith(`${title} `));
    if (title !== undefined && known !== undefined && this.#counts.size === 0) {
      this.#close();
      this.#block = { name: title, kind: "test", file: undefined, lines: [] };
      this.#failed = this.#failed.filter((one) => one !== known);
      return true;
    }
    if (this.#block !== undefined) this.#block.lines.push(text.replace(/^ {2}/, ""));
    // Unless a failure is being read, other text below the counts is not AVA's.
    const over = this.#counts.size > 0 || !text.startsWith(" ");
    if (this.#block === undefined && text.trim() !== "" && over) {
      this.end();
      return false;
    }
    return true;
  }

  #close(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    const { name, kind, file, lines } = block;
    const diff = lines.findIndex((line) => DIFF.test(line));
    const stack = lines.findIndex((line) => isFrame(line) || CALL.test(line));
    const body = lines.slice(0, stack < 0 ? undefined : stack);
    const sides = diff < 0 ? undefined : diffSides(body.slice(diff + 1), { expected: "+", received: "-" });
    const content = (diff < 0 ? body : lines.slice(0, diff)).filter(
      (line) => !SOURCE.test(line) && !AT.test(line),
    );
    const text = dropRepeats(trimBlank(content)).join("\n");
    const place = placeOf(lines) ?? (file === undefined ? undefined : { file });
    this.#sink.failure({
      name,
      kind,
      message: text === "" && sides !== undefined ? "Difference" : text,
      ...place,
      ...sides,
      ...(kind === "test" ? { rerun: `--match=${quotedPattern(name.replace(/^.* › /, ""))}` } : {}),
    });
  }
}

function placeOf(lines: readonly string[]): Place | undefined {
  for (const line of lines) {
    const call = CALL.exec(line)?.[1];
    const place = call === undefined ? undefined : colonPlace(plainPath(call.replace(/^.*\(|\)$/g, "")));
    if (place !== undefined) return { ...place, file: place.file.replace(/^file:\/\//, "") };
  }
  const at = lines.find((line) => AT.test(line));
  return projectPlace(lines) ?? (at === undefined ? undefined : colonPlace(at));
}

/** Removes the repetition of an error, which AVA prints on its own and again before its stack. */
function dropRepeats(lines: readonly string[]): readonly string[] {
  const once = lines.filter((line, index) => line === "" || lines.indexOf(line) === index);
  return trimBlank(once.filter((line, index) => line !== "" || once[index - 1] !== ""));
}
