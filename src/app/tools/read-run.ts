import type { Services } from "../services.ts";
import { PithError } from "../../kernel/errors.ts";
import type { FileSlice } from "../../model/file-slice.ts";
import type { LogSlice } from "../../model/run-report.ts";
import { maskedLines } from "../../render/masked-note.ts";
import type { JailedPath } from "../../workspace/jail.ts";
import type { ReadOptions } from "../../workspace/files/read.ts";

/** The id of the run that a path `run:ID` names; undefined if a file of that name exists. */
export function runNamedBy({ exists, shown }: JailedPath): string | undefined {
  return exists ? undefined : /^run:([0-9a-z]+)$/.exec(shown)?.[1];
}

interface RunLines extends ReadOptions {
  readonly stream: LogSlice["stream"] | undefined;
}

/** Reads lines of a run's log as if the log were a file. */
export async function readRunLines(
  runId: string,
  options: RunLines,
  { runs }: Pick<Services, "runs">,
): Promise<FileSlice> {
  const { rangeOf } = await import("../../workspace/files/read.ts");
  const { start, end } = rangeOf(options);
  const { stream = "both", column, signal } = options;
  const service = await runs();
  const slice = await service.log({
    runId,
    stream,
    startLine: start,
    endLine: end,
    ...(column === undefined ? {} : { column }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (start > Math.max(1, slice.totalLines)) throw beyondEnd(start, slice);
  return fileSliceOf(slice, end);
}

function beyondEnd(line: number, { run, totalLines }: LogSlice): PithError {
  const message = `line ${line} is beyond the end: run ${run.id} has ${totalLines} lines`;
  const suggestion =
    run.end === undefined ? "It still runs: call again later." : `Use lines 1 to ${totalLines}.`;
  return new PithError("invalid_input", message, { suggestion });
}

function fileSliceOf({ run, lines, startLine, totalLines }: LogSlice, end: number): FileSlice {
  const column = lines[0]?.column;
  return {
    path: `run:${run.id}`,
    startLine: lines.length === 0 ? 0 : startLine,
    endLine: lines.length === 0 ? 0 : startLine + lines.length - 1,
    requestedEndLine: Math.min(end, totalLines),
    totalLines,
    totalIsExact: true,
    sizeBytes: run.log.bytes,
    lines: lines.map((line) => line.text),
    ...(column === undefined ? {} : { column }),
    clipped: lines.flatMap(({ number, hidden }) =>
      hidden === undefined ? [] : [{ line: number, ...hidden }],
    ),
    encoding: "utf-8",
    lineEnds: "lf",
    undecodable: 0,
    masked: maskedLines(lines, run),
    changedWhileReading: false,
    ...(run.end === undefined && { runningRun: run.id }),
  };
}
