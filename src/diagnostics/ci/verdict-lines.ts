import type { Line } from "../tool.ts";

/** A CI system's verdict on a step or on the whole job. */
export interface VerdictLine {
  readonly system: CiSystem;
  readonly failed: boolean;
  /** True if the verdict is about the whole job; it then overrides earlier failed steps. */
  readonly isFinal: boolean;
  readonly exitCode?: number;
  /** The command that failed, if the line quotes it. */
  readonly command?: string;
  /** The name of the step that failed, if the line has it. */
  readonly name?: string;
}

export type CiSystem =
  | "act"
  | "appveyor"
  | "azure"
  | "bitbucket"
  | "buildkite"
  | "circleci"
  | "cirrus"
  | "cloud-build"
  | "codebuild"
  | "drone"
  | "github"
  | "gitlab"
  | "jenkins"
  | "netlify"
  | "semaphore"
  | "teamcity"
  | "travis"
  | "vercel";

interface Rule {
  readonly system: CiSystem;
  readonly isFinal?: true;
  /**
   * A pattern for the verdict line. If it has a capture group, the group holds an exit code or a word of
   * `SUCCESS_WORDS`; a line that matches a pattern without a group means failure.
   */
  readonly line: RegExp;
}

/** The captured texts that mean that the step or job succeeded. */
const SUCCESS_WORDS = new Set(["0", "SUCCESS", "succeeded", "passed", "SUCCEEDED", "completed"]);

/**
 * The complete lines that the CI systems' own programs print. Sources: actions/runner, the agents of Azure Pipelines, Buildkite and Semaphore,
 * gitlab-runner, travis-build, drone-runtime, nektos/act, Jenkins' `Run`; for the others their documentation.
 */
const RULES: readonly Rule[] = [
  { system: "github", line: /^Process completed with exit code (-?\d{1,10})\.$/ },
  // The action nick-fields/retry prints this if an attempt after a failed one succeeded.
  { system: "github", line: /^Command (completed) after \d{1,4} attempt\(s\)\.$/ },
  { system: "github", line: /^The operation was cancell?ed\.$/ },
  { system: "github", line: /^The (?:process|action) '.{1,500}' (?:failed with exit code \d|has timed out)/ },
  { system: "github", line: /^(?:Docker|Git) [\w -]{1,40} failed with exit code:? \d/ },
  {
    system: "github",
    line: /^The (?:job (?:running|was)|hosted runner|self-hosted runner|runner has).{1,300}(?:exceeded the maximum execution time|lost communication|shutdown signal|was cancell?ed)/,
  },
  {
    system: "azure",
    line: /^(?:Bash|PowerShell|Cmd\.exe|Command line|Script|The agent worker) (?:exited|failed) with (?:exit )?code:? '?(-?\d{1,10})'?/,
  },
  { system: "azure", line: /^The job running on (?:runner|agent) .{1,200} ran longer than the maximum time/ },
  { system: "azure", line: /^##vso\[task\.complete [^\]]{0,200}result=Failed/ },
  { system: "gitlab", isFinal: true, line: /^(?:ERROR|WARNING): Job failed(?: \([\w ]{1,40}\))?(?:: |$)/ },
  { system: "gitlab", isFinal: true, line: /^Job (succeeded)$/ },
  { system: "travis", isFinal: true, line: /^Done\. Your build exited with (\d{1,10})\.?$/ },
  {
    system: "travis",
    isFinal: true,
    line: /^(?:Your build has been stopped\.|The build has been terminated|Done: Job Cancelled)$/,
  },
  {
    system: "travis",
    isFinal: true,
    line: /^(?:No output has been received in the last \d|The job exceeded the maximum (?:time|log) l|The log length has exceeded the limit)/,
  },
  // Travis quotes the command, which may have several lines; only its last line is then on the line with the exit code.
  { system: "travis", line: /" exited with (\d{1,10})\.$/ },
  { system: "travis", line: /^The command .{1,4000} exited with (\d{1,10})\.$/ },
  { system: "travis", line: /^The command .{1,4000} failed and exited with \d{1,10} during/ },
  { system: "travis", line: /^The command .{1,4000} failed \d times\.$/ },
  { system: "circleci", line: /^Exited with code (?:exit status )?(\d{1,10})$/ },
  { system: "circleci", line: /^CircleCI received exit code (\d{1,10})$/ },
  { system: "circleci", line: /^Too long with no output \(exceeded \S{1,20}\)/ },
  { system: "circleci", line: /^(?:Step|Build) was cancell?ed$/ },
  {
    system: "jenkins",
    isFinal: true,
    line: /^Finished: (SUCCESS|FAILURE|UNSTABLE|ABORTED|NOT_BUILT)$/,
  },
  { system: "jenkins", line: /^(?:ERROR: )?script returned exit code (-?\d{1,10})$/ },
  { system: "jenkins", line: /^Failed in branch (\S.{0,200})$/ },
  { system: "jenkins", line: /^Build step '.{1,200}' (?:marked build as|changed build result to) FAILURE$/i },
  { system: "jenkins", line: /^Build (?:was aborted|timed out \(after \d)/ },
  { system: "buildkite", line: /^🚨 Error: The command (?:exited with status (-?\d{1,10})|was interrupted)/ },
  {
    system: "buildkite",
    line: /^🚨 Error: .{0,200}\b(?:hook exited with status|exited with status|failed)\b/i,
  },
  { system: "drone", line: /^(?:[\w.-]{1,80} ?: )?exit code:? (\d{1,10})$/ },
  { system: "appveyor", line: /^Command exited with code (-?\d{1,10})$/ },
  { system: "appveyor", line: /^Build execution time has reached the maximum allowed time/ },
  { system: "teamcity", line: /^Process exited with code (-?\d{1,10})(?: \(Step: .{1,200}\))?$/ },
  {
    system: "teamcity",
    line: /^##teamcity\[(?:buildProblem |buildStatus [^\]]{0,200}status=['"](?:FAILURE|ERROR)['"])/,
  },
  { system: "bitbucket", line: /^Exceeded build time limit of \d{1,5} minutes\.?$/ },
  { system: "bitbucket", line: /^Container '.{1,80}' exceeded memory limit\.?$/ },
  { system: "semaphore", line: /^exit code: (\d{1,10}) duration: / },
  { system: "semaphore", isFinal: true, line: /^\{"event":"job_finished",.{0,200}"result":"(\w{1,20})"/ },
  { system: "semaphore", line: /^\{"event":"cmd_finished",.{0,4000}"exit_code":(-?\d{1,10})\b/ },
  { system: "act", isFinal: true, line: /^(?:\[[^\]]{1,100}\])?\s*🏁 {1,2}Job (succeeded|failed)$/ },
  { system: "act", line: /^(?:\[[^\]]{1,100}\])?\s*❌ {1,2}Failure - \S/ },
  { system: "cirrus", line: /^Exit status: (\d{1,10})$/ },
  {
    system: "cloud-build",
    isFinal: true,
    line: /^(?:ERROR: )?build step \d{1,4} ".{1,300}" failed: (?:step|error|exit)/,
  },
  {
    system: "codebuild",
    line: /^(?:\[Container\] \S{1,20} \S{1,20} )?Phase complete: \w{1,40} State: FAILED/,
  },
  {
    system: "codebuild",
    line: /^(?:\[Container\] \S{1,20} \S{1,20} )?Command did not exit successfully .{1,2000} exit status \d/,
  },
  { system: "netlify", isFinal: true, line: /^Failed during stage '.{1,80}'/ },
  { system: "netlify", line: /^Build script returned non-zero exit code: \d/ },
  { system: "vercel", line: /^Command ".{1,2000}" exited with (\d{1,10})$/ },
];

/** Literal texts, one of which occurs in every verdict line; lines without one are not examined. */
export const VERDICT_SIGNATURES: readonly string[] = [
  "xit",
  "Job failed",
  "Job succeeded",
  "Finished: ",
  "was cancel",
  "been stopped",
  "been terminated",
  "Cancelled",
  "xceeded",
  "communication",
  "shutdown signal",
  "longer than the maximum",
  "timed out",
  "failed with",
  "task.complete",
  " times.",
  "No output has been",
  "Too long with no output",
  "marked build as",
  "build result to",
  "Failed in branch ",
  "was aborted",
  "🚨",
  "❌",
  "maximum allowed time",
  "##teamcity[build",
  "job_finished",
  "cmd_finished",
  "Phase complete",
  "failed: ",
  "Failed during stage",
  "returned non-zero",
  "failed. Re",
  "attempt(s).",
  "but continue next step",
  "but job will continue",
];

const QUOTED_COMMAND = /^(?:The )?[Cc]ommand "(.{1,4000})" (?:exited|failed)/;
const PARALLEL_BRANCH = /^Failed in branch (.+)$/;
const EXIT_CODE =
  /(?:exit(?:ed)?(?: with)?(?: (?:exit )?(?:code|status))?:?(?: exit status)?|exit_code":) ?'?(-?\d{1,10})\b/;

/** Matches the prefix (`Error: `) that web pages and terminals show where the log itself has the marker `##[error]`. */
const MARK = /^(?:Error|ERROR): (?=[A-Z])/;

/** Matches a line which says that a failed attempt is repeated, so that what it printed does not decide. */
const RETRY =
  /^(?:The command ".{1,4000}" failed\. Retrying, \d{1,3} of \d{1,3}\.|Attempt \d{1,3} failed\. Reason: .{1,200}|Retrying job: attempt \d{1,3} of \d{1,3}.{0,200})$/;

/** Returns whether a line with one of `VERDICT_SIGNATURES` announces that a failed command is tried again. */
export function announcesRetry({ text }: Pick<Line, "text">): boolean {
  return text.length <= 5_000 && RETRY.test(text.trimEnd());
}

/**
 * Matches a line which says that what failed just before it does not fail the job: act's on a step with
 * `continue-on-error`, the result of a task of Azure Pipelines, and GitLab's on its `after_script`.
 */
const ALLOWED =
  /^(?:\[[^\]]{1,100}\]\s{0,8}Failed but continue next step|(?:##\[debug\]Processed: )?##vso\[task\.complete [^\]]{0,200}\bresult=Succeeded(?:WithIssues)?\b.{0,500}|WARNING: after_script failed, but job will continue unaffected\b.{0,200})$/;

/** Returns whether a line with one of `VERDICT_SIGNATURES` says that the failure just before it was allowed. */
export function allowsFailure({ text }: Pick<Line, "text">): boolean {
  return text.length <= 1_000 && ALLOWED.test(text.trimEnd());
}

/** Systems whose verdicts cannot be mistaken for a line in the middle of a tool's output. */
const DISTINCT: ReadonlySet<CiSystem> = new Set(["azure", "buildkite", "github", "gitlab", "travis"]);

/** Returns whether a line with one of `VERDICT_SIGNATURES` certainly ends the output of a step or of an attempt at it. */
export function endsStep(line: Pick<Line, "text" | "level">): boolean {
  const verdict = readVerdict(line);
  return verdict === undefined ? announcesRetry(line) || allowsFailure(line) : DISTINCT.has(verdict.system);
}

/** Reads a CI system's verdict, or returns undefined for any other line. */
export function readVerdict({ text, level }: Pick<Line, "text" | "level">): VerdictLine | undefined {
  if (text.length > 5_000) return undefined;
  const whole = text.trimEnd();
  return (
    findRule(whole) ??
    (MARK.test(whole) && level === undefined ? findRule(whole.replace(MARK, "")) : undefined)
  );
}

function findRule(text: string): VerdictLine | undefined {
  for (const { system, isFinal = false, line } of RULES) {
    const match = line.exec(text);
    if (match === null) continue;
    const command = QUOTED_COMMAND.exec(text)?.[1];
    const name = PARALLEL_BRANCH.exec(text)?.[1];
    const exitCode = EXIT_CODE.exec(text)?.[1];
    return {
      system,
      isFinal,
      failed: match[1] === undefined || !SUCCESS_WORDS.has(match[1]),
      ...(command === undefined ? {} : { command }),
      ...(name === undefined ? {} : { name }),
      ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
    };
  }
  return undefined;
}
