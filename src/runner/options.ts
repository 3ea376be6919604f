/** Settings for starting, watching and stopping a server. All times are in milliseconds. */
export interface RunnerSettings {
  readonly enabled: boolean;
  readonly startupTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  readonly healthIntervalMs: number;
  /** After this many failed health checks in a row, the server counts as unreachable. */
  readonly failuresToDegrade: number;
}

const DEFAULTS: RunnerSettings = {
  enabled: true,
  startupTimeoutMs: 15_000,
  shutdownTimeoutMs: 5_000,
  healthIntervalMs: 10_000,
  failuresToDegrade: 3,
};

const VARIABLES = {
  startupTimeoutMs: "PITH_STARTUP_TIMEOUT_MS",
  shutdownTimeoutMs: "PITH_SHUTDOWN_TIMEOUT_MS",
  healthIntervalMs: "PITH_HEALTH_INTERVAL_MS",
  failuresToDegrade: "PITH_HEALTH_FAILURES",
} as const;

/**
 * Reads the runner's settings from the environment; settings given by the caller take precedence. Invalid values are
 * returned as problems, not thrown.
 */
export function readSettings(
  variables: Readonly<Record<string, string | undefined>>,
  given: Partial<RunnerSettings> = {},
): { readonly settings: RunnerSettings; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const numbers: Partial<Record<keyof typeof VARIABLES, number>> = {};
  for (const [key, name] of Object.entries(VARIABLES) as [keyof typeof VARIABLES, string][]) {
    const value = given[key] ?? variables[name];
    if (value === undefined || value === "") continue;
    const number = Number(value);
    if (Number.isInteger(number) && number > 0) numbers[key] = number;
    else problems.push(`${name} is ${JSON.stringify(value)}; it must be a whole number above 0`);
  }
  const enabled = readEnabled(variables["PITH_ENABLED"], given.enabled, problems);
  return { settings: { ...DEFAULTS, ...numbers, enabled }, problems };
}

function readEnabled(text: string | undefined, given: boolean | undefined, problems: string[]): boolean {
  if (given !== undefined) return given;
  if (text === undefined || text === "" || text === "true" || text === "1") return true;
  if (text !== "false" && text !== "0")
    problems.push(`PITH_ENABLED is ${JSON.stringify(text)}; it must be true or false`);
  return false;
}
