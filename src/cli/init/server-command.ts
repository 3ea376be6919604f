import { join, sep } from "node:path";
import type { Scope, ServerCommand } from "./client.ts";

export interface Installation {
  /** The running program file, which is the bundled binary. */
  readonly file: string;
  readonly platform: NodeJS.Platform;
  readonly workspace: string;
  readonly scope: Scope;
}

/**
 * Returns the command with which a client should start this installation of Pith: by name if it can be called by one,
 * else by path. A file of the project is shared with others, so it never gets a path of this machine.
 */
export function serverCommand({ file, platform, workspace, scope }: Installation): ServerCommand {
  const parts = file.split(sep);
  // Used when the project itself depends on Pith: this command then works for everyone who works on the project.
  if (file.startsWith(join(workspace, "node_modules") + sep))
    return named("npx", ["pith", "serve"], platform);
  if (parts.includes("_npx")) return named("npx", ["-y", "pith", "serve"], platform);
  // Used when Pith is installed globally: in lib/node_modules on Unix, npm/node_modules on Windows, or
  // .../global/5/node_modules with pnpm.
  const modules = parts.lastIndexOf("node_modules");
  const above = parts.slice(Math.max(0, modules - 2), modules);
  if (modules > 0 && above.some((part) => part === "lib" || part === "npm" || part === "global"))
    return named("pith", ["serve"], platform);
  return scope === "project"
    ? named("pith", ["serve"], platform)
    : { command: "node", args: [file, "serve"] };
}

/**
 * Returns the command that starts a program by its name. On Windows it goes through cmd, because programs installed by
 * npm are scripts there.
 */
function named(command: string, args: readonly string[], platform: NodeJS.Platform): ServerCommand {
  return platform === "win32" ? { command: "cmd", args: ["/c", command, ...args] } : { command, args };
}
