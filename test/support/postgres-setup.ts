import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { startPostgres, type PostgresServer } from "./postgres-process.ts";

/**
 * One PostgreSQL server for all test files, started when the first of them asks for it at a port of this process,
 * and ended with the test run.
 */
export async function setup(): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const door = createServer((socket) => {
    socket.on("error", () => undefined);
    server ??= startPostgres();
    server.then(
      ({ url }) => socket.end(url),
      () => socket.destroy(),
    );
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  door.unref();
  const { port } = door.address() as AddressInfo;
  process.env["PITH_TEST_POSTGRES_DOOR"] = String(port);
  return async () => {
    door.close();
    await (await server?.catch(() => undefined))?.close();
  };
}
