import type { FailureDraft } from "../parsing/draft.ts";

/** A line of a Java stack trace: `at com.acme.Cart.add(Cart.java:11)`. */
export interface JavaFrame {
  /** Class and method, such as `com.acme.Cart.add`. */
  readonly symbol: string;
  readonly file?: string;
  readonly line?: number;
}

const FRAME =
  /^(?:at )?(?:[\w.@$-]{1,200}\/{1,2}){0,3}([\w.$<>+-]{1,600}(?: [\w.$ -]{1,200})?)\(([^()]{0,300})\)(?: ~?\[.{0,300}\])?$/u;
const SOURCE = /^(.{1,250}):(\d{1,9})$/;
/** Matches code outside the project: the platform, test runners and assertion libraries. */
const FOREIGN =
  /^(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.codehaus\.groovy|org\.junit|junit|org\.hamcrest|org\.assertj|org\.mockito|org\.opentest4j|org\.apache\.maven|org\.gradle|worker\.org\.gradle|org\.testng|org\.spockframework|com\.google\.common\.truth|org\.springframework|io\.kotest|io\.mockk|org\.scalatest|munit|sbt|android|androidx|com\.android|dalvik|org\.robolectric|net\.bytebuddy)\./;

/** Reads one line of a Java stack trace, with or without its `at`. */
export function javaFrame(text: string): JavaFrame | undefined {
  const match = FRAME.exec(text.trim());
  if (match === null) return undefined;
  const [, symbol = "", inside = ""] = match;
  const source = SOURCE.exec(inside);
  if (source === null)
    return /^(?:Native Method|Unknown Source|[\w$]+\.(?:java|kt|scala|groovy))$/.test(inside)
      ? { symbol }
      : undefined;
  const [, file = "", line] = source;
  return { symbol, file, line: Number(line) };
}

/** Returns whether the frame is in the platform, a test runner or an assertion library. */
export function isForeignFrame(frame: JavaFrame): boolean {
  return FOREIGN.test(frame.symbol);
}

/** Sets the failure's location to the first frame inside the project; later frames are ignored. */
export function placeAtFrame(draft: FailureDraft, frame: JavaFrame): void {
  if (draft.file !== undefined || frame.file === undefined || isForeignFrame(frame)) return;
  draft.file = frame.file;
  if (frame.line !== undefined) draft.line = frame.line;
}

/** Reads the expected and received values from a message of a JVM assertion library, or returns undefined if it is not a comparison. */
export function javaComparison(message: string): { expected: string; received: string } | undefined {
  const angles = /expected: ?<([\s\S]*)> but was: ?<([\s\S]*)>/.exec(message);
  if (angles !== null) return { expected: angles[1] ?? "", received: angles[2] ?? "" };
  const named = /(?:^|\n)\s*[Ee]xpected:? {0,8}:? ?(.*)\n\s*(?:[Aa]ctual|[Bb]ut was|but): {0,8}(.*)/.exec(
    message,
  );
  if (named !== null) return { expected: (named[1] ?? "").trim(), received: (named[2] ?? "").trim() };
  const testng = /expected \[([\s\S]*)\] but found \[([\s\S]*)\]/.exec(message);
  return testng === null ? undefined : { expected: testng[1] ?? "", received: testng[2] ?? "" };
}

/** Sets the expected and received values of a failure if its message is a comparison. */
export function setJavaMessage(draft: FailureDraft): void {
  const sides = javaComparison(draft.message.join("\n"));
  if (sides === undefined) return;
  draft.expected = sides.expected;
  draft.received = sides.received;
}
