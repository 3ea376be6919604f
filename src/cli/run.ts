import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { runInForeground } from "../exec/foreground.ts";
import { PithError } from "../kernel/errors.ts";
import { claudeMcpServers, claudeRunArgs, codexConfigArgs, endpointVariables } from "../runner/providers.ts";
import { startPith } from "../runner/start-pith.ts";
import type { PithEndpoint, PithRun } from "../runner/start-pith.ts";
import { offeredTools } from "../app/registry.ts";
import type { Command, Context } from "./command.ts";

/** The exit code EX_UNAVAILABLE of sysexits.h: a required service is not available. */
const EXIT_UNAVAILABLE = 69;
/** Exit code that shells use after Ctrl-C. */
const EXIT_INTERRUPTED = 130;

export const run: Command = {
  name: "run",
  summary: "Run an agent with Pith attached for this one run",
  usage: "[--allow-run] [--require] [--verbose] -- COMMAND [ARG...]",
  details:
    "Starts a server for the current folder, passes it to the command, and stops it afterwards. claude and codex get it as\n" +
    "arguments; any other command finds PITH_MCP_URL, PITH_MCP_TOKEN and PITH_MCP_CONFIG (a file with mcpServers) in its\n" +
    "environment. Your own configuration is left alone; signals and the exit code pass through. When the server cannot\n" +
    "start, the command runs without it.\n" +
    "claude and codex may use Pith's read-only tools without asking. They ask before they call build, and refuse it where\n" +
    "nobody can be asked (claude -p, codex exec), unless --allow-run is given.",
  options: {
    "allow-run": {
      type: "boolean",
      about: "Let claude and codex run commands with Pith's build without asking.",
    },
    require: { type: "boolean", about: "Fail instead of running without Pith." },
    verbose: {
      type: "boolean",
      about: "Show what happens to the server, one JSON event per line on stderr.",
    },
  },
  examples: [
    "pith run -- claude",
    'pith run --allow-run -- codex exec "fix the failing test"',
    "PITH_ENABLED=false pith run -- claude",
  ],
  // These signals are left to the agent: Ctrl-C, for example, stops what the agent is doing and not the agent itself.
  ownSignals: ["SIGINT", "SIGTERM", "SIGHUP"],
  async run(context) {
    const [program, ...args] = context.rest;
    if (program === undefined)
      throw new PithError("invalid_input", "run: name the command after --", {
        suggestion: "pith run -- claude",
      });
    const { cwd, variables } = context.environment;
    const pith = await startPith({
      workspace: cwd,
      env: variables,
      onEvent: (event) => {
        if (context.flag("verbose")) context.io.err(`${JSON.stringify(event)}\n`);
      },
      signal: context.signal,
    });
    try {
      if (context.signal.aborted) return EXIT_INTERRUPTED;
      if (context.flag("require") && pith.endpoint === undefined) return refuse(context, pith);
      // The message is printed now, before the agent takes over the terminal.
      if (pith.problem !== undefined) context.io.err(`pith: the agent runs without Pith: ${pith.problem}\n`);
      const granted = pith.endpoint === undefined ? [] : grantedTools(context);
      return await withEndpoint(pith, async (file) => {
        const attachment = { endpoint: pith.endpoint, file, granted };
        return runInForeground([program, ...argumentsFor(program, args, attachment)], {
          cwd,
          env: {
            ...variables,
            ...endpointVariables(pith.endpoint),
            ...(file === undefined ? {} : { PITH_MCP_CONFIG: file }),
          },
          onStartFailure: (reason) =>
            context.io.err(
              `pith: cannot start ${program}: ${reason}\n      Name a program on your PATH: pith run -- claude -p "…"\n`,
            ),
        });
      });
    } finally {
      if (pith.state === "run:pith_degraded")
        context.io.err("pith: the server was lost; the agent continued without Pith\n");
      await pith.shutdown();
    }
  },
};

function refuse({ io }: Context, { problem = "PITH_ENABLED switches it off" }: PithRun): number {
  io.err(`pith: the server did not start, and --require was given: ${problem}\n`);
  return EXIT_UNAVAILABLE;
}

/**
 * Calls a function with the path of a private file that holds the MCP configuration, and removes the file afterwards.
 */
async function withEndpoint(
  pith: PithRun,
  work: (file: string | undefined) => Promise<number>,
): Promise<number> {
  if (pith.endpoint === undefined) return work(undefined);
  const folder = await mkdtemp(join(tmpdir(), "pith-run-"));
  try {
    const file = join(folder, "mcp.json");
    await writeFile(file, JSON.stringify({ mcpServers: claudeMcpServers(pith.endpoint) }), { mode: 0o600 });
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the names of the tools that an agent may call without asking its user. */
function grantedTools(context: Context): readonly string[] {
  const { config } = context.loadConfig({}, context.environment.cwd);
  const mayRun = context.flag("allow-run");
  return offeredTools(config)
    .filter(({ name, annotations }) => annotations.readOnlyHint || (mayRun && name === "build"))
    .map(({ name }) => name);
}

interface Attachment {
  readonly endpoint: PithEndpoint | undefined;
  /** The file with the MCP configuration; undefined if no server is running. */
  readonly file: string | undefined;
  readonly granted: readonly string[];
}

/** Returns the agent's arguments, with those that connect it to Pith if the agent is a known one. */
function argumentsFor(
  program: string,
  args: readonly string[],
  { endpoint, file, granted }: Attachment,
): readonly string[] {
  const name = basename(program).replace(/\.(?:exe|cmd|bat|ps1)$/i, "");
  if (name === "claude" && file !== undefined) return claudeRunArgs(args, file, granted);
  if (name === "codex") return [...codexConfigArgs(endpoint, granted), ...args];
  return args;
}
