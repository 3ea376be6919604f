import { enclosedBase } from "../../exec/isolation/enclosure.ts";
import { hasPlainOutput } from "../../shell/program-kinds.ts";
import type { RunOrder } from "../record/active-run.ts";
import { commandEnvironment } from "./environment.ts";
import { reportPath } from "../record/log-files.ts";
import { type RunRequest, type RunSettings, TREE_TIMEOUT_MS } from "./request.ts";
import type { PlannedCheck } from "../reuse/planned-check.ts";
import type { StoredRun } from "../record/store.ts";

type Variables = Readonly<Record<string, string | undefined>>;

interface RunOrderDependencies {
  readonly settings: RunSettings;
  readonly environment: Variables;
  /**
   * The path of the run's log files without a suffix. The test tool's machine-readable report is written next to them.
   */
  readonly logBase: string;
  readonly check?: PlannedCheck | undefined;
}

/** The environment variables that a command gets. */
export function environmentOf(
  request: RunRequest,
  { settings, environment }: Pick<RunOrderDependencies, "settings" | "environment">,
): Record<string, string> {
  if (request.plainEnvironment) return dropUndefined(environment);
  return commandEnvironment({
    base: environment,
    pass: settings.passEnvironment,
    cwd: request.cwd,
    root: request.workspace,
    configured: settings.addEnvironment,
    ...(request.env === undefined ? {} : { extra: request.env }),
  });
}

/**
 * Creates the order to execute a run: the command with the options for its machine-readable report, its environment and
 * its limits.
 */
export function createRunOrder(
  run: StoredRun,
  request: RunRequest,
  { settings, environment, logBase, check }: RunOrderDependencies,
): RunOrder {
  const { plan } = request;
  const env = environmentOf(request, { settings, environment });
  const reportFile = reportPath(settings.isolation === undefined ? logBase : enclosedBase(logBase));
  const report = settings.reports ? plan.report?.(reportFile) : undefined;
  const [program = plan.argv[0], ...args] = report?.argv ?? plan.argv;
  return {
    run,
    argv: [program, ...args],
    env: { ...env, ...report?.env },
    ...(settings.isolation?.kind === "command" && {
      ownEnv: environmentOf({ ...request, env: {} }, { settings, environment }),
    }),
    timeoutMs: request.timeoutMs ?? settings.timeoutMs,
    maxOutputBytes: settings.maxOutputBytes,
    expected: plan.expected,
    ...(settings.customTools === undefined ? {} : { customTools: settings.customTools }),
    testsExpected: plan.isTest,
    ...(plan.commands.every(hasPlainOutput)
      ? {}
      : { treeTimeoutMs: settings.treeTimeoutMs ?? TREE_TIMEOUT_MS }),
    ...(request.isMerged ? { isMerged: true } : {}),
    ...(check === undefined ? {} : { check }),
    ...(report === undefined ? {} : { reportFile }),
  };
}

function dropUndefined(variables: Variables): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) defined[name] = value;
  return defined;
}
