import { diffSides, trimBlank } from "../../javascript/diff.ts";
import { isFrame, projectPlace } from "../../javascript/frames.ts";
import { durationMs, quotedPattern } from "../../javascript/runner-output.ts";
import { defined } from "../../parsing/json.ts";
import { colonPlace } from "../../parsing/place.ts";
import type { Sink } from "../../tool.ts";

const HEADER = /^(\S.*) => (\S.*:\d+:\d+)$/;
const UNCAUGHT = /^(\S.*) \(uncaught error\)$/;
const SECTION = /^ ?(ERRORS|FAILURES) ?$/;
const CLOSING = /^(?:ok|FAILED) \| (.*)$/;
const CARET = /^ *\^+$/;
const COUNT = /(\d+) (passed|failed|ignored|measured|filtered out)/g;
const DIFF = /^ *\[Diff\] /;

/** Reads one run of `deno test`. */
export class DenoTestRun {
  readonly #sink: Sink;
  #section: string | undefined;
  #block:
    | { readonly name: string; readonly at: string; readonly suite: boolean; readonly lines: string[] }
    | undefined;
  open = true;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): void {
    const closing = CLOSING.exec(text)?.[1];
    const section = SECTION.exec(text)?.[1];
    if (closing !== undefined) return this.#close(closing);
    if (section !== undefined) {
      this.#closeBlock();
      this.#section = section;
    } else if (this.#section === "ERRORS" && !this.#header(text)) this.#block?.lines.push(text);
  }

  end(): void {
    this.#closeBlock();
    this.open = false;
  }

  #header(text: string): boolean {
    const [, name, at] = HEADER.exec(text) ?? [];
    const module = UNCAUGHT.exec(text)?.[1];
    if (name === undefined && module === undefined) return false;
    this.#closeBlock();
    this.#block = {
      name: name ?? module ?? "",
      at: at ?? module ?? "",
      suite: name === undefined,
      lines: [],
    };
    return true;
  }

  #closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    const end = block.lines.findIndex((line) => isFrame(line));
    const said = end < 0 ? block.lines : block.lines.slice(0, end);
    const caret = said.findLastIndex((line) => CARET.test(line));
    const message = caret > 0 ? said.slice(0, caret - 1) : said;
    const diff = message.findIndex((line) => DIFF.test(line));
    const sides = diff < 0 ? undefined : diffSides(message.slice(diff + 1), { expected: "+", received: "-" });
    const text = trimBlank(sides === undefined ? message : message.slice(0, diff)).join("\n");
    const declared = colonPlace(block.at) ?? { file: block.at };
    this.#sink.failure({
      name: block.name.replaceAll(" ... ", " > "),
      kind: block.suite ? "suite" : "test",
      message: text.replace(/^error: /, "").trimEnd(),
      ...declared,
      ...projectPlace(block.lines),
      ...sides,
      rerun: block.suite
        ? declared.file
        : `${declared.file} --filter ${quotedPattern(block.name.split(" ... ")[0] ?? "")}`,
    });
  }

  #close(closing: string): void {
    this.end();
    const counts = new Map(
      [...closing.matchAll(COUNT)].map(([, number, word = ""]) => [word, Number(number)]),
    );
    this.#sink.summary(
      defined({
        passed: counts.get("passed") ?? 0,
        failed: counts.get("failed") ?? 0,
        skipped: counts.get("ignored") ?? 0,
        durationMs: durationMs(/\(([^()]*)\)$/.exec(closing)?.[1] ?? ""),
      }),
    );
  }
}
