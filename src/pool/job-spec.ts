import { posix, relative, sep } from "node:path";
import { maskText } from "../security/secrets/mask.ts";
import type { Word } from "../shell/command-line.ts";
import type { RemoteRequest } from "../runs/record/remote.ts";
import type { SnapshotRef } from "./packs.ts";
import { pathTranslator } from "./paths.ts";

/** A command for a worker, as plain data. What depends on the machine is left open. */
export interface JobSpec {
  /** As one would type it, secrets masked. */
  readonly command: string;
  readonly tool?: string;
  readonly argv: readonly [string, ...string[]];
  /** The submitter's own variables; everything else is the worker's. */
  readonly env: Readonly<Record<string, string>>;
  /** The submitter's folder, whose place the worker's copy takes. */
  readonly root: string;
  /** Where in it the command runs, with forward slashes; empty for the root. */
  readonly cwd: string;
  /** The files. */
  readonly snapshot: SnapshotRef;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly expected: readonly string[];
  readonly testsExpected: boolean;
  /** Whether the command writes a report to the place that stands for it. */
  readonly hasReport: boolean;
  /** What is said with the result, such as files that could not travel. */
  readonly note?: string;
  /** What the worker's permission rules look at. */
  readonly commands: readonly (readonly Word[])[];
}

/** Stands for the path of the report, which only the worker knows. */
const REPORT_PLACE = "/PITH-REPORT-FILE";

/** Describes a request for a worker. `root` is the top of the snapshot, which may lie above the workspace. */
export function makeOrder(
  request: RemoteRequest,
  root: string,
  { note, ...snapshot }: SnapshotRef & { readonly note?: string | undefined },
): JobSpec {
  const { plan } = request;
  const report = request.reports ? plan.report?.(REPORT_PLACE) : undefined;
  const [program = plan.argv[0], ...args] = report?.argv ?? plan.argv;
  return {
    command: maskText(plan.display),
    ...(plan.tool === undefined ? {} : { tool: plan.tool }),
    argv: [program, ...args],
    env: { ...request.env, ...report?.env },
    root,
    cwd: relative(root, request.cwd).split(sep).join(posix.sep),
    snapshot,
    timeoutMs: request.timeoutMs,
    maxOutputBytes: request.maxOutputBytes,
    expected: plan.expected,
    testsExpected: plan.isTest,
    hasReport: report !== undefined,
    ...(note === undefined ? {} : { note }),
    commands: plan.commands,
  };
}

/** The order's command line and variables with the worker's own paths. */
export function placeOrder(
  order: JobSpec,
  place: { readonly root: string; readonly reportFile: string },
): { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> } {
  const toWorker = pathTranslator(order.root, place.root);
  const placed = (text: string): string => toWorker(text.replaceAll(REPORT_PLACE, () => place.reportFile));
  const [program, ...args] = order.argv;
  const env = Object.entries(order.env).map(([name, value]) => [name, placed(value)] as const);
  return { argv: [placed(program), ...args.map(placed)], env: Object.fromEntries(env) };
}
