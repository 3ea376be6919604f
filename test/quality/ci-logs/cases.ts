import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { groupBy } from "../../../src/kernel/group-by.ts";

/** A failing log of a CI job, the files that its fix changed, and the log of the first passing job after the fix. */
export interface LogCase {
  readonly name: string;
  readonly project: string;
  readonly half: Half;
  readonly failing: string;
  readonly passing: string | undefined;
  readonly fixed: readonly string[];
}

/** Developers of Pith may look at the logs of the half `read`; those of `notRead` are only scored. */
export type Half = "read" | "notRead";

/** A project with hundreds of failures must not outweigh the others. */
const MAX_CASES_PER_PROJECT = 12;

/** Reads the failures in a folder, at most twelve with different fixes per project. */
export function* readCases(folder: string, owners: RegExp): Generator<LogCase> {
  const names = readdirSync(folder).filter((name) => owners.test(name));
  for (const [project, members] of [...groupBy(names, projectOf)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  ))
    yield* casesOf(folder, project, members);
}

function* casesOf(folder: string, project: string, names: readonly string[]): Generator<LogCase> {
  const fixes = new Set<string>();
  for (const name of [...names].sort((one, other) => (hashOf(one) < hashOf(other) ? -1 : 1))) {
    const [failing, passing, patch] = ["failing.log", "passing.log", "patch.diff"].map((file) =>
      textOf(join(folder, name, file)),
    );
    if (failing === undefined || patch === undefined || fixes.has(patch)) continue;
    if (fixes.size >= MAX_CASES_PER_PROJECT) return;
    fixes.add(patch);
    // The last verdict of the CI system confirms the label; a log that says the opposite is not a case.
    if (verdictOf(failing) === 0) continue;
    yield {
      name,
      project,
      half: halfOf(project),
      failing,
      passing: passing !== undefined && verdictOf(passing) === 0 ? passing : undefined,
      fixed: changedFiles(patch),
    };
  }
}

/** Returns the exit code in the last verdict of Travis on the job, or undefined if the log was cut before it. */
function verdictOf(log: string): number | undefined {
  const last = [...log.matchAll(/^.{0,10}Done\. Your build exited with (\d+)\./gm)].at(-1)?.[1];
  return last === undefined ? undefined : Number(last);
}

function projectOf(name: string): string {
  return name.replace(/-\d+$/, "");
}

/** The hash of the project's name decides, so that the division cannot be chosen and stays the same when logs are added. */
export function halfOf(project: string): Half {
  return Number.parseInt(hashOf(project.toLowerCase()).slice(0, 2), 16) % 2 === 0 ? "read" : "notRead";
}

function hashOf(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Lists the files that a patch changes or removes; a file that it adds cannot be named by a log from before the fix. */
function changedFiles(patch: string): string[] {
  return [...patch.matchAll(/^--- a\/(.+)$/gm)].flatMap(([, file]) => file?.trim() ?? []);
}
