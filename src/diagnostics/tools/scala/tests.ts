import { finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { javaFrame, placeAtFrame, setJavaMessage } from "../../traces/java-trace.ts";
import type { Sink, TestCounts } from "../../tool.ts";

const SUITE = /^(\w[\w.$]{1,200}(?:Spec|Suite|Test|Tests|Specification)):$/;
/** ScalaTest: `- should sum prices *** FAILED ***`. */
const SCALATEST = /^( {0,20})- (.{1,800}) \*\*\* FAILED \*\*\*(?: \(.*\))?$/;
const SCALATEST_MESSAGE = /^ {2,24}(\S.*?)(?: \(([\w$-]+\.scala):(\d{1,9})\))?$/;
/** MUnit: `==> X acme.CartSuite.sums prices  0.012s munit.ComparisonFailException: /app/CartSuite.scala:12`. */
const MUNIT = /^==> X ([\w.$]{1,300}?\.[A-Z]\w{0,200})\.(.{1,800}?) {1,3}[\d.]+s (?:([\w.$]+): )?(.*)$/;
const PLACE = /^(\S.{0,800}?\.scala):(\d{1,9})(?: (.*))?$/;
const COUNTS =
  /^(?:Passed|Failed): Total (\d+), Failed (\d+), Errors (\d+), Passed (\d+)(?:, Skipped (\d+))?(?:, Ignored (\d+))?/;

/** ScalaTest's own counts; sbt adds its line only where another framework is at work too, or none has a summary. */
const SCALATEST_COUNTS =
  /^Tests: succeeded (\d+), failed (\d+), canceled (\d+), ignored (\d+), pending (\d+)$/;
const ABORTED = /^Suites: completed \d+, aborted (\d+)$/;

/** Reads what ScalaTest and MUnit print below sbt. */
export class ScalaTests {
  readonly #sink: Sink;
  #suite = "";
  #failure: FailureDraft | undefined;
  #aborted = 0;
  /** ScalaTest's counts, until it is known whether sbt's follow. */
  #own: TestCounts | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string, level: string | undefined): boolean {
    if (level === undefined && !text.startsWith("==> X ") && this.#failure === undefined) return false;
    const suite = SUITE.exec(text)?.[1];
    if (suite !== undefined) {
      this.#close();
      this.#suite = suite;
      return true;
    }
    const scalatest = SCALATEST.exec(text);
    if (scalatest !== null) {
      this.#close();
      this.#failure = { name: `${this.#suite} ${scalatest[2] ?? ""}`.trim(), kind: "test", message: [] };
      return true;
    }
    const munit = text.startsWith("==> X ") ? MUNIT.exec(text) : null;
    if (munit !== null) return this.#munit(munit);
    const counts = COUNTS.exec(text);
    if (counts !== null) return this.#counts(counts);
    const aborted = ABORTED.exec(text)?.[1];
    if (aborted !== undefined) this.#aborted = Number(aborted);
    const own = SCALATEST_COUNTS.exec(text);
    return aborted !== undefined || (own === null ? this.#body(text) : this.#ownCounts(own));
  }

  end(): void {
    this.#close();
    this.#flush();
  }

  #ownCounts([, succeeded, failed, ...others]: RegExpExecArray): boolean {
    this.#close();
    this.#flush();
    const skipped = others.reduce((sum, count) => sum + Number(count), 0);
    const [passed, lost] = [Number(succeeded), Number(failed)];
    this.#own = {
      passed,
      failed: lost,
      skipped,
      total: passed + lost + skipped,
      failedSuites: this.#aborted,
    };
    this.#aborted = 0;
    return true;
  }

  #flush(): void {
    if (this.#own !== undefined) this.#sink.summary(this.#own);
    this.#own = undefined;
  }

  #munit([, suite = "", name = "", , rest = ""]: RegExpExecArray): boolean {
    this.#close();
    const place = PLACE.exec(rest);
    this.#failure = {
      name: `${suite}.${name}`,
      kind: "test",
      message: [place === null ? rest : (place[3] ?? "")],
      ...(place === null ? {} : { file: place[1] ?? "", line: Number(place[2]) }),
    };
    return true;
  }

  #counts([, total, failed, errors, passed, skipped = "0", ignored = "0"]: RegExpExecArray): boolean {
    this.#close();
    const failedSuites = this.#own?.failedSuites ?? 0;
    this.#own = undefined;
    this.#sink.summary({
      total: Number(total),
      failed: Number(failed) + Number(errors),
      passed: Number(passed),
      skipped: Number(skipped) + Number(ignored),
      failedSuites,
    });
    return true;
  }

  #body(text: string): boolean {
    const failure = this.#failure;
    if (failure === undefined) return false;
    const frame = /^\s*at /.test(text) ? javaFrame(text) : undefined;
    if (frame !== undefined) placeAtFrame(failure, frame);
    if (frame !== undefined || text.trim() === "...") return true;
    const match = SCALATEST_MESSAGE.exec(text);
    if (match === null || text.trimStart().startsWith("- ")) {
      this.#close();
      return false;
    }
    failure.message.push(match[1] ?? "");
    if (failure.file === undefined && match[2] !== undefined)
      Object.assign(failure, { file: match[2], line: Number(match[3]) });
    return true;
  }

  #close(): void {
    if (this.#failure === undefined) return;
    setJavaMessage(this.#failure);
    this.#sink.failure(finishedFailure(this.#failure));
    this.#failure = undefined;
  }
}
