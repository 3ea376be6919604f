import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { randomId } from "../kernel/ids.ts";
import type { Services } from "../app/services.ts";
import { createServer } from "./server.ts";
import type { AnyTool } from "../app/tool.ts";

/** Serves one client on stdin and stdout until it disconnects. */
export async function serveOnStdio(services: Services, tools: readonly AnyTool[]): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    // The runs are detached before the transport notices the end, because a client that disconnects has not cancelled its runs.
    const leave = (): void => {
      services.runs.detach();
      resolve();
    };
    process.stdin.once("end", leave).once("close", leave);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  // The newer protocol has no sessions, but one client at the other end of a pipe is one conversation.
  const session = randomId();
  const handle = serveStdio(() => createServer(services, tools, { session }), {
    onerror: (error) =>
      isInvalidMessage(error)
        ? services.logger.event(
            "tool.request_parse_failed",
            { state: "req:invalid_request", error: error.message },
            "warn",
          )
        : services.logger.event("transport.error", { error: error.message }, "warn"),
  });
  // A client that has closed the pipe must not end the process with an unhandled EPIPE.
  process.stdout.on("error", (error) =>
    services.logger.event("transport.stdout_error", { error: error.message }),
  );
  await ended;
  await handle.close();
}

/** Checks whether an error is about a received text that is no valid MCP message: not JSON, or JSON of another form. */
function isInvalidMessage(error: Error): boolean {
  return error instanceof SyntaxError || error.name.endsWith("ZodError");
}
