import { fileURLToPath } from "node:url";
import { checkIsolation } from "../app/isolation.ts";
import { toPithError } from "../kernel/errors.ts";
import { addToGroup } from "../kernel/group-by.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { HealthCheck } from "../model/health.ts";
import { markerName } from "../exec/sweep.ts";
import { RUN_VARIABLES } from "../runs/plan/environment.ts";
import { shakeHands } from "../runner/handshake.ts";
import type { Era, Handshake } from "../runner/handshake.ts";
import { JSON_OPTION } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { missingProgram, placesOf, prefixProgram } from "./init.ts";
import { diskView } from "./init/apply.ts";
import { CLIENTS } from "./init/clients.ts";
import type { Places } from "./init/client.ts";
import { type ConfiguredServer, configuredServers, inspectClients, inspectPrefixes } from "./init/inspect.ts";
import { paint } from "./io.ts";

const HANDSHAKE_TIMEOUT_MS = 20_000;
const MIN_NODE = [20, 19] as const;
/** What only a client itself knows. */
const UNCHECKED =
  "Not checked: whether you have approved the server or trusted the folder in a client, and the PATH of clients that are not started from a terminal.";

export const doctor: Command = {
  name: "doctor",
  summary: "Check this installation and its clients",
  usage: "[--json]",
  details:
    "Starts the server as an agent would, in both protocol eras and with the command of each client's configuration, and\n" +
    "explains how to fix problems. The last line lists what it cannot check.",
  onlyOptions: true,
  options: JSON_OPTION,
  examples: ["pith doctor", "pith doctor --json"],
  async run(context) {
    const services = context.openServices();
    const health = await services.health();
    const places = await placesOf(context);
    const clients = inspectClients(CLIENTS, places, diskView);
    const program = prefixProgram(context, places);
    const embeddings = await services.checkEmbeddings();
    const checks = [
      checkNode(),
      ...checkConfig(context),
      ...health.checks,
      runEnvironment(services.config.runs.env),
      ...(await checkIsolation(services.config)),
      embeddings,
      ...(await checkServer(context)),
      ...clients,
      ...(await startConfigured(context, places)),
      ...inspectPrefixes(CLIENTS, { places, program }, diskView),
    ];
    const failed = checks.filter((check) => !check.ok).length;
    if (context.flag("json"))
      context.io.out(`${JSON.stringify({ ok: failed === 0, version: health.version, checks })}\n`);
    else context.io.out(page(checks, clients.length > 0, context));
    return failed === 0 ? 0 : 1;
  },
};

/** Reports a configuration file of the repository that is ignored because it cannot be read. */
function checkConfig(context: Context): HealthCheck[] {
  const { problem } = context.loadConfig();
  return problem === undefined ? [] : [{ name: "configuration", ok: false, detail: problem }];
}

function checkNode(): HealthCheck {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const ok = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  const detail = ok ? process.version : `${process.version}; install Node ${MIN_NODE.join(".")} or newer`;
  return { name: "node", ok, detail };
}

/**
 * Lists the environment variables that a run has in addition to the user's own, because they explain most differences
 * from a terminal.
 */
function runEnvironment(added: Readonly<Record<string, string>>): HealthCheck {
  const set = Object.entries(RUN_VARIABLES).map(([name, { value }]) => `${name}=${value}`);
  const names = Object.keys(added);
  const detail = [
    `yours, stdin closed, and ${set.join(" ")}, ${markerName("<id>")}=1`,
    "the project's own programs appended to PATH",
    ...(names.length === 0 ? [] : [`[runs] env: ${names.join(" ")}`]),
  ];
  return { name: "environment of runs", ok: true, detail: detail.join("; ") };
}

async function checkServer(context: Context): Promise<HealthCheck[]> {
  const checks: HealthCheck[] = [];
  let listed: Handshake | undefined;
  for (const era of ["initialize", "discover"] as const) {
    const argv = [process.execPath, ownPath(), "serve"] as const;
    const result = await greet(era, { name: `server (${era})`, argv, cwd: context.environment.cwd }, context);
    checks.push(result.check);
    listed ??= result.handshake;
  }
  if (listed !== undefined) checks.push(checkTokens(listed));
  return checks;
}

/** Starts the server with the command of each client's configuration; clients with the same command share one start. */
async function startConfigured(context: Context, places: Places): Promise<HealthCheck[]> {
  const byCommand = new Map<string, ConfiguredServer[]>();
  for (const server of configuredServers(CLIENTS, places, diskView))
    addToGroup(byCommand, server.argv.join(" "), server);
  const checks: HealthCheck[] = [];
  for (const [command, servers] of byCommand) {
    const [first] = servers;
    if (first === undefined) continue;
    const more = servers.length === 1 ? "" : ` and ${servers.length - 1} more`;
    const name = `start by ${first.client.title}${more}`;
    const missing = missingProgram(context, first.argv[0]);
    const { check } =
      missing === undefined
        ? await greet("initialize", { name, argv: first.argv, cwd: places.workspace }, context)
        : { check: { name, ok: false, detail: missing } };
    checks.push({ ...check, detail: `${command}: ${check.detail}` });
  }
  return checks;
}

interface Greeting {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
}

async function greet(
  era: Era,
  { name, argv, cwd }: Greeting,
  { environment: { variables } }: Context,
): Promise<{ check: HealthCheck; handshake?: Handshake }> {
  const started = performance.now();
  try {
    const options = { cwd, env: variables, timeoutMs: HANDSHAKE_TIMEOUT_MS };
    const handshake = await shakeHands(argv, era, options);
    const ms = Math.round(performance.now() - started);
    const detail = `${handshake.tools.length} tools, protocol ${handshake.protocolVersion}, ${ms} ms`;
    return { check: { name, ok: handshake.tools.length > 0, detail }, handshake };
  } catch (error) {
    const detail = `${toPithError(error).message}; run the command by hand to see why`;
    return { check: { name, ok: false, detail } };
  }
}

/**
 * Reports how many tokens the list of enabled tools costs an agent; a test enforces the limit for the default tools.
 */
function checkTokens({ tools }: Handshake): HealthCheck {
  const seen = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { name: "tool list", ok: true, detail: `at most ${estimateTokens(JSON.stringify(seen))} tokens` };
}

/** Returns the path of the running program, which is the bundled binary. */
function ownPath(): string {
  return process.argv[1] ?? fileURLToPath(import.meta.url);
}

function page(checks: readonly HealthCheck[], hasClients: boolean, { io }: Context): string {
  const failed = checks.filter((check) => !check.ok).length;
  const width = Math.max(...checks.map((check) => check.name.length));
  const lines = checks.map(({ name, ok, detail }) => {
    const mark = ok ? paint(io, "green", "ok  ") : paint(io, "red", "FAIL");
    return `  ${mark} ${name.padEnd(width)}  ${detail}`;
  });
  const verdict =
    failed === 0
      ? `All is well.${hasClients ? "" : " Attach an agent with: pith init"}`
      : `${failed} of ${checks.length} checks failed.`;
  const unchecked = hasClients ? `\n${UNCHECKED}` : "";
  return `${lines.join("\n")}\n\n${verdict}${unchecked}\n`;
}
