import type { ExecutionEnd } from "../../exec/execute.ts";
import type { HiddenStage, RunEnd } from "../../model/run.ts";
import type { RecordedCommand } from "./recorded-command.ts";
import type { RecordedStage } from "./recording.ts";

const SIGPIPE_STATUS = 128 + 13;

interface Ended extends RecordedStage {
  readonly status?: number;
  readonly isCut: boolean;
}

/**
 * Determines the exit code of a run from the stages of its command line: if a stage that does the work failed, its exit
 * code counts, whatever the line as a whole returned.
 */
export function judgeStages(
  { stages: reports, ...end }: ExecutionEnd,
  recorded: RecordedCommand | undefined,
): RunEnd {
  if (recorded === undefined || end.exitCode === undefined) return end;
  if ("unread" in recorded) return { ...end, unread: recorded.unread };
  if (reports === undefined) return { ...end, unread: "a pipe (its streams could not be opened)" };
  const byId = new Map(reports.map((report) => [report.id, report]));
  const ended = recorded.stages.map((stage): Ended => ({ isCut: false, ...byId.get(stage.id), ...stage }));
  const isPartial = recorded.isPartial || ended.some(({ isCut }) => isCut);
  const hidden = findHidden(ended, end.exitCode);
  const failed = hidden.find(({ kind }) => kind === "failed");
  const exitCode = failed?.exitCode ?? (hidden.some(({ kind }) => kind === "filter") ? 0 : end.exitCode);
  return {
    ...end,
    exitCode,
    ...(exitCode === end.exitCode ? {} : { lineExitCode: end.exitCode }),
    ...(hidden.length === 0 ? {} : { hidden }),
    ...(isPartial ? { isPartial } : {}),
  };
}

function findHidden(stages: readonly Ended[], lineExitCode: number): HiddenStage[] {
  const failed = new Set(stages.filter(hasFailed).map(({ id }) => id));
  const work = stages.filter(({ counts }) => counts);
  const name = ({ command }: Ended): { command?: string } => (work.length > 1 ? { command } : {});
  const found = stages.flatMap((stage): HiddenStage[] => {
    const { behind, status, counts, inner, isCut, mayBeCut } = stage;
    if (failed.has(stage.id))
      return inner.some((id) => failed.has(id))
        ? []
        : [
            {
              kind: counts ? "failed" : "mentioned",
              ...name(stage),
              exitCode: status ?? 1,
              behind,
              ...(isCut ? { isCut } : {}),
            },
          ];
    return isCut && status === SIGPIPE_STATUS && counts && !mayBeCut
      ? [{ kind: "cut", ...name(stage), behind }]
      : [];
  });
  const [first] = work;
  // If no stage that does work has run although the line returned 0, an earlier command prevented them.
  if (lineExitCode === 0 && first !== undefined && work.every(({ status }) => status === undefined))
    found.push({ kind: "not_run", command: first.command, behind: first.behind });
  const shown = stages.find(({ isShownLast, status }) => isShownLast && status !== undefined);
  if (lineExitCode !== 0 && shown !== undefined && !found.some(({ kind }) => kind === "failed"))
    found.push({ kind: "filter", exitCode: lineExitCode, behind: shown.behind });
  return found;
}

function hasFailed({ status = 0, answers, isCut, isCopied }: Ended): boolean {
  if (status === 0 || answers.includes(status)) return false;
  // A stage that ended by SIGPIPE has failed only if the next stage did not end first, which is known only for copied
  // output.
  return status !== SIGPIPE_STATUS || (isCopied && !isCut);
}
