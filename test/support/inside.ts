import { once } from "node:events";
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import { offeredTools } from "../../src/app/registry.ts";
import { createServices } from "../../src/app/services.ts";
import type { Io } from "../../src/cli/io.ts";
import { readInvocation } from "../../src/cli/invocation.ts";
import { main } from "../../src/cli/main.ts";
import { serve, serverFlags } from "../../src/cli/serve.ts";
import { loadConfig } from "../../src/config/load.ts";
import { randomId } from "../../src/kernel/ids.ts";
import { createServer } from "../../src/mcp/server.ts";
import {
  BINARY,
  clientFor,
  connect as connectBinary,
  serverEnvironment,
  type ServerOptions,
} from "./client.ts";

/**
 * The server and the command line inside the process of the tests: the same services, tools, protocol and client as the
 * built binary has, without starting it, which costs half a second of processor time. For what a reply says; what depends
 * on processes, signals or pipes needs the binary. `PITH_TEST_BINARY=1 npx vitest run …` runs all of them on the binary.
 */
const ON_BINARY = process.env["PITH_TEST_BINARY"] === "1";

/** Connects a client to a server in this process; both are closed when the test ends. */
export async function connect(workspace: string, options: ServerOptions = {}): Promise<Client> {
  if (ON_BINARY) return connectBinary(workspace, options);
  // On a busy machine an answer waits for its index rather than being partial.
  const env = { PITH_INDEX_TIME_BUDGET_MS: "60000", ...options.env };
  const variables = serverEnvironment({ ...options, env });
  const environment = {
    variables,
    home: variables["HOME"] ?? "",
    platform: process.platform,
    cwd: workspace,
  };
  const flags = serverFlags(readInvocation(serve, options.args ?? []));
  // Loading the index ahead of the first question only matters in a process that starts.
  const { config } = loadConfig(environment, workspace, { ...flags, "server.prewarm": false });
  const services = createServices(config, environment, workspace, {
    serves: "stdio",
    supervised: false,
    // For the same reason git may take its time.
    treeTimeoutMs: 60_000,
    writeEvent: (line) => options.events?.push(JSON.parse(line) as Record<string, unknown>),
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const session = randomId();
  const tools = offeredTools(config);
  const server = serveStdio(() => createServer(services, tools, { session }), { transport: serverSide });
  const client = clientFor(options);
  await client.connect(clientSide);
  const disconnect = client.close.bind(client);
  const close = async (): Promise<void> => {
    await disconnect();
    await server.close();
    await services.close();
  };
  // A server ends with its client, and what it knows is on disk then.
  let closed: Promise<void> | undefined;
  client.close = () => (closed ??= close());
  onTestFinished(() => client.close());
  return client;
}

export interface Printed {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Verbs that take over the terminal or start the program that they are part of. */
const NEEDS_ITS_PROCESS: ReadonlySet<string> = new Set(["doctor", "run", "serve", "shell", "worker"]);

/** Runs the command line in this process and collects what it prints. */
export async function pithInside(
  argv: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = serverEnvironment(),
  input?: string,
): Promise<Printed> {
  if (ON_BINARY || NEEDS_ITS_PROCESS.has(argv[0] ?? "")) return pithBinary(argv, cwd, variables, input);
  const printed = { stdout: "", stderr: "" };
  const io: Io = {
    input: Readable.from([Buffer.from(input ?? "")]),
    out: (text) => void (printed.stdout += text),
    err: (text) => void (printed.stderr += text),
    write: (stream, bytes) => void (printed[stream] += Buffer.from(bytes).toString()),
    terminal: false,
    errorTerminal: false,
    color: false,
    interactive: false,
    width: 100,
    height: 25,
  };
  const environment = { variables, home: variables["HOME"] ?? cwd, platform: process.platform, cwd };
  return { status: await main(argv, environment, io), ...printed };
}

/** Runs the built command line, for what depends on a process of its own. */
export async function pithBinary(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = serverEnvironment(),
  input?: string,
): Promise<Printed> {
  // A closed input would make `pith shell` read a script from it.
  const stdio = [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] as const;
  const child = spawn(process.execPath, [BINARY, ...argv], { cwd, env, stdio: [...stdio] });
  child.stdin?.on("error", () => undefined).end(input);
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  await ended;
  return { status: child.exitCode, stdout, stderr };
}

async function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? "" : text(stream);
}
