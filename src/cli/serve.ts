import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "../app/services.ts";
import { ancestorFolderOutside } from "../exec/ancestor-folder.ts";
import { PithError, toPithError } from "../kernel/errors.ts";
import { offeredTools } from "../app/registry.ts";
import { answerHooks } from "../hook/answer-hooks.ts";
import { createServer } from "../mcp/server.ts";
import { serveOnStdio } from "../mcp/stdio.ts";
import type { UiRoutes } from "../ui/routes.ts";
import { KEEP_OPTION, SANDBOX_OPTION, sandboxFlags } from "./command.ts";
import type { Command, Context, Invocation } from "./command.ts";

const DEFAULT_PORT = 3900;
/**
 * The delay before the index is loaded. Clients start a server twice to detect its protocol; the first of these
 * processes has ended by then.
 */
const PREWARM_DELAY_MS = 400;

export const serve: Command = {
  name: "serve",
  summary: "Run the MCP server",
  usage: "[--http [PORT]] [options]",
  details:
    "Speaks MCP on stdin and stdout for the folder it is started in. With --http it listens on 127.0.0.1 and serves /mcp;\n" +
    "set PITH_SERVER_HTTP_TOKEN to require a bearer token, to take jobs on POST /jobs, and to serve the page of pith ui at\n" +
    "/ui/#token=TOKEN.",
  options: {
    http: {
      type: "boolean",
      about: `Serve over HTTP on loopback, port ${DEFAULT_PORT} or the one that follows.`,
    },
    workspace: { type: "string", value: "FOLDER", about: "The folder to serve (default: the current one)." },
    toolsets: {
      type: "string",
      value: "LIST",
      about: "Toolsets to offer, separated by commas: code,run,files,index,jobs.",
    },
    slim: { type: "boolean", about: "Offer only build and search_code." },
    structured: { type: "boolean", about: "Also send structuredContent." },
    "read-only": { type: "boolean", about: "Offer only the tools that change nothing." },
    "no-prewarm": { type: "boolean", about: "Do not load indexes into memory at start." },
    "response-format": { type: "string", value: "FORMAT", about: "text, json or markdown." },
    ...SANDBOX_OPTION,
    ...KEEP_OPTION,
    "until-stdin-ends": {
      type: "boolean",
      about: "With --http: exit when stdin is closed, as it is when the parent has exited.",
    },
    store: { type: "string", value: "URL", about: "postgres:// URL of a team's store (better: PITH_STORE)." },
    "log-level": { type: "string", value: "LEVEL", about: "debug, info, notice, warn or error." },
  },
  examples: ["pith serve", "pith serve --http 3900 --read-only", "claude mcp add pith -- pith serve"],
  // Clients stop their server with SIGTERM, so this signal is a regular end and not an interruption.
  ownSignals: ["SIGTERM"],
  async run(context) {
    const workspace = await servedFolder(context);
    const services = context.openServices(serverFlags(context), workspace, {
      serves: context.flag("http") ? "http" : "stdio",
    });
    const tools = offeredTools(services.config);
    const stopAnswering = answerHooks(services, workspace);
    if (services.config.server.prewarm) void prewarm(services, workspace);
    if (!context.flag("http")) {
      // A person who starts the server by hand would otherwise see a program that seems to hang.
      if (process.stdin.isTTY)
        context.io.err(
          `pith: this is the MCP server for ${workspace}; it waits for a client's messages on stdin.\n` +
            "Your agent starts it by itself: attach it with pith init. Ctrl-C ends this one.\n",
        );
      await serveOnStdio(services, tools, context.signal);
      stopAnswering();
      return 0;
    }
    // The code for HTTP is loaded only when it is needed, so that a server on stdio starts faster.
    const [{ serveOnHttp }, { createJobRoutes }] = await Promise.all([
      import("../http/server.ts"),
      import("../http/jobs.ts"),
    ]);
    const endpoint = await serveOnHttp(() => createServer(services, tools), {
      port: portOf(context.positionals[0]),
      token: services.config.server.http_token,
      logger: services.logger,
      ...(services.config.server.read_only ? {} : { jobs: createJobRoutes(services) }),
      page: { isRoute: isUiPath, load: lazyUi(services) },
    });
    context.io.err(`pith: serving ${workspace} on ${endpoint.url}\n`);
    await untilEnded(context);
    await endpoint.close();
    stopAnswering();
    return 0;
  },
};

/** The page's code is loaded when somebody asks for the page. */
function isUiPath(path: string): boolean {
  return path === "/ui" || path.startsWith("/ui/");
}

function lazyUi(services: Services): () => Promise<UiRoutes> {
  let opened: Promise<UiRoutes> | undefined;
  const open = async (): Promise<UiRoutes> => {
    const [{ createUiRoutes }, { createAccess }] = await Promise.all([
      import("../ui/routes.ts"),
      import("../ui/access.ts"),
    ]);
    const access = createAccess(services.config.server.http_token);
    return createUiRoutes(services, { access, showsAll: false });
  };
  return () => (opened ??= open());
}

/**
 * Returns the folder to serve. Clients start the server of an Agent Plugin in the plugin's own folder, which is never the
 * one to serve; the client itself, an ancestor of this process, works in the project.
 */
async function servedFolder(context: Context): Promise<string> {
  const { cwd, variables } = context.environment;
  const named = context.text("workspace");
  const pluginRoot = variables["PLUGIN_ROOT"];
  const folder = await realpath(resolve(cwd, named ?? "."));
  if (named !== undefined || pluginRoot === undefined || !isInside(folder, resolve(pluginRoot)))
    return folder;
  const outside = await ancestorFolderOutside(folder);
  if (outside !== undefined) return realpath(outside);
  throw new PithError("config_invalid", "serve: started in the folder of a plugin, not in a project", {
    suggestion: "Attach Pith to this client with pith init instead of the plugin.",
  });
}

function isInside(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root + sep);
}

/**
 * Loads the index into memory while the client still performs its handshake. A failure is not reported here, because
 * health_check and the first query report it.
 */
async function prewarm(services: Services, workspace: string): Promise<void> {
  try {
    await delay(PREWARM_DELAY_MS, undefined, { ref: false });
    await (await services.index()).prewarm(workspace);
  } catch (error) {
    services.logger.event("index.prewarm_failed", { message: toPithError(error).message }, "warn");
  }
}

/** Returns the settings that the options of the command line make. */
export function serverFlags(context: Invocation): Record<string, unknown> {
  const on = (name: string): true | undefined => (context.flag(name) ? true : undefined);
  return {
    "server.toolsets": context.text("toolsets"),
    "server.slim": on("slim"),
    "server.structured": on("structured"),
    "server.read_only": on("read-only"),
    "pruner.keep": context.text("keep"),
    "server.prewarm": context.flag("no-prewarm") ? false : undefined,
    "server.response_format": context.text("response-format"),
    "server.store": context.text("store"),
    "server.log_level": context.text("log-level"),
    ...sandboxFlags(context),
  };
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? DEFAULT_PORT);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new PithError("invalid_input", `serve: ${text} is not a port`, {
    suggestion: "Use a number from 0 to 65535; 0 takes a free one.",
  });
}

async function untilEnded(context: Context): Promise<void> {
  const { signal } = context;
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (context.flag("until-stdin-ends")) process.stdin.once("end", resolve).once("error", resolve).resume();
  });
  // stdin is closed, because it would otherwise keep the process alive after everything else has ended.
  process.stdin.destroy();
}
