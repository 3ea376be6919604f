import { countsFromTotal } from "../../parsing/counts.ts";
import { finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { hasMixFile } from "../mix/tool.ts";

export const exunit = defineBuildTool({
  id: "exunit",
  title: "ExUnit (mix test)",
  url: "https://hexdocs.pm/ex_unit",
  ecosystem: "general",
  kinds: ["test"],
  signatures: [") test ", ") doctest ", " tests, ", " test, ", ") property "],
  priority: 1,
  parser: (sink) => new ExunitParser(sink),
  commands: [
    {
      name: "mix.test",
      description: "Run the tests",
      detect: hasMixFile,
      argv: () => ["mix", "test"],
    },
  ],
  rerun: "mix test",
  selectTests: { files: (argv, paths) => [...argv, ...paths] },
  ownsIndented: /^ {1,4}\d{1,6}\) (?:doc)?test .{1,500} \([\w.]{1,300}\)$/,
});

const ENTRY = /^ {1,4}\d{1,6}\) ((?:test|doctest|property|feature) .{1,1500} \([\w.]{1,300}\))$/;
const LOCATION = /^ {5}(\S.{0,600}?\.exs?):(\d{1,9})$/;
const FRAME = /^ {7}(?:\(([\w.-]{1,100})(?: [\w.-]{1,60})?\) )?([^\s(].{0,600}?\.exs?):(\d{1,9}): /;
const COUNTS =
  /^(?:(\d+) doctests?, )?(?:(\d+) propert(?:y|ies), )?(?:(\d+) tests?, )?(\d+) failures?(?:, (.*))?$/;
const FINISHED = /^Finished in ([\d.]+) seconds/;

/**
 * Returns whether a stack frame is in the project: in a test file, which belongs to no application, or in the application
 * after which the test's module is named (`shop` for `Shop.CartTest` and `ShopWeb.CartTest`). Frames of dependencies look
 * just like those of the project.
 */
function isOwn(application: string | undefined, test: string): boolean {
  if (application === undefined) return true;
  const module = /\(([\w.]+)\)$/.exec(test)?.[1]?.toLowerCase() ?? "";
  return module.startsWith(application.replaceAll("_", "").toLowerCase());
}

/** Reads ExUnit's failures and counts. */
class ExunitParser implements LineParser {
  readonly #sink: Sink;
  #failure: FailureDraft | undefined;
  #inTrace = false;
  #durationMs: number | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const entry = ENTRY.exec(text)?.[1];
    if (entry !== undefined) {
      this.#close();
      this.#failure = { name: entry, kind: "test", message: [] };
      this.#inTrace = false;
      return true;
    }
    const finished = FINISHED.exec(text)?.[1];
    if (finished !== undefined) {
      this.#close();
      this.#durationMs = Math.round(Number(finished) * 1000);
      return false;
    }
    if (this.#readCounts(text)) return true;
    if (this.#failure === undefined) return false;
    if (text.trim() !== "" && !text.startsWith("     ")) {
      this.#close();
      return false;
    }
    return this.#body(this.#failure, text);
  }

  end(): void {
    this.#close();
  }

  #body(failure: FailureDraft, text: string): boolean {
    const location = failure.rerun === undefined ? LOCATION.exec(text) : null;
    if (location !== null) {
      failure.rerun = `${location[1] ?? ""}:${location[2] ?? ""}`;
      return true;
    }
    if (text.startsWith("     stacktrace:")) this.#inTrace = true;
    else if (this.#inTrace) {
      const frame = FRAME.exec(text);
      if (frame !== null && failure.file === undefined && isOwn(frame[1], failure.name))
        Object.assign(failure, { file: frame[2] ?? "", line: Number(frame[3]) });
    } else failure.message.push(text.slice(5));
    return true;
  }

  #readCounts(text: string): boolean {
    const match = COUNTS.exec(text);
    if (match === null || (match[1] ?? match[2] ?? match[3]) === undefined) return false;
    this.#close();
    const [, doctests = "0", properties = "0", tests = "0", failures, rest = ""] = match;
    const count = (name: string): number => Number(new RegExp(`(\\d+) ${name}`).exec(rest)?.[1] ?? 0);
    const total = Number(doctests) + Number(properties) + Number(tests);
    const failed = Number(failures) + count("invalid");
    const skipped = count("skipped") + count("excluded");
    const duration = this.#durationMs === undefined ? {} : { durationMs: this.#durationMs };
    this.#sink.summary({
      ...countsFromTotal(total, { failed, skipped }),
      ...duration,
    });
    this.#durationMs = undefined;
    return true;
  }

  #close(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined) return;
    const at = failure.file === undefined ? /^(.+):(\d+)$/.exec(failure.rerun ?? "") : null;
    if (at !== null) Object.assign(failure, { file: at[1] ?? "", line: Number(at[2]) });
    const text = failure.message.join("\n");
    const sides = /(?:^|\n)left: {1,3}([\s\S]*?)\nright: {1,3}([\s\S]*)$/.exec(text);
    if (sides !== null) {
      failure.received = (sides[1] ?? "").trim();
      failure.expected = (sides[2] ?? "").trim();
    }
    this.#sink.failure(finishedFailure(failure));
  }
}
