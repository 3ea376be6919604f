import { createRequire } from "node:module";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";

export type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";

/** node:sqlite is stable, and silent, from this release on; before it the prebuilt binding with the same API serves. */
const BUILT_IN_SINCE = [24, 15] as const;

interface Driver {
  readonly DatabaseSync: new (path: string, options?: object) => DatabaseSyncInstance;
}

let loaded: Promise<Driver> | undefined;

/** Opens a database file through whichever binding this Node has. Loaded on first use: starting must stay cheap. */
export async function openDatabase(
  path: string,
  options: { readOnly?: boolean } = {},
): Promise<DatabaseSyncInstance> {
  loaded ??= load();
  const { DatabaseSync } = await loaded;
  return new DatabaseSync(path, options);
}

async function load(): Promise<Driver> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const builtIn = major > BUILT_IN_SINCE[0] || (major === BUILT_IN_SINCE[0] && minor >= BUILT_IN_SINCE[1]);
  // The built-in module has the same interface; its types are missing from the oldest supported Node's.
  if (builtIn) return createRequire(import.meta.url)("node:sqlite") as Driver;
  const binding: Driver & { readonly default?: Driver } = await import("@photostructure/sqlite");
  // The bundled copy is minified CommonJS, whose names Node sees on its default export only.
  return binding.DatabaseSync === undefined && binding.default !== undefined ? binding.default : binding;
}
