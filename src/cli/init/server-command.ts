import { join, sep } from "node:path";
import type { ServerCommand } from "./client.ts";

export interface Installation {
  /** The file that is running: the bundled binary. */
  readonly file: string;
  readonly platform: NodeJS.Platform;
  readonly workspace: string;
}

/** How a client should start this very installation: by its name where it has one, else by its path. */
export function serverCommand({ file, platform, workspace }: Installation): ServerCommand {
  const parts = file.split(sep);
  // A dependency of the project itself: the same for all who work on it.
  if (file.startsWith(join(workspace, "node_modules") + sep))
    return named("npx", ["pith", "serve"], platform);
  if (parts.includes("_npx")) return named("npx", ["-y", "pith", "serve"], platform);
  // Installed for all projects: lib/node_modules on Unix, npm/node_modules on Windows, .../global/5/node_modules by pnpm.
  const modules = parts.lastIndexOf("node_modules");
  const above = parts.slice(Math.max(0, modules - 2), modules);
  if (modules > 0 && above.some((part) => part === "lib" || part === "npm" || part === "global"))
    return named("pith", ["serve"], platform);
  return { command: "node", args: [file, "serve"] };
}

/** Programs that npm installs are scripts on Windows, which only its shell can start. */
function named(command: string, args: readonly string[], platform: NodeJS.Platform): ServerCommand {
  return platform === "win32" ? { command: "cmd", args: ["/c", command, ...args] } : { command, args };
}
