import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Connections that send nothing, or send a request very slowly, are closed after these times. They are long because
 * Node also counts the time in which this process itself was too busy to read what the client had sent.
 */
export const CONNECTION_TIMEOUTS = {
  headersTimeout: 60_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2_000,
} as const;

/**
 * Limits the open connections of a server, of which each takes a descriptor. At most half of them may be without a
 * request; beyond that the one that has been silent longest is closed, so that others still get in.
 */
export function limitConnections(http: Server, max: number): void {
  http.maxConnections = max;
  const silent = new Set<Socket>();
  const hasAsked = new WeakSet<Socket>();
  http.on("request", ({ socket }) => {
    hasAsked.add(socket);
    silent.delete(socket);
  });
  http.on("connection", (socket: Socket) => {
    socket.once("close", () => silent.delete(socket));
    // Every socket is read once before this runs, so that a client is not blamed for what nobody has read yet.
    setImmediate(() =>
      setImmediate(() => {
        if (socket.destroyed || hasAsked.has(socket)) return;
        silent.add(socket);
        const [oldest] = silent;
        if (silent.size > max / 2) oldest?.destroy();
      }),
    );
  });
}
