import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { groupDiagnostics } from "../diagnostics/summarize/group.ts";
import { PithError, toPithError } from "../kernel/errors.ts";
import { parsedLogJson, renderParsedLog } from "../render/log/parsed-log.ts";
import { withLogMasked, withMaskedNote } from "../render/masked-note.ts";
import { jsonReply } from "../render/rendered.ts";
import { JSON_OPTION } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { type ReadLog, readLog } from "./read-log.ts";

export const ci: Command = {
  name: "ci",
  summary: "Explain why a CI run failed, from its logs",
  usage: "[FILE|FOLDER] [--against PASSING] [--all] [--json]",
  details:
    "Reads the log of a job, the output of `gh run view --log`, or a folder of unpacked logs with one file per job; without an argument, standard input. Exits with 1 if something failed or the outcome is unclear, else with 0.",
  options: {
    against: {
      type: "string",
      value: "PASSING",
      about: "The log, or the folder of logs, of a run that passed: says what is new.",
    },
    all: { type: "boolean", about: "List every diagnostic, warnings included." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens of text for each job." },
    ...JSON_OPTION,
  },
  examples: ["gh run view 123 --log | pith ci", "pith ci logs/ --against logs-of-main/", "pith ci job.txt"],
  async run(context) {
    const [input = "-", ...more] = context.positionals;
    if (more.length > 0)
      throw new PithError("invalid_input", "ci: name one file or folder, or none to read a pipe");
    const jobs: { readonly name: string; readonly log: ReadLog }[] = [];
    for (const { name, file } of jobsOf(input)) {
      const against = passingLog(context.text("against"), name);
      const log = await readLog({ file, ...(against === undefined ? {} : { against }) }, context);
      jobs.push({ name, log });
    }
    const isRed = ({ log }: (typeof jobs)[number]): boolean => isFailure(log);
    const red = jobs.filter(isRed);
    if (context.flag("json")) {
      const replies = jobs.map(({ name, log }) => ({ job: name, ...parsedLogJson(log.result) }));
      context.io.out(`${jsonReply({ jobs: replies }).text}\n`);
      return red.length > 0 ? 1 : 0;
    }
    for (const { name, log } of red)
      context.io.out(`${jobs.length > 1 ? `== ${name}\n` : ""}${text(log, context)}\n`);
    const green = jobs.filter((job) => !isRed(job));
    if (jobs.length === 1) for (const { log } of green) context.io.out(`${text(log, context)}\n`);
    else if (green.length > 0) context.io.out(`passed: ${green.map(({ name }) => name).join(", ")}\n`);
    return red.length > 0 ? 1 : 0;
  },
};

function isFailure({ result }: ReadLog): boolean {
  return result.status === "failed" || result.status === "unclear";
}

function text({ result, masked }: ReadLog, context: Context): string {
  const given = context.text("max-tokens");
  const maxTokens = Number(given ?? 1);
  if (!Number.isInteger(maxTokens) || maxTokens < 1)
    throw new PithError("invalid_input", `ci: --max-tokens ${given} is not a whole number above 0`);
  const listsAll = context.flag("all");
  const groups = groupDiagnostics(listsAll ? result.diagnostics : result.causes);
  const shown = renderParsedLog(result, groups, { listsAll, ...(given === undefined ? {} : { maxTokens }) });
  return withMaskedNote(withLogMasked({ text: shown }, masked)).text;
}

interface JobFile {
  readonly name: string;
  readonly file: string;
}

const LOG_FILE = /\.(?:txt|log)$/i;
/** The most files of a folder that are read. */
const MAX_JOBS = 500;

/**
 * Lists the logs of a run. GitHub's archive has one file per job (`0_build.txt`) and, in folders, the same text once more by step; the
 * folders are read only if there is no file per job.
 */
function jobsOf(input: string): JobFile[] {
  if (input === "-" || !isFolder(input))
    return [{ name: input === "-" ? "log" : basename(input), file: input }];
  const names = readdirSync(input).sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  const direct = names.filter((name) => LOG_FILE.test(name) && !isFolder(join(input, name)));
  const nested = names
    .filter((name) => isFolder(join(input, name)))
    .flatMap((folder) => readdirSync(join(input, folder)).map((name) => join(folder, name)))
    .filter((name) => LOG_FILE.test(name) && !isFolder(join(input, name)));
  const found = direct.length > 0 ? direct : nested;
  if (found.length === 0) throw new PithError("invalid_input", `ci: ${input} has no .txt or .log file`);
  if (found.length > MAX_JOBS)
    throw new PithError(
      "invalid_input",
      `ci: ${input} has ${found.length} logs; name a folder with at most ${MAX_JOBS}`,
    );
  return found.map((name) => ({ name: name.replace(LOG_FILE, ""), file: join(input, name) }));
}

/** Returns the passing log of the same job: the given file, or the file of that name in the given folder. */
function passingLog(against: string | undefined, job: string): string | undefined {
  if (against === undefined || !isFolder(against)) return against;
  return jobsOf(against).find(({ name }) => withoutIndex(name) === withoutIndex(job))?.file;
}

/** GitHub numbers the files of a run's jobs, and the numbers differ between runs. */
function withoutIndex(name: string): string {
  return name.replace(/^\d+_/, "");
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    // A path that cannot be examined is reported when it is read as a file.
    if (toPithError(error).code === "internal_error") throw error;
    return false;
  }
}
