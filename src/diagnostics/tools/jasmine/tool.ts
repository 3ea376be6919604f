import { projectPlace } from "../../javascript/frames.ts";
import { durationMs, quotedPattern } from "../../javascript/runner-output.ts";
import { defined } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink, TestCounts } from "../../tool.ts";

export const jasmine = defineBuildTool({
  id: "jasmine",
  title: "Jasmine",
  url: "https://jasmine.github.io",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["jasmine"],
  signatures: [" specs, ", " spec, ", "No specs found"],
  priority: 3,
  parser: jasmineParser,
  commands: [
    {
      name: "jasmine.test",
      description: "Run the specs",
      detect: (folder) =>
        folder.packageJson?.dependencies["jasmine"] === undefined
          ? undefined
          : "package.json depends on jasmine",
      argv: () => ["npx", "--no-install", "jasmine"],
    },
  ],
  rerun: "npx jasmine",
  selectTests: { files: (argv, paths) => [...argv, ...paths] },
});

const STARTED = /^Started$/;
const SECTION = /^(Failures|Pending):$/;
const NUMBERED = /^\d+\) (\S.*)$/;
const SUITE = /^(?:Suite error: (\S.*)|Top level suite error)$/;
const PART = /^ {2}(Message|Stack):$/;
const COUNTS = /^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?$/;
const FINISHED = /^Finished in (.+)$/;
const INCOMPLETE = /^(?:Incomplete: )?No specs found$/;

interface Block {
  readonly name: string;
  readonly suite: boolean;
  readonly message: string[];
  readonly stack: string[];
  part: "message" | "stack" | undefined;
}

/** Reads Jasmine's console reporter. */
function jasmineParser(sink: Sink): LineParser {
  return new JasmineReader(sink);
}

class JasmineReader implements LineParser {
  readonly #sink: Sink;
  #isOpen = false;
  #section = "";
  #block: Block | undefined;
  #counts: TestCounts | undefined;
  #suites = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (text.length > 20_000) return this.#isOpen;
    if (this.#pluralize(text)) return true;
    if (STARTED.test(text)) {
      this.end();
      this.#isOpen = true;
      return true;
    }
    if (!this.#isOpen) return false;
    const finished = FINISHED.exec(text)?.[1];
    if (finished !== undefined && this.#counts !== undefined) {
      this.#close(durationMs(finished));
      return true;
    }
    if (INCOMPLETE.test(text) && this.#section === "") {
      this.#sink.diagnostic({ severity: "error", message: "No specs found" });
      this.#counts = { total: 0, passed: 0, failed: 0, skipped: 0 };
      return true;
    }
    return this.#readHeading(text) || this.#inBlock(text) || this.#section !== "" || /^[.F*]*$/.test(text);
  }

  end(): void {
    this.#close(undefined);
  }

  #close(duration: number | undefined): void {
    this.#closeBlock();
    if (this.#counts !== undefined)
      this.#sink.summary(defined({ ...this.#counts, failedSuites: this.#suites, durationMs: duration }));
    this.#counts = undefined;
    this.#suites = 0;
    this.#isOpen = false;
    this.#section = "";
  }

  #pluralize(text: string): boolean {
    const [, total, failed, pending] = COUNTS.exec(text) ?? [];
    if (total === undefined) return false;
    this.#closeBlock();
    // Failed suites are subtracted, because Jasmine counts their failures together with those of specs.
    const failedSpecs = Number(failed) - this.#suites;
    const skipped = Number(pending ?? 0);
    const passed = Number(total) - failedSpecs - skipped;
    this.#counts = { total: Number(total), failed: failedSpecs, skipped, passed };
    this.#isOpen = true;
    return true;
  }

  #readHeading(text: string): boolean {
    const next = SECTION.exec(text)?.[1];
    if (next !== undefined) {
      this.#closeBlock();
      this.#section = next;
      return true;
    }
    const suite = SUITE.exec(text);
    const name = this.#section === "Failures" ? NUMBERED.exec(text)?.[1] : undefined;
    if (suite === null && name === undefined) return false;
    this.#closeBlock();
    const title = name ?? suite?.[1] ?? text;
    this.#block = { name: title, suite: suite !== null, message: [], stack: [], part: undefined };
    return true;
  }

  #inBlock(text: string): boolean {
    const block = this.#block;
    if (block === undefined) return false;
    const part = PART.exec(text)?.[1];
    if (part !== undefined) block.part = part === "Message" ? "message" : "stack";
    else if (block.part === "message") block.message.push(text.replace(/^ {4}/, ""));
    else if (block.part === "stack") block.stack.push(text);
    return true;
  }

  #closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    const { name, suite, message, stack } = block;
    if (suite) this.#suites++;
    this.#sink.failure({
      name,
      kind: suite ? "suite" : "test",
      message: message.join("\n").trim(),
      ...projectPlace(stack),
      rerun: `--filter=${quotedPattern(name)}`,
    });
  }
}
