import { finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { hasPubspec, usesFlutter } from "../dart/tool.ts";

export const dartTest = defineBuildTool({
  id: "dart-test",
  title: "dart test and flutter test",
  url: "https://dart.dev/tools/testing",
  ecosystem: "general",
  kinds: ["test"],
  signatures: [" [E]", "All tests passed!", "Some tests failed.", ": loading "],
  priority: 6,
  parser: (sink) => new DartTestParser(sink),
  commands: [
    {
      name: "dart.test",
      description: "Run the tests",
      detect: (folder) => (folder.has("test") ? hasPubspec(folder) : undefined),
      argv: (folder) => (usesFlutter(folder) ? ["flutter", "test"] : ["dart", "test"]),
    },
  ],
  rerun: "dart test",
  selectTests: { files: (argv, paths) => [...argv, ...paths] },
});

/** Matches `00:01 +3 ~1 -1: test/cart_test.dart: Cart sums prices [E]`. */
const PROGRESS = /^(\d{2,4}):(\d\d) \+(\d+)(?: ~(\d+))?(?: -(\d+))?: (.*)$/;
const FRAME = /^ {2}(\S.{0,600}?\.dart) (\d{1,9}):(\d{1,9}) {1,}\S/;
const EXCEPTION = /^[═╞╡ ]{2,}╡ EXCEPTION CAUGHT BY /u;

/** Reads `dart test` and `flutter test`. */
class DartTestParser implements LineParser {
  readonly #sink: Sink;
  #failure: FailureDraft | undefined;
  #last: { passed: number; skipped: number; failed: number; durationMs: number } | undefined;
  #exception: string[] | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const progress = PROGRESS.exec(text);
    if (progress !== null) return this.#readProgress(progress);
    if (EXCEPTION.test(text)) {
      this.#close();
      this.#exception = [];
      return true;
    }
    if (this.#exception !== undefined) {
      if (/^═{20,}$/u.test(text)) return true;
      this.#exception.push(text);
      if (this.#exception.length < 200) return true;
      this.#exception = undefined;
    }
    return this.#failure !== undefined && this.#body(this.#failure, text);
  }

  end(): void {
    this.#close();
    this.#flush();
  }

  #readProgress([
    ,
    minutes,
    seconds,
    passed,
    skipped = "0",
    failed = "0",
    rest = "",
  ]: RegExpExecArray): boolean {
    this.#close();
    const durationMs = (Number(minutes) * 60 + Number(seconds)) * 1000;
    this.#last = { passed: Number(passed), skipped: Number(skipped), failed: Number(failed), durationMs };
    if (/^(?:All tests passed!|Some tests failed\.|No tests ran\.|All tests skipped\.)$/.test(rest))
      this.#flush();
    if (!rest.endsWith(" [E]")) return true;
    const name = rest.slice(0, -4);
    const file = /^(?:loading )?(\S.*?\.dart)(?:: |$)/.exec(name)?.[1];
    const isLoad = name.startsWith("loading ");
    this.#failure = {
      name: isLoad && file !== undefined ? file : name,
      kind: isLoad ? "suite" : "test",
      message: [],
      ...(file === undefined ? {} : { rerun: file }),
    };
    for (const line of this.#exception ?? []) this.#body(this.#failure, line);
    this.#exception = undefined;
    return true;
  }

  #flush(): void {
    if (this.#last !== undefined) this.#sink.summary(this.#last);
    this.#last = undefined;
  }

  #body(failure: FailureDraft, text: string): boolean {
    const frame = FRAME.exec(text);
    if (frame !== null && !text.startsWith("  package:")) {
      if (failure.file === undefined)
        Object.assign(failure, { file: frame[1] ?? "", line: Number(frame[2]), column: Number(frame[3]) });
      return true;
    }
    if (text.startsWith("  package:") || text.startsWith("  dart:")) return true;
    if (text.trim() === "") return true;
    if (!text.startsWith("  ") && !/^(?:Expected|Actual|Which|The |When )/.test(text.trim())) {
      this.#close();
      return false;
    }
    failure.message.push(text.replace(/^ {2}/, ""));
    return true;
  }

  #close(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined) return;
    const sides = /(?:^|\n)\s*Expected: (.*)\n\s*Actual: (.*)/.exec(failure.message.join("\n"));
    if (sides !== null) {
      failure.expected = sides[1] ?? "";
      failure.received = sides[2] ?? "";
    }
    this.#sink.failure(finishedFailure(failure));
  }
}
