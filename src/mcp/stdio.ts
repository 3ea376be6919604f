import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Logger } from "../kernel/logger.ts";
import { randomId } from "../kernel/ids.ts";
import type { Services } from "../app/services.ts";
import { MAX_MESSAGE_BYTES, MessageLimit } from "./message-limit.ts";
import { createServer } from "./server.ts";
import type { AnyTool } from "../app/tool.ts";

/** Serves one client on stdin and stdout until it disconnects or `signal` is aborted. */
export async function serveOnStdio(
  services: Services,
  tools: readonly AnyTool[],
  signal: AbortSignal,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    // The runs are detached before the transport notices the end, because a client that disconnects has not cancelled its runs.
    const leave = (): void => {
      services.runs.detach();
      resolve();
    };
    process.stdin.once("end", leave).once("close", leave);
    signal.addEventListener("abort", () => resolve(), { once: true });
    // The process may have been asked to end while it started.
    if (signal.aborted) resolve();
  });
  // The newer protocol has no sessions, but one client at the other end of a pipe is one conversation.
  const session = randomId();
  const handle = serveStdio(() => createServer(services, tools, { session }), {
    transport: createTransport(services.logger),
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
  exitIfUnread();
  process.stdin.unpipe();
  process.stdin.pause();
  await handle.close();
}

/** How long the last replies may wait in the pipe after the client has disconnected or asked this process to end. */
const UNREAD_GRACE_MS = 3_000;

/** Ends the process if nobody reads its replies any more; they would keep it alive for ever. */
function exitIfUnread(): void {
  const { stdout } = process;
  const written = (): number => ("bytesWritten" in stdout ? stdout.bytesWritten : 0) - stdout.writableLength;
  let before = written();
  const timer = setInterval(() => {
    const now = written();
    if (now === before && stdout.writableLength > 0) process.exit(0);
    before = now;
  }, UNREAD_GRACE_MS);
  timer.unref();
}

/** Reads stdin through a limit, and answers messages over it. */
function createTransport(logger: Logger): StdioServerTransport {
  const messages = new MessageLimit(({ id, reason }) => {
    logger.event("tool.request_parse_failed", { state: "req:invalid_request", error: reason }, "warn");
    const error = {
      code: INVALID_REQUEST,
      message: `${reason}. Send less, for example a path instead of its content.`,
    };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error })}\n`);
  });
  process.stdin.pipe(messages);
  // Messages that come at once are buffered together, so the transport's own limit is higher.
  return new StdioServerTransport(messages, process.stdout, { maxBufferSize: 4 * MAX_MESSAGE_BYTES });
}

/** The error code of JSON-RPC for a message that is not a valid request. */
const INVALID_REQUEST = -32_600;

/** Checks whether an error is about a received text that is no valid MCP message: not JSON, or JSON of another form. */
function isInvalidMessage(error: Error): boolean {
  return error instanceof SyntaxError || error.name.endsWith("ZodError");
}
