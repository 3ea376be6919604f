import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { WatchedCall } from "../model/watched-call.ts";
import { allSockets } from "./server-address.ts";
import { fieldsOf } from "./work.ts";

/** How often it is checked whether servers have started. */
const LOOK_MS = 2_000;

/** Watches the calls that the running servers of a data folder answer. */
export interface ServerWatch {
  /** The number of servers that are watched. */
  servers(): number;
  close(): void;
}

export function watchServers(dataFolder: string, onCall: (call: WatchedCall) => void): ServerWatch {
  const open = new Map<string, Socket>();
  const follow = (path: string): void => {
    const socket = connect({ path, allowHalfOpen: true });
    open.set(path, socket);
    socket.end(JSON.stringify({ watch: "calls" }));
    // A server that has ended leaves its socket behind, which nobody answers; it is tried again at the next look.
    socket.on("error", () => socket.destroy()).on("close", () => void open.delete(path));
    createInterface({ input: socket }).on("line", (line) => {
      if (line !== "") onCall(callOf(line));
    });
  };
  const look = (): void => {
    for (const path of allSockets(dataFolder, process.pid)) if (!open.has(path)) follow(path);
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return {
    servers: () => [...open.values()].filter(({ connecting }) => !connecting).length,
    close() {
      clearInterval(timer);
      for (const socket of open.values()) socket.destroy();
    },
  };
}

/** Only servers of the same user can write to the socket, so the fields are only brought into their types. */
function callOf(line: string): WatchedCall {
  const fields = fieldsOf(JSON.parse(line));
  const session = fields["session"];
  return {
    at: Number(fields["at"]),
    durationMs: Number(fields["durationMs"]),
    tool: String(fields["tool"]),
    client: String(fields["client"]),
    ...(typeof session === "string" ? { session } : {}),
    arguments: String(fields["arguments"]),
    reply: String(fields["reply"]),
    tokens: Number(fields["tokens"]),
    isError: fields["isError"] === true,
  };
}
