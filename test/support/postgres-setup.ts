import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { startPostgres, type PostgresServer } from "./postgres-process.ts";

/**
 * Provides one PostgreSQL server per version for all test files. It starts when the first file requests it through a port of this process
 * and stops with the test run.
 */
export async function setup(): Promise<() => Promise<void>> {
  const servers = new Map<string, Promise<PostgresServer>>();
  const door = createServer((socket) => {
    socket.on("error", () => undefined);
    createInterface({ input: socket }).once("line", (version) => {
      const server = servers.get(version) ?? startPostgres({ version });
      servers.set(version, server);
      server.then(
        ({ url }) => socket.end(url),
        () => socket.destroy(),
      );
    });
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  door.unref();
  const { port } = door.address() as AddressInfo;
  process.env["PITH_TEST_POSTGRES_DOOR"] = String(port);
  return async () => {
    door.close();
    await Promise.all([...servers.values()].map(async (one) => (await one.catch(() => undefined))?.close()));
  };
}
