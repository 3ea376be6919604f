import { realpath } from "node:fs/promises";
import { PithError } from "../kernel/errors.ts";
import { errnoOf } from "../kernel/errors.ts";
import { openInBrowser } from "../exec/open-in-browser.ts";
import type { UiServer } from "../ui/server.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import type { Command, Context } from "./command.ts";
import { paint } from "./io.ts";

const DEFAULT_PORT = 3910;

export const ui: Command = {
  name: "ui",
  summary: "Watch runs, history and tokens in your browser",
  usage: "[--port N] [--open]",
  details:
    "Serves a page on 127.0.0.1 and prints its link, which contains a token that is new at each start. The page shows runs as\n" +
    "they happen, their logs and failures, what agents were shown and what they were spared, the index and the pool.\n" +
    "Nothing is sent to other machines. Ctrl-C ends it; runs that were started from the page continue.",
  onlyOptions: true,
  options: {
    port: {
      type: "string",
      value: "N",
      about: `The port (default ${DEFAULT_PORT}, or a free one if that is taken; 0 for a free one).`,
    },
    open: { type: "boolean", about: "Open the page in the default browser." },
  },
  examples: ["pith ui", "pith ui --open", "pith ui --port 4000"],
  ownSignals: ["SIGTERM"],
  async run(context) {
    const workspace = await workspaceRootOf(await realpath(context.environment.cwd));
    const services = context.openServices({}, workspace);
    const { serveUi } = await import("../ui/server.ts");
    const server = await listen((port) => serveUi(services, port), context.text("port"));
    const { io } = context;
    io.out(`${paint(io, "bold", "Pith")} for ${workspace}: ${paint(io, "cyan", server.link)}\n`);
    io.err("Ctrl-C ends it.\n");
    if (context.flag("open") && !(await openInBrowser(server.singleUseLink(), context.environment.variables)))
      io.err("No browser could be opened: open the link yourself.\n");
    await untilStopped(context);
    services.runs.detach();
    await server.close();
    return 0;
  },
};

/** Listens on the port that the user wants; without one, on the default port or, if that is taken, on a free one. */
async function listen(
  serve: (port: number) => Promise<UiServer>,
  wanted: string | undefined,
): Promise<UiServer> {
  const port = Number(wanted ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new PithError("invalid_input", `ui: ${wanted} is not a port`, {
      suggestion: "Use a number from 0 to 65535; 0 takes a free one.",
    });
  try {
    return await serve(port);
  } catch (error) {
    if (errnoOf(error) !== "EADDRINUSE") throw error;
    if (wanted === undefined) return serve(0);
    throw new PithError("invalid_input", `ui: port ${port} is in use`, {
      suggestion: "Choose another one, or leave --port out.",
    });
  }
}

async function untilStopped({ signal }: Context): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
