import type { Sink } from "../../tool.ts";
import { readBlock } from "./block.ts";
import { idTail, splitSummary } from "./summary.ts";
import type { SummaryLine } from "./summary.ts";
import { isForeign } from "../../traces/python-trace.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

/** A failed test or module as it is shown in the sections before the short summary. */
export interface Shown {
  /** The heading of the failure, which names the test; undefined for `--tb=line`, which names no test. */
  readonly head: string | undefined;
  readonly kind: "test" | "suite";
  readonly lines: readonly string[];
}

const COLLECTING = /^ERROR collecting (.+)$/;
const STAGE = /^ERROR at (setup|teardown) of (.+)$/;

/** Reports the failures of one session: those shown, with the ids of the short summary, and those that only the summary names. */
export function reportFailures(shown: readonly Shown[], summary: readonly SummaryLine[], sink: Sink): void {
  const open = [...summary];
  for (const one of shown) {
    const at = one.head === undefined ? sameMessage(open, one) : matching(open, one);
    const [line] = at < 0 ? [] : open.splice(at, 1);
    sink.failure(toFailure(one, line));
  }
  for (const line of open) {
    const { id, message } = splitSummary(line.text);
    const file = id.includes("::") ? id.slice(0, id.indexOf("::")) : id;
    sink.failure({
      kind: line.word === "ERROR" ? "suite" : "test",
      name: id,
      message: message || (line.word === "ERROR" ? "error" : "failed"),
      file,
      rerun: id,
    });
  }
}

/** Finds the summary line of a failure of `--tb=line`, which names no test, by its message, which the summary may have truncated. */
function sameMessage(lines: readonly SummaryLine[], shown: Shown): number {
  const { message } = readBlock(shown.lines);
  return lines.findIndex(({ word, text }) => {
    const words = splitSummary(text).message.replace(/\.{3,}$/, "");
    return word === "FAILED" && words !== "" && message.startsWith(words);
  });
}

/**
 * Finds the line of the short summary for a failure that is shown above: its test id ends with the name in the
 * failure's heading.
 */
function matching(lines: readonly SummaryLine[], shown: Shown): number {
  const head = shown.head ?? "";
  const collected = COLLECTING.exec(head)?.[1];
  const word = shown.kind === "suite" ? "ERROR" : "FAILED";
  const tail = collected ?? `::${idTail(STAGE.exec(head)?.[2] ?? head)}`;
  const fits = ({ text }: SummaryLine): boolean => {
    const at = text.indexOf(tail);
    const end = at + tail.length;
    return (
      at >= 0 &&
      (collected === undefined || at === 0) &&
      (end === text.trimEnd().length || text.startsWith(" - ", end))
    );
  };
  const exact = lines.findIndex((line) => line.word === word && fits(line));
  if (exact >= 0) return exact;
  // If a worker process crashed, the heading of the failure is the name of the test's file.
  return lines.findIndex((line) => line.word === word && line.text.startsWith(`${head}::`));
}

function toFailure(shown: Shown, line: SummaryLine | undefined): TestFailure {
  const head = shown.head ?? "";
  const collected = COLLECTING.exec(head)?.[1];
  const stage = STAGE.exec(head);
  const { file: innermost, line: at, ...details } = readBlock(shown.lines);
  const named = line === undefined ? undefined : idOf(line, shown);
  const short = line === undefined ? "" : splitSummary(line.text).message;
  const id = named ?? collected ?? stage?.[2] ?? (head || `${innermost ?? ""}:${at ?? ""}`);
  const subtest = / \[[^\]]*\](?: \([^()]*\))?$| \([^()]*\)$/.exec(head)?.[0] ?? "";
  const message = details.message || short || "failed";
  const inProject = innermost !== undefined && !isForeign(innermost);
  const owner = collected ?? (id.includes("::") ? id.slice(0, id.indexOf("::")) : innermost);
  const file = inProject ? innermost : owner;
  return {
    kind: shown.kind,
    name: id + subtest,
    ...details,
    message: stage === null ? message : `${message}\nat ${stage[1] ?? ""}`,
    ...(file === undefined ? {} : { file }),
    ...(at === undefined || file !== innermost ? {} : { line: at }),
    ...(named === undefined && collected === undefined ? {} : { rerun: id }),
  };
}

function idOf(line: SummaryLine, shown: Shown): string {
  if (shown.head === undefined) return splitSummary(line.text).id;
  const collected = COLLECTING.exec(shown.head)?.[1];
  if (collected !== undefined) return collected;
  const tail = `::${idTail(STAGE.exec(shown.head)?.[2] ?? shown.head)}`;
  const at = line.text.indexOf(tail);
  return at < 0 ? splitSummary(line.text).id : line.text.slice(0, at + tail.length);
}
