import type { Budget } from "../../kernel/budget.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import { messageShape } from "../message-shape.ts";

/**
 * A cluster: failed tests that most likely have one cause, in the order of the run. The first one is shown as the
 * example.
 */
export interface FailureCluster {
  readonly example: TestFailure;
  readonly others: readonly TestFailure[];
}

/** Groups failed tests that most likely have the same cause, the largest group first. */
export function clusterFailures(failures: readonly TestFailure[]): FailureCluster[] {
  return [...groupBy(failures, shapeOfFailure).values()]
    .flatMap(([example, ...others]) => (example === undefined ? [] : [{ example, others }]))
    .toSorted((a, b) => b.others.length - a.others.length);
}

/**
 * Returns a key that is equal for failures with the same likely cause: the same assertion failed with the same kind of
 * difference (every `-200 +NaN` is one kind), or the same error was thrown at the same line of the project outside the
 * tests.
 */
function shapeOfFailure(failure: TestFailure): string {
  const { kind, message, expected, received } = failure;
  const values = [expected, received].map((value) => (value === undefined ? "" : kindOfValue(value)));
  return [kind, messageShape(message), ...values, thrownAt(failure)].join("\0");
}

/** Says what sort of value a text is, not which value: a number, a text, or the bracket that an object begins with. */
function kindOfValue(value: string): string {
  const text = value.trim();
  if (/^[-+]?(?:\d[\d_]*\.?\d*(?:e[-+]?\d+)?n?|0x[\da-f]+)$/i.test(text)) return "number";
  if (/^(?:NaN|undefined|null|None|nil|true|false|True|False|-?Infinity)$/.test(text)) return text;
  if (/^(?:"[^]*"|'[^]*'|`[^]*`)$/.test(text)) return "text";
  const [opening = ""] = /^(?:[\w$.]+ )?[[{(<]/.exec(text) ?? [];
  return opening === "" ? "value" : opening;
}

/**
 * The line of code that threw the error, if it is not in a test file. Such a line is a likely cause, whichever test
 * reached it.
 */
function thrownAt({ file, line, declared, expected, received, name }: TestFailure): string {
  const isCompared = expected !== undefined || received !== undefined;
  if (isCompared || file === undefined || line === undefined) return "";
  const isInTest = declared?.file === file || name.startsWith(file) || TEST_FILE.test(file);
  return isInTest ? "" : `${file}:${line}`;
}

const TEST_FILE =
  /(?:^|[/\\])(?:tests?|specs?|__tests__)[/\\]|[._-](?:test|spec)s?\.[^./\\]+$|(?:^|[/\\])test_[^/\\]+$/i;

/**
 * Writes where the other tests of a cluster are: `:15,18; 40 in src/b.test.ts`. Line numbers without a file are those
 * of the example's file.
 */
export function otherPlaces({ example, others }: FailureCluster, budget: Budget): string {
  const files = groupBy(others, ({ file = "" }) => file);
  const head = ` + ${others.length} alike`;
  budget.reserve(`${head}: , and 100 more files\n`);
  const places = [...files]
    .toSorted(([a], [b]) => Number(b === example.file) - Number(a === example.file))
    .map(([file, some]) => placeIn(file, some, example));
  const shown = budget.fit(places.slice(0, MAX_FILES), (place) => `${place}; `);
  const hidden = places.length - shown.length;
  const rest = hidden > 0 ? [`${shown.length > 0 ? "and " : ""}${pluralize(hidden, "more file")}`] : [];
  const text = [...shown, ...rest].join("; ");
  return text === "" ? head : `${head}: ${text}`;
}

/** Names the tests that failed at the same line as the example, because that line would say nothing new. */
function namesOf(failures: readonly TestFailure[]): string {
  const names = failures.slice(0, MAX_NAMES).map(({ name }) => name);
  const rest = failures.length - names.length;
  return names.join(", ") + (rest > 0 ? ` and ${rest} more at this line` : "");
}

/** The most tests that are named for one line; further ones are only counted. */
const MAX_NAMES = 3;
/** The most files that are named for a cluster of failed tests; further ones are only counted. */
const MAX_FILES = 8;
/** The most lines that are listed for a file; if there are more, the tests in the file are counted. */
const MAX_LINES = 12;

function placeIn(file: string, failures: readonly TestFailure[], example: TestFailure): string {
  const lines = [...new Set(failures.flatMap(({ line }) => line ?? []))].toSorted((a, b) => a - b);
  if (file === "") return pluralize(failures.length, "test");
  const isSameFile = file === example.file;
  if (isSameFile && lines.length === 1 && lines[0] === example.line) return namesOf(failures);
  if (lines.length === 0 || lines.length > MAX_LINES || lines.length < failures.length)
    return `${failures.length} in ${isSameFile ? "this file" : file}`;
  return `${isSameFile ? "" : file}:${lines.join(",")}`;
}
