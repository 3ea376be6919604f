import { homedir } from "node:os";
import { join } from "node:path";

/** The process environment, read once and passed on; no other module reads it. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
}

export function currentEnvironment(): Environment {
  return { variables: process.env, home: homedir(), platform: process.platform, cwd: process.cwd() };
}

/** Returns the user's data folder by the convention of the platform. */
export function userDataFolder({ variables, home, platform }: Environment): string {
  if (platform === "win32") return join(variables["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "pith");
  if (platform === "darwin") return join(home, "Library", "Application Support", "pith");
  return join(absoluteOr(variables["XDG_DATA_HOME"], join(home, ".local", "share")), "pith");
}

/** Returns the folder in which Pith keeps its data: the configured one, or that of the platform. */
export function dataFolderOf(
  { server }: { readonly server: { readonly data_dir: string } },
  environment: Environment,
): string {
  return server.data_dir === "" ? userDataFolder(environment) : server.data_dir;
}

/** Returns the path of the user's configuration file by the convention of the platform. */
export function userConfigFile({ variables, home, platform }: Environment): string {
  if (platform === "win32")
    return join(variables["APPDATA"] ?? join(home, "AppData", "Roaming"), "pith", "config.toml");
  return join(absoluteOr(variables["XDG_CONFIG_HOME"], join(home, ".config")), "pith", "config.toml");
}

/**
 * Returns the value of an XDG variable, or the fallback if it is unset. By the XDG specification, a value that is not
 * an absolute path counts as unset.
 */
function absoluteOr(value: string | undefined, fallback: string): string {
  return value?.startsWith("/") ? value : fallback;
}
