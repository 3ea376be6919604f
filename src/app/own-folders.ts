import { dirname } from "node:path";
import { type Environment, userConfigFile, userDataFolder } from "../config/environment.ts";
import type { Config } from "../config/keys.ts";

/** The folders of Pith's own configuration and data. */
export function ownFolders({ server }: Pick<Config, "server">, environment: Environment): readonly string[] {
  const data = server.data_dir === "" ? userDataFolder(environment) : server.data_dir;
  return [dirname(userConfigFile(environment)), data];
}
