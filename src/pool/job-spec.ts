import { posix, relative, sep } from "node:path";
import type { TreeState } from "../model/run.ts";
import { maskText } from "../security/secrets/mask.ts";
import type { RemoteRequest } from "../runs/record/remote.ts";
import { hasPlainOutput, programOf } from "../shell/program-kinds.ts";
import type { PrepareSpec } from "./environments/detect.ts";
import type { SnapshotRef } from "./packs.ts";
import { pathTranslator } from "./path-translation.ts";

/** A command for a worker as plain data, which contains nothing that depends on the worker's machine. */
export interface JobSpec {
  /** The command line for display, with secrets masked. */
  readonly command: string;
  readonly tool?: string;
  readonly argv: readonly [string, ...string[]];
  /** The environment variables that the submitter sets; all others come from the worker's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The submitter's folder, whose path the worker replaces by that of its own copy. */
  readonly root: string;
  /** The command's working directory relative to `root`, with forward slashes; empty for the root. */
  readonly cwd: string;
  /** The snapshot of the submitter's files. */
  readonly snapshot: SnapshotRef;
  /** The same files as a state of the submitter's repository, if that is known. */
  readonly tree?: TreeState;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly expected: readonly string[];
  readonly testsExpected: boolean;
  /** True if the command writes a report to the path that REPORT_PLACEHOLDER stands for. */
  readonly hasReport: boolean;
  /** What to install before the command; absent for commands that only read files. */
  readonly prepare?: PrepareSpec;
  /**
   * Present if the job may be answered from the store and its answer kept there: `any` answer that is known, or only a
   * `new` one.
   */
  readonly reuse?: "any" | "new";
  /** A note shown with the result, such as a list of files that could not be sent to the worker. */
  readonly note?: string;
}

/** A placeholder for the path of the report file, because only the worker knows the real path. */
const REPORT_PLACEHOLDER = "/PITH-REPORT-FILE";

/** What the submitter's settings say about preparing a job. */
export type PrepareSettings = Omit<PrepareSpec, "programs">;

/**
 * Creates the job for a requested command. `root` is the top folder of the snapshot, which may be above the workspace.
 */
export function createJobSpec(
  request: RemoteRequest,
  root: string,
  {
    note,
    tree,
    prepare,
    reuse = false,
    ...snapshot
  }: SnapshotRef & {
    readonly note?: string | undefined;
    readonly tree?: TreeState;
    readonly prepare?: PrepareSettings;
    readonly reuse?: boolean;
  },
): JobSpec {
  const { plan } = request;
  const report = request.reports ? plan.report?.(REPORT_PLACEHOLDER) : undefined;
  const [program = plan.argv[0], ...args] = report?.argv ?? plan.argv;
  return {
    command: maskText(plan.display),
    ...(plan.tool === undefined ? {} : { tool: plan.tool }),
    argv: [program, ...args],
    env: { ...request.env, ...report?.env },
    root,
    cwd: relative(root, request.cwd).split(sep).join(posix.sep),
    snapshot,
    ...(tree && { tree }),
    timeoutMs: request.timeoutMs,
    maxOutputBytes: request.maxOutputBytes,
    expected: plan.expected,
    testsExpected: plan.isTest,
    hasReport: report !== undefined,
    ...(prepare && preparationFor(request, prepare)),
    ...(reuse && reuseFor(request)),
    ...(note === undefined ? {} : { note }),
  };
}

/** A worker reads the command as it is shown, so it must be shown as it is. */
function reuseFor({ plan, isForced }: RemoteRequest): Pick<JobSpec, "reuse"> {
  return maskText(plan.display) === plan.display ? { reuse: isForced === true ? "new" : "any" } : {};
}

/** Nothing is installed for commands that only print or move files. */
function preparationFor({ plan }: RemoteRequest, settings: PrepareSettings): Pick<JobSpec, "prepare"> {
  const working = plan.commands.filter((words) => !hasPlainOutput(words));
  if (working.length === 0 && plan.commands.length > 0) return {};
  return { prepare: { ...settings, programs: [...new Set(working.map(programOf))] } };
}

/** Returns the job's command line and variables, with the submitter's paths replaced by the worker's own. */
export function resolveForWorker(
  spec: JobSpec,
  place: { readonly root: string; readonly reportFile: string },
): { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> } {
  const toWorker = pathTranslator(spec.root, place.root);
  const placed = (text: string): string =>
    toWorker(text.replaceAll(REPORT_PLACEHOLDER, () => place.reportFile));
  const [program, ...args] = spec.argv;
  const env = Object.entries(spec.env).map(([name, value]) => [name, placed(value)] as const);
  return { argv: [placed(program), ...args.map(placed)], env: Object.fromEntries(env) };
}
