import { devNull } from "node:os";
import { runProcess, type ProcessOptions, type ProcessResult } from "../../exec/run-process.ts";
import { PithError } from "../../kernel/errors.ts";

export type ObjectFormat = "sha1" | "sha256";

/** The environment of this process, as the composition root reads it. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** How git is called in a repository that is ours alone. */
export interface GitCall extends Pick<
  ProcessOptions,
  "input" | "maxBytes" | "onChunk" | "timeoutMs" | "signal"
> {
  readonly gitDir: string;
  /** Where the working tree is, for the calls that need one. */
  readonly workTree?: string;
  readonly variables: Variables;
}

/** A pack of a large repository on a slow disk takes minutes. */
const TIMEOUT_MS = 30 * 60_000;

/**
 * Runs git in a repository of our own. Neither the user's configuration nor a `GIT_INDEX_FILE` that a hook left in the
 * environment may reach it, no helper program is started, and nothing is fetched.
 */
export function privateGit(args: readonly string[], call: GitCall): Promise<ProcessResult> {
  const { gitDir, workTree, variables, ...options } = call;
  const where = workTree === undefined ? [] : ["-C", workTree, `--work-tree=${workTree}`];
  return runProcess(["git", "--no-replace-objects", ...where, `--git-dir=${gitDir}`, ...SETTINGS, ...args], {
    timeoutMs: TIMEOUT_MS,
    ...options,
    env: cleanEnvironment(variables),
  });
}

/** The same, where every ending but success is a fault. */
export async function privateGitOk(args: readonly string[], call: GitCall): Promise<Buffer> {
  const result = await privateGit(args, call);
  if (result.exitCode === 0 && result.ending === "exit") return result.stdout;
  throw new PithError("internal_error", `git ${args[0] ?? ""} failed: ${lastLines(result.stderr)}`);
}

const SETTINGS = [
  "core.fsmonitor=false",
  `core.hooksPath=${devNull}`,
  "core.autocrlf=false",
  "core.quotePath=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "pack.writeReverseIndex=false",
].flatMap((setting) => ["-c", setting]);

function cleanEnvironment(variables: Variables): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables))
    if (value !== undefined && !name.toUpperCase().startsWith("GIT_")) clean[name] = value;
  return {
    ...clean,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-5).join("; ");
}
