import { devNull } from "node:os";
import { runProcess, type ProcessOptions, type ProcessResult } from "../../exec/run-process.ts";
import { PithError } from "../../kernel/errors.ts";

export type ObjectFormat = "sha1" | "sha256";

/** The environment variables of this process, as the configuration has read them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Options for running git in a private repository, which Pith keeps apart from the user's. */
export interface GitCall extends Pick<
  ProcessOptions,
  "input" | "maxBytes" | "onChunk" | "timeoutMs" | "signal"
> {
  readonly gitDir: string;
  /** Path of the working tree, for git commands that need one. */
  readonly workTree?: string;
  readonly variables: Variables;
}

/** Time limit of a git call; packing a large repository on a slow disk takes minutes. */
const TIMEOUT_MS = 30 * 60_000;

/**
 * Runs git in a private repository. It ignores the user's configuration and variables such as `GIT_INDEX_FILE` that a
 * hook may have set, starts no helper program and fetches nothing.
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

/** Runs git like `privateGit` and throws unless it succeeds. */
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
