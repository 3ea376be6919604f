import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The longest path of a socket that all systems accept. */
const MAX_SOCKET_PATH = 100;

/** Returns the folder of the sockets on which running servers answer hooks. */
function socketFolder(dataFolder: string): string {
  return join(dataFolder, "hooks");
}

/** Returns the socket of a server for a workspace; undefined where the system has none or its path would be too long. */
export function socketPath(dataFolder: string, workspace: string, pid: number): string | undefined {
  const path = join(socketFolder(dataFolder), `${nameOf(workspace)}-${pid}.sock`);
  return process.platform === "win32" || path.length > MAX_SOCKET_PATH ? undefined : path;
}

/** Returns the sockets of the servers that may serve a folder: those of the folder itself and of the folders above it. */
export function socketsFor(dataFolder: string, folder: string): readonly string[] {
  const names = new Set<string>();
  for (let current = folder; ; current = dirname(current)) {
    names.add(nameOf(current));
    if (dirname(current) === current) break;
  }
  const all = filesIn(socketFolder(dataFolder));
  return all
    .filter((name) => names.has(name.split("-")[0] ?? ""))
    .map((name) => join(socketFolder(dataFolder), name));
}

/** Returns the sockets of all servers that use the data folder, without that of a process. */
export function allSockets(dataFolder: string, exceptPid: number): readonly string[] {
  return filesIn(socketFolder(dataFolder))
    .filter((name) => name.endsWith(".sock") && !name.endsWith(`-${exceptPid}.sock`))
    .map((name) => join(socketFolder(dataFolder), name));
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No server has run yet, so there is none to ask.
    return [];
  }
}

function nameOf(workspace: string): string {
  return createHash("sha256").update(workspace).digest("hex").slice(0, 16);
}
