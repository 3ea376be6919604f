import { addToGroup } from "../../../kernel/group-by.ts";
import { firstOwnGoFrame } from "../../traces/go-frames.ts";
import type { Place } from "../../../model/diagnostic.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export interface Test {
  readonly name: string;
  status: "running" | "FAIL" | "PASS" | "SKIP";
  readonly lines: string[];
}

/** Formats a crash like a log line, so that it is read as the test's first message. */
export function crashLine(message: string, place: Place | undefined): string {
  return place === undefined
    ? `panic: ${message}`
    : `    ${place.file}:${place.line ?? 0}: panic: ${message}`;
}

/** Builds the failure of one test in its package. */
export function toFailure(
  test: Test,
  pack: string | undefined,
  race: readonly string[] | undefined,
): TestFailure {
  const details = test.name.startsWith("Example") ? exampleDetails(test.lines) : readTestLines(test.lines);
  const raced =
    race !== undefined && test.lines.some((line) => line.includes("race detected during execution of test"));
  const place = raced ? firstOwnGoFrame(race) : undefined;
  return {
    kind: "test",
    name: test.name,
    ...details,
    ...(raced ? { message: ["race detected during execution of test", ...race.slice(0, 1)].join("\n") } : {}),
    ...(place === undefined ? {} : { file: place.file }),
    ...(place?.line === undefined ? {} : { line: place.line }),
    rerun: rerunOf(test.name, pack),
  };
}

/** Reads the failure of an example function, whose whole output is compared with the expected one. */
function exampleDetails(lines: readonly string[]): Pick<TestFailure, "message" | "expected" | "received"> {
  const got = lines.indexOf("got:");
  const want = lines.findIndex((line) => /^want(?: \(unordered\))?:$/.test(line));
  if (got < 0 || want < got) return readTestLines(lines);
  return {
    message: "output differs",
    received: lines.slice(got + 1, want).join("\n"),
    expected: lines
      .slice(want + 1)
      .join("\n")
      .trimEnd(),
  };
}

function rerunOf(name: string, pack: string | undefined): string {
  const pattern = name
    .split("/")
    .map((part) => `^${part}$`)
    .join("/");
  return `go test ${pack === undefined ? "" : `${pack} `}-run '${pattern}'`;
}

type Details = Pick<TestFailure, "message" | "file" | "line" | "expected" | "received">;

const LOG = /^\s*([^\s:][^:]*\.go):(\d{1,7}): ?(.*)$/;
/**
 * Matches words that show that a line is a failure's message rather than a log message; Go prints both in the same
 * form.
 */
const FAILURE_WORDS =
  /\b(?:want|wanted|expect|expected|got|fail|failed|failure|error|unexpected|should|must|mismatch|not equal|differ|diff|invalid|missing|panic|nil|!=)\b|!=|<>/i;

interface Entry {
  readonly file: string;
  readonly line: number;
  readonly lines: string[];
}

/**
 * Reads the lines of one failed test: the failure message (otherwise the last line), its location, and the two values
 * that testify compared.
 */
export function readTestLines(lines: readonly string[]): Details {
  const entries = readEntries(lines);
  const testify = entries.find((entry) => entry.lines.some((line) => line.startsWith("Error Trace:")));
  const main =
    testify ?? entries.find((entry) => FAILURE_WORDS.test(entry.lines.join(" "))) ?? entries.at(-1);
  if (main === undefined) {
    const words = lines.map((line) => line.trim()).filter((line) => line !== "");
    return { message: words.join("\n") || "failed" };
  }
  const lineOf = (entry: Entry): string => `${entry.file}:${entry.line}: ${shortened(entry)}`;
  // A test that runs several times (`-count`) prints the same lines each time.
  const others = new Set(entries.map(lineOf));
  others.delete(lineOf(main));
  const read = main === testify ? readTestify(main) : undefined;
  const message = read?.message ?? main.lines.join("\n").trim();
  return {
    file: main.file,
    line: main.line,
    ...read,
    message: [message || "failed", ...others].join("\n"),
  };
}

function shortened(entry: Entry): string {
  return entry.lines.some((line) => line.startsWith("Error Trace:"))
    ? readTestify(entry).message
    : entry.lines.join("\n").trim();
}

function readEntries(lines: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const log = LOG.exec(line);
    if (log !== null) entries.push({ file: log[1] ?? "", line: Number(log[2]), lines: [log[3] ?? ""] });
    else entries.at(-1)?.lines.push(line.trim());
  }
  return entries;
}

/** Reads testify's table with the trace, the error, the test and the caller's message. */
function readTestify(entry: Entry): Details {
  const cells = new Map<string, string[]>();
  let open = "";
  for (const line of entry.lines) {
    const head = /^(Error Trace|Error|Test|Messages):\s*(.*)$/.exec(line);
    if (head !== null) open = head[1] ?? "";
    const text = head?.[2] ?? line;
    if (open !== "") addToGroup(cells, open, text);
  }
  const error = cells.get("Error") ?? [];
  const trace = /^(.+\.go):(\d{1,7})$/.exec(cells.get("Error Trace")?.[0] ?? "");
  const expected = error
    .map((line) => /^expected *: (.*)$/.exec(line)?.[1])
    .find((value) => value !== undefined);
  const received = error
    .map((line) => /^actual *: (.*)$/.exec(line)?.[1])
    .find((value) => value !== undefined);
  const equal = expected !== undefined && received !== undefined;
  const words = equal
    ? ["Not equal", ...(cells.get("Messages") ?? [])]
    : [...error, ...(cells.get("Messages") ?? [])];
  return {
    message: words.join("\n").trim(),
    ...(trace === null ? {} : { file: trace[1] ?? "", line: Number(trace[2]) }),
    ...(equal ? { expected, received } : {}),
  };
}
