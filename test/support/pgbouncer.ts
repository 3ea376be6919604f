import { spawn, spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { makeFolder } from "./folder.ts";
import { runSql } from "./postgres.ts";

/** True if PgBouncer is installed; Debian's package puts it into a folder of programs for administrators. */
export const hasPgBouncer =
  spawnSync("pgbouncer", ["--version"], { env: { PATH: programFolders() } }).status === 0;

function programFolders(): string {
  return `${process.env["PATH"] ?? ""}:/usr/sbin`;
}

/** Starts PgBouncer in transaction mode before a database, and returns the URL of the database through it. */
export async function startPgBouncer(url: string): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = makeFolder();
  const listen = await freePort();
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${listen}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 4",
  ];
  writeFileSync(join(folder, "pgbouncer.ini"), `${settings.join("\n")}\n`);
  chmodSync(folder, 0o755);
  // It refuses to run as root, and changes to another user if it is told to.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", ["-q", ...user, join(folder, "pgbouncer.ini")], {
    env: { PATH: programFolders() },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const through = `postgres://${username}:${password}@127.0.0.1:${listen}${pathname}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error("PgBouncer ended; see its messages above");
    const isUp = await runSql(through, "SELECT 1").then(
      () => true,
      () => false,
    );
    if (isUp) return `${through}?listen=${hostname}:${port}`;
    await delay(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
