import { mkdir } from "node:fs/promises";
import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../config/environment.ts";
import type { Config } from "../config/keys.ts";
import { bubblewrapProblem, findBubblewrap, type Isolation } from "../exec/isolation/enclosure.ts";
import { PithError } from "../kernel/errors.ts";
import type { HealthCheck } from "../model/health.ts";
import { ownFolders } from "./own-folders.ts";

/** Where tools keep passwords and private keys beside their programs, which a command in a sandbox may read. */
const CREDENTIALS = [".local/share/uv/credentials", ".dotnet/corefx"];

/** How the settings isolate runs; undefined if they do not. */
export function isolationOf(config: Config, environment: Environment): Isolation | undefined {
  const { runs } = config;
  if (runs.isolation === "none") return undefined;
  const { home } = environment;
  return {
    kind: runs.isolation,
    command: runs.isolation_command,
    hasNetwork: runs.isolation_network,
    caches: runs.isolation_caches.map((path) => absolutePath("runs.isolation_caches", path, home)),
    tools: runs.isolation_tools.map((path) => absolutePath("runs.isolation_tools", path, home)),
    home,
    hidden: [
      ...ownFolders(config, environment),
      ...registeredHome(),
      ...CREDENTIALS.map((path) => join(home, path)),
    ],
  };
}

/**
 * Creates the caches that are not there yet: what a command in the sandbox stores in a missing one is in memory only and
 * lost when it ends, so that each command would download everything again.
 */
export async function makeSandboxCaches({ kind, caches }: Isolation): Promise<void> {
  if (kind !== "bubblewrap") return;
  for (const path of caches)
    // A home folder may be read-only. Then commands work without this cache, as they did before.
    await mkdir(path, { recursive: true }).catch(() => undefined);
}

/** Checks that runs can be isolated as configured; without isolation there is nothing to check. */
export async function checkIsolation({ runs }: Config): Promise<HealthCheck[]> {
  const name = "isolation of runs";
  if (runs.isolation === "none") return [];
  if (runs.isolation === "command") {
    const [program] = runs.isolation_command;
    const detail = program ?? "[runs] isolation_command is empty: set it, or no command can run";
    return [{ name, ok: program !== undefined, detail }];
  }
  const problem = await bubblewrapProblem();
  const detail =
    problem === undefined
      ? `${findBubblewrap()}, ${runs.isolation_network ? "with" : "without"} network`
      : `${problem}; no command can run until it works: apt-get install bubblewrap, or change [runs] isolation`;
  return [{ name, ok: problem === undefined, detail }];
}

/** The user's home folder as the system knows it, because the variable HOME may name another one. */
function registeredHome(): string[] {
  try {
    return [userInfo().homedir];
  } catch {
    // The system does not know the user, as in some containers.
    return [];
  }
}

function absolutePath(key: string, path: string, home: string): string {
  if (path.startsWith("~/")) return join(home, path.slice(2));
  if (isAbsolute(path)) return path;
  throw new PithError(
    "config_invalid",
    `${key} names ${JSON.stringify(path)}, which is not an absolute path`,
    {
      suggestion: "Begin it with / or ~/.",
    },
  );
}
