import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Services } from "../app/services.ts";
import { createServer } from "./server.ts";
import type { AnyTool } from "../app/tool.ts";

/** Serves one client on stdin and stdout until it goes away. */
export async function serveOnStdio(services: Services, tools: readonly AnyTool[]): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    // Before the transport sees it: a client that leaves has not cancelled its runs.
    const leave = (): void => {
      services.runs.detach();
      resolve();
    };
    process.stdin.once("end", leave).once("close", leave);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  const handle = serveStdio(() => createServer(services, tools), {
    onerror: (error) =>
      isUnreadable(error)
        ? services.logger.event(
            "tool.request_parse_failed",
            { state: "req:invalid_request", error: error.message },
            "warn",
          )
        : services.logger.event("transport.error", { error: error.message }, "warn"),
  });
  // A client that vanished must not end the process with an unhandled EPIPE.
  process.stdout.on("error", (error) =>
    services.logger.event("transport.stdout_error", { error: error.message }),
  );
  await ended;
  await handle.close();
}

/** Whether what came is no request at all: not JSON, or JSON that is no message. */
function isUnreadable(error: Error): boolean {
  return error instanceof SyntaxError || error.name.endsWith("ZodError");
}
