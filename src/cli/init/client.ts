import { isAbsolute, join } from "node:path";
import type { Environment } from "../../config/environment.ts";

/** `project`: a file in the workspace, for all who work on it. `user`: a file of this user, for all projects. */
export type Scope = "project" | "user";

/** How a client starts the server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export type EntryValue = string | boolean | readonly string[];
export type Entry = Readonly<Record<string, EntryValue>>;

/** Where things are on this machine. */
export interface Places extends Pick<Environment, "home" | "platform" | "variables"> {
  readonly workspace: string;
}

/** A setting, in a JSON file, that names a program to run commands with. */
export interface ShellPrefix {
  file(scope: Scope, places: Places): string;
  /** The keys that lead to the setting. */
  readonly path: readonly [string, string];
}

/** What Pith knows of one MCP client: data, so that another client is one file and one line of the registry. */
export interface Client {
  readonly id: string;
  readonly title: string;
  readonly format: "json" | "toml";
  /** Files that the client reads, best first: the first that exists is edited, else the first is created. */
  files(scope: Scope, places: Places): readonly [string, ...string[]];
  /** Files and folders that show that the client is in use here. */
  signs(places: Places): readonly string[];
  /** The keys that lead to the servers; `current` is what the file holds now. */
  container(current: unknown): readonly string[];
  /** The fields that make up the server's entry; others that a user has added are left alone. */
  entry(server: ServerCommand): Entry;
  /** Where earlier versions of Pith put themselves before the client's commands. */
  readonly shellPrefix?: ShellPrefix;
  /** What to do after the change, where the client does not see it by itself. */
  readonly next?: string;
}

/** The name of the server in every client: it is what an agent sees in front of the tools. */
export const SERVER_NAME = "pith";

/** The folder for settings by the XDG rule, which some clients follow on macOS too. */
export function xdgConfig({ variables, home }: Places): string {
  const set = variables["XDG_CONFIG_HOME"];
  return set !== undefined && isAbsolute(set) ? set : join(home, ".config");
}

/** The folder where applications keep a user's settings. */
export function applicationData(places: Places): string {
  const { home, platform, variables } = places;
  if (platform === "win32") return variables["APPDATA"] ?? join(home, "AppData", "Roaming");
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return xdgConfig(places);
}

/** A value as an object of fields; anything else has none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
