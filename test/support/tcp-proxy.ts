import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A proxy between a client and a server that simulates network failures. */
export interface TcpProxy {
  /** The server's URL through the proxy. */
  readonly url: string;
  /** Drops all packets from now on without closing the connections. */
  freeze(): void;
}

/** Starts a proxy to a server; it ends with the test. */
export async function startProxy(server: string): Promise<TcpProxy> {
  const target = new URL(server);
  const sockets = new Set<Socket>();
  let frozen = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => undefined).once("close", () => sockets.delete(socket));
  };
  const pass = (from: Socket, to: Socket): void => {
    from.on("data", (bytes) => void (frozen || to.write(bytes)));
    from.once("close", () => void (frozen || to.destroy()));
  };
  const proxy = createServer((near) => {
    keep(near);
    if (frozen) return;
    const far = keep(connect(Number(target.port), target.hostname));
    pass(near, far);
    pass(far, near);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const url = new URL(server);
  url.port = String((proxy.address() as AddressInfo).port);
  return { url: url.href, freeze: () => void (frozen = true) };
}
