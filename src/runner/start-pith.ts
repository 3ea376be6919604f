import { randomBytes } from "node:crypto";
import { currentEnvironment } from "../config/environment.ts";
import { loadConfig } from "../config/load.ts";
import { startService } from "../exec/service-process.ts";
import type { ServiceEnd, ServiceProcess } from "../exec/service-process.ts";
import { assetPath } from "../kernel/assets.ts";
import { waitAtMost } from "../kernel/with-timeout.ts";
import { greetOverHttp } from "./http-handshake.ts";
import { readSettings } from "./options.ts";
import type { RunnerSettings } from "./options.ts";
import { RunStates } from "./states.ts";
import type { RunEvent, RunState } from "./states.ts";

/** The address of a running Pith server and the token that clients must send. */
export interface PithEndpoint {
  readonly url: string;
  readonly token: string;
}

export interface PithOptions extends Partial<RunnerSettings> {
  /** The workspace folder that the server serves. */
  readonly workspace: string;
  /** The environment of the server, from which its settings are read too. Default: this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The command that starts the server; flags for HTTP are appended. Default: this installation. */
  readonly command?: readonly [string, ...string[]];
  readonly onEvent?: (event: RunEvent) => void;
  /** Aborts the wait for a server that is not ready yet. */
  readonly signal?: AbortSignal;
}

export interface PithRun {
  readonly state: RunState;
  /** How to reach the server; undefined while no server is running. */
  readonly endpoint: PithEndpoint | undefined;
  /** Why the server did not start; undefined if it started or was disabled on purpose. */
  readonly problem: string | undefined;
  /** Stops the server. It may be called more than once and never throws. */
  shutdown(): Promise<void>;
}

/**
 * Starts a server for an agent's run and watches it. It never throws: failures are reported as events, and the run continues without Pith.
 */
export async function startPith(options: PithOptions): Promise<PithRun> {
  const states = new RunStates(options.onEvent ?? (() => undefined));
  const env = options.env ?? currentEnvironment().variables;
  const { settings, problems: own } = readSettings(env, options);
  if (own.length === 0 && !settings.enabled)
    return disabled(states, "pith.disabled", { reason: "config_disabled" });
  // With a custom command, the configuration is not checked here: the command may start a different version of Pith,
  // which may know other configuration keys.
  const problems = [...own, ...(options.command === undefined ? serverProblems(env, options.workspace) : [])];
  if (problems.length > 0) return disabled(states, "pith.config_invalid", { problems }, problems.join("; "));
  states.move("run:pith_starting", "pith.starting");
  const command = options.command ?? ([process.execPath, assetPath("pith.js"), "serve"] as const);
  const { workspace, signal } = options;
  const started = await start({ workspace, env, command, ...(signal && { signal }) }, settings, states);
  if ("problem" in started) return new DisabledRun(states, started.problem);
  return new WatchedRun(started, settings, states);
}

function disabled(
  states: RunStates,
  event: string,
  facts: Readonly<Record<string, unknown>>,
  problem?: string,
): PithRun {
  states.move("run:pith_disabled", event, facts);
  return new DisabledRun(states, problem);
}

/** Returns the configuration errors because of which the server would refuse to start. */
function serverProblems(
  variables: Readonly<Record<string, string | undefined>>,
  workspace: string,
): readonly string[] {
  const here = currentEnvironment();
  try {
    loadConfig({ ...here, variables, home: variables["HOME"] ?? here.home }, workspace);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

interface StartOptions {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly command: readonly [string, ...string[]];
  readonly signal?: AbortSignal;
}

interface NotStarted {
  readonly problem: string;
}

interface Started {
  readonly service: ServiceProcess;
  readonly endpoint: PithEndpoint;
}

async function start(
  options: StartOptions,
  settings: RunnerSettings,
  states: RunStates,
): Promise<Started | NotStarted> {
  const token = randomBytes(24).toString("base64url");
  let announce: (url: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  /** The last lines of the server's stderr, which explain why a server exits at once. */
  const stderrTail: string[] = [];
  const service = startService([...options.command, "--http", "0", "--until-stdin-ends"], {
    cwd: options.workspace,
    env: { ...options.env, PITH_SERVER_HTTP_TOKEN: token },
    onStderrLine(line) {
      stderrTail.push(line);
      if (stderrTail.length > MAX_STDERR_LINES) stderrTail.shift();
      const url = /\bhttp:\/\/127\.0\.0\.1:\d+\/mcp\b/.exec(line)?.[0];
      if (url !== undefined) announce(url);
    },
  });
  const deadline = Date.now() + settings.startupTimeoutMs;
  const aborted = untilAborted(options.signal);
  const outcome = await firstOf([announced, service.ended, aborted], settings.startupTimeoutMs);
  if (typeof outcome !== "string") return giveUp({ service, states, settings, stderrTail }, outcome);
  try {
    const greeted = greetOverHttp(outcome, token, Math.max(1, deadline - Date.now()));
    const ended = await Promise.race([greeted.then(() => undefined), aborted]);
    if (ended !== undefined) return giveUp({ service, states, settings, stderrTail }, ended);
  } catch (error) {
    return giveUp({ service, states, settings, stderrTail }, { late: true, error: String(error) });
  }
  states.move("run:pith_running", "pith.ready", { url: outcome, pid: service.pid });
  return { service, endpoint: { url: outcome, token } };
}

type Late = { readonly late: true; readonly error?: string };

/** Returns a promise that resolves when the caller aborts the start; without a signal it never resolves. */
function untilAborted(signal: AbortSignal | undefined): Promise<Late> {
  const late = { late: true, error: "the start was interrupted" } as const;
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve(late);
    signal?.addEventListener("abort", () => resolve(late), { once: true });
  });
}

async function firstOf(
  outcomes: readonly Promise<string | ServiceEnd | Late>[],
  ms: number,
): Promise<string | ServiceEnd | Late> {
  return (await waitAtMost(ms, Promise.race(outcomes))) ?? { late: true };
}

interface Starting {
  readonly service: ServiceProcess;
  readonly states: RunStates;
  readonly settings: RunnerSettings;
  readonly stderrTail: readonly string[];
}

const MAX_STDERR_LINES = 20;
/**
 * The exit code of a server that cannot use its configuration. Wrong arguments would give the same code, but the runner
 * passes none.
 */
const EXIT_BAD_CONFIGURATION = 2;

function giveUp({ service, states, settings, stderrTail }: Starting, why: ServiceEnd | Late): NotStarted {
  service.kill();
  const words = stderrTail
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
  if ("late" in why) {
    const error = why.error ?? `not ready within ${settings.startupTimeoutMs} ms`;
    states.note("pith.start_timeout", { error, ...(words !== "" && { stderr: words }) });
    states.move("run:pith_disabled", "pith.start_failed", { error });
    return { problem: error };
  }
  const facts = { ...endFacts(why), ...(words !== "" && { stderr: words }) };
  const isConfiguration = why.code === EXIT_BAD_CONFIGURATION;
  states.note(isConfiguration ? "pith.config_invalid" : "pith.spawn_error", {
    ...facts,
    ...(isConfiguration && { problems: [words] }),
  });
  states.move("run:pith_disabled", "pith.start_failed", facts);
  return { problem: words || why.error?.message || `it ended with ${why.code ?? why.signal}` };
}

function endFacts({ code, signal, error }: ServiceEnd): Readonly<Record<string, unknown>> {
  return error === undefined ? { exit_code: code, signal } : { error: error.message };
}

class DisabledRun implements PithRun {
  readonly endpoint = undefined;
  readonly problem: string | undefined;
  readonly #states: RunStates;

  constructor(states: RunStates, problem: string | undefined) {
    this.#states = states;
    this.problem = problem;
  }

  get state(): RunState {
    return this.#states.state;
  }

  shutdown(): Promise<void> {
    if (this.#states.state !== "run:shutdown") this.#states.move("run:shutdown", "pith.not_running");
    return Promise.resolve();
  }
}

class WatchedRun implements PithRun {
  readonly problem = undefined;
  readonly #service: ServiceProcess;
  readonly #endpoint: PithEndpoint;
  readonly #settings: RunnerSettings;
  readonly #states: RunStates;
  readonly #watch: NodeJS.Timeout;
  #failures = 0;
  #ending: Promise<void> | undefined;

  constructor({ service, endpoint }: Started, settings: RunnerSettings, states: RunStates) {
    this.#service = service;
    this.#endpoint = endpoint;
    this.#settings = settings;
    this.#states = states;
    this.#watch = setInterval(() => void this.#check(), settings.healthIntervalMs);
    this.#watch.unref();
    void service.ended.then((end) => this.#degrade("pith.exited", endFacts(end)));
  }

  get state(): RunState {
    return this.#states.state;
  }

  get endpoint(): PithEndpoint | undefined {
    return this.#states.state === "run:pith_running" ? this.#endpoint : undefined;
  }

  shutdown(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    clearInterval(this.#watch);
    const degraded = this.#states.state === "run:pith_degraded";
    this.#states.move("run:shutdown", degraded ? "pith.shutdown_after_degraded" : "pith.stopping");
    const { escalated } = await this.#service.stop(this.#settings.shutdownTimeoutMs);
    if (escalated) this.#states.note("pith.kill_escalated");
    if (!degraded) this.#states.note("pith.stopped");
  }

  async #check(): Promise<void> {
    if (this.#states.state !== "run:pith_running") return;
    try {
      await greetOverHttp(this.#endpoint.url, this.#endpoint.token, this.#settings.healthIntervalMs);
      this.#failures = 0;
    } catch (error) {
      this.#failures++;
      if (this.#failures >= this.#settings.failuresToDegrade)
        this.#degrade("pith.unreachable", { error: String(error) });
    }
  }

  #degrade(event: string, facts: Readonly<Record<string, unknown>>): void {
    if (this.#states.state !== "run:pith_running") return;
    clearInterval(this.#watch);
    this.#states.note(event, facts);
    this.#states.move("run:pith_degraded", "pith.degraded", facts);
  }
}
