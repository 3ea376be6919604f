import type { Socket } from "node:net";
import type { CallFeed } from "../app/window/call-feed.ts";
import { fieldsOf } from "./work.ts";

/** A watcher that does not read what it receives is dropped at this many unsent bytes. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/** Checks whether the question on a server's socket is to send the calls of agents from now on. */
export function isWatchRequest(question: unknown): boolean {
  return fieldsOf(question)["watch"] === "calls";
}

/** Sends each answered call as a line of JSON, until the watcher closes the connection. */
export function sendCalls(socket: Socket, calls: CallFeed): void {
  const stop = calls.watch((call) => {
    socket.write(`${JSON.stringify(call)}\n`);
    if (socket.writableLength > MAX_UNSENT_BYTES) socket.destroy();
  });
  // A watcher that is gone ends the watching; its error says nothing more.
  socket.on("error", () => socket.destroy()).on("close", stop);
  // The server ends with its client, whoever may still watch.
  socket.unref();
}
