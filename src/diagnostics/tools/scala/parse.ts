import { drafting, finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink, TestCounts } from "../../tool.ts";
import { javaFrame, placeAtFrame, setJavaMessage } from "../../traces/java-trace.ts";

const LEVEL = /^\[(error|warn|info)\](?: (.*))?$/;
const PLACED = /^(\S.{0,1000}?\.(?:scala|sbt|sc|java)):(\d{1,9}):(?:(\d{1,9}):)? (?:(error|warning): )?(.*)$/;
/** Matches Scala 3's `-- [E007] Type Mismatch Error: src/Cart.scala:4:19 ----`. */
const NEW_HEAD =
  /^-- (?:\[(E\d{3})\] )?(.{1,200}?)(Error|Warning): (\S.{0,1000}?\.(?:scala|sbt|sc)):(\d{1,9}):(\d{1,9}) ?-*$/;
const GUTTER = /^ {0,8}\d{0,7} ?\|(.*)$/;
/** Matches a line of Scalastyle's own command-line program; `WHOLE_FILE` matches what sbt shows about a whole file. */
const SCALASTYLE =
  /^(error|warning) file=(.{1,1000}?) message=(.*?)(?: line=(\d{1,9}))?(?: column=(\d{1,9}))?$/;
const WHOLE_FILE = /^(\S.{0,1000}?\.scala): (?!\d)(.*)$/;
const CARET = /^\s*\^\s*$/;
const CLOSING =
  /^(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:errors?|warnings?) found|\d+ errors?|\(.{1,200}\) Compilation failed|Total time: .*)$/;
const SBT_CAUSE =
  /^(?:Not a valid (?:command|key|project ID): .*|sbt\.\S*Exception: .*|Error downloading .*|\(.{1,200}\) (?!Compilation failed|sbt\.TestsFailedException).*)$/;

/** Reads scalac 2 and 3, directly or through sbt. */
export class ScalaParser implements LineParser {
  readonly #drafts;
  readonly #tests;
  #isScala3 = false;
  #hasError = false;
  #held: string | undefined;
  /** The level that sbt printed before the lines of the diagnostic that is being read. */
  #level: string | undefined;

  constructor(sink: Sink) {
    this.#drafts = drafting({
      ...sink,
      diagnostic: (found) => {
        this.#hasError ||= found.severity === "error";
        sink.diagnostic(found);
      },
    });
    this.#tests = new ScalaTests(sink);
  }

  take({ text }: Line): boolean {
    const match = text.startsWith("[") ? LEVEL.exec(text) : null;
    const level = match?.[1];
    const rest = match === null ? text : (match[2] ?? "");
    if (level !== this.#level && this.#drafts.current !== undefined) this.#close();
    this.#level = level;
    if (this.#readHeader(rest, level) || this.#continues(rest)) return true;
    this.#close();
    if (this.#tests.take(rest, level)) return true;
    if (level === "error" && SBT_CAUSE.test(rest)) {
      // If errors were reported, sbt's closing line only repeats that there were some, so it is skipped.
      if (!this.#hasError || !rest.startsWith("(")) this.#drafts.open({ severity: "error" }, rest);
      return true;
    }
    return CLOSING.test(rest);
  }

  end(): void {
    this.#close();
    this.#tests.end();
  }

  #close(): void {
    this.#drafts.close();
    this.#held = undefined;
  }

  #readHeader(text: string, level: string | undefined): boolean {
    const fresh = text.startsWith("-- ") ? NEW_HEAD.exec(text) : null;
    if (fresh !== null) {
      const [, code, kind = "", word, file = "", line, column] = fresh;
      // Scala 3 counts columns from 0.
      const place = { file, line: Number(line), column: Number(column) + 1 };
      const severity = word === "Warning" ? "warning" : "error";
      this.#drafts.open(
        { severity, ...place, ...(code === undefined ? {} : { code }) },
        `${kind}${word ?? ""}`.trim(),
      );
      this.#isScala3 = true;
      return true;
    }
    if (this.#readStyle(text, level)) return true;
    const match = PLACED.exec(text);
    if (match === null || (match[4] === undefined && level !== "error" && level !== "warn")) return false;
    const [, file = "", line, column, word, message = ""] = match;
    const severity = word === "warning" || (word === undefined && level === "warn") ? "warning" : "error";
    const at = column === undefined ? {} : { column: Number(column) };
    this.#drafts.open({ severity, file, line: Number(line), ...at }, message);
    this.#isScala3 = false;
    this.#held = undefined;
    return true;
  }

  #readStyle(text: string, level: string | undefined): boolean {
    const style = text.includes(" file=") ? SCALASTYLE.exec(text) : null;
    const whole = style === null && (level === "error" || level === "warn") ? WHOLE_FILE.exec(text) : null;
    if (style === null && whole === null) return false;
    const [, word, file = "", message = "", line, column] = style ?? [
      undefined,
      level,
      whole?.[1],
      whole?.[2],
    ];
    const at = {
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(column === undefined ? {} : { column: Number(column) }),
    };
    this.#drafts.open({ severity: word === "error" ? "error" : "warning", file, ...at }, message);
    this.#drafts.close();
    return true;
  }

  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || draft.found.file === undefined) return false;
    if (this.#isScala3) return this.#readGutter(text);
    if (CARET.test(text)) {
      if (draft.found.column === undefined) draft.found = { ...draft.found, column: text.indexOf("^") + 1 };
      this.#close();
      return true;
    }
    // The last line before the caret is the source line; the lines before that belong to the message.
    if (this.#held !== undefined) draft.message.push(this.#held);
    this.#held = undefined;
    if (text.trim() === "" || draft.message.length > 30) return false;
    this.#held = text;
    return true;
  }

  #readGutter(text: string): boolean {
    const draft = this.#drafts.current;
    const inside = GUTTER.exec(text)?.[1];
    if (draft === undefined || inside === undefined) return false;
    if (/^ {0,8}\d/.test(text) || inside.trim() === "" || /^\s*\^+\s*$/.test(inside)) return true;
    if (/longer explanation available|^\s*-{3,}/.test(inside)) return true;
    draft.message.push(inside.trim());
    return true;
  }
}

const SUITE = /^(\w[\w.$]{1,200}(?:Spec|Suite|Test|Tests|Specification)):$/;
/** Matches ScalaTest's `- should sum prices *** FAILED ***`. */
const SCALATEST = /^( {0,20})- (.{1,800}) \*\*\* FAILED \*\*\*(?: \(.*\))?$/;
const SCALATEST_MESSAGE = /^ {2,24}(\S.*?)(?: \(([\w$-]+\.scala):(\d{1,9})\))?$/;
/** Matches MUnit's `==> X acme.CartSuite.sums prices  0.012s munit.ComparisonFailException: /app/CartSuite.scala:12`. */
const MUNIT = /^==> X ([\w.$]{1,300}?\.[A-Z]\w{0,200})\.(.{1,800}?) {1,3}[\d.]+s (?:([\w.$]+): )?(.*)$/;
const PLACE = /^(\S.{0,800}?\.scala):(\d{1,9})(?: (.*))?$/;
const COUNTS =
  /^(?:Passed|Failed): Total (\d+), Failed (\d+), Errors (\d+), Passed (\d+)(?:, Skipped (\d+))?(?:, Ignored (\d+))?/;

/** Matches ScalaTest's own counts. sbt prints its own only if another framework ran too, or none printed a summary. */
const SCALATEST_COUNTS =
  /^Tests: succeeded (\d+), failed (\d+), canceled (\d+), ignored (\d+), pending (\d+)$/;
const ABORTED = /^Suites: completed \d+, aborted (\d+)$/;

/** Reads the output of ScalaTest and MUnit inside sbt's. */
class ScalaTests {
  readonly #sink: Sink;
  #suite = "";
  #failure: FailureDraft | undefined;
  #aborted = 0;
  /** ScalaTest's counts, held until it is known whether sbt's follow. */
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
    if (munit !== null) return this.#readMunit(munit);
    const counts = COUNTS.exec(text);
    if (counts !== null) return this.#readCounts(counts);
    const aborted = ABORTED.exec(text)?.[1];
    if (aborted !== undefined) this.#aborted = Number(aborted);
    const own = SCALATEST_COUNTS.exec(text);
    return aborted !== undefined || (own === null ? this.#readBody(text) : this.#readOwnCounts(own));
  }

  end(): void {
    this.#close();
    this.#flush();
  }

  #readOwnCounts([, succeeded, failed, ...others]: RegExpExecArray): boolean {
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

  #readMunit([, suite = "", name = "", , rest = ""]: RegExpExecArray): boolean {
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

  #readCounts([, total, failed, errors, passed, skipped = "0", ignored = "0"]: RegExpExecArray): boolean {
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

  #readBody(text: string): boolean {
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
