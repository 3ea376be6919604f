import { createRequire } from "node:module";
import { PithError } from "../../kernel/errors.ts";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";

export type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";

/** node:sqlite is stable, and silent, from this release on; earlier ones use a prebuilt binding with the same interface. */
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
  const require = createRequire(import.meta.url);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const builtIn = major > BUILT_IN_SINCE[0] || (major === BUILT_IN_SINCE[0] && minor >= BUILT_IN_SINCE[1]);
  // The built-in module has the same interface; its types are missing from the oldest supported Node's.
  if (builtIn) return require("node:sqlite") as Driver;
  const installed = platformPackages().find((name) => isInstalled(require, name));
  if (installed !== undefined) return require(installed) as Driver;
  // A clone has the bindings of all platforms in dist/.
  const binding: Driver & { readonly default?: Driver } = await import("@photostructure/sqlite").catch(
    (error: unknown) => Promise.reject(noBinding(error)),
  );
  // The bundled copy is minified CommonJS, whose names Node sees on its default export only.
  return binding.DatabaseSync === undefined && binding.default !== undefined ? binding.default : binding;
}

/** The published binding is one package per platform (scripts/release.mjs); npm installs the one that fits. */
function platformPackages(): string[] {
  const name = `pith-sqlite-${process.platform}-${process.arch}`;
  return process.platform === "linux" ? [`${name}-glibc`, `${name}-musl`] : [name];
}

function noBinding(cause: unknown): PithError {
  const names = platformPackages().join(" or ");
  return new PithError(
    "store_unavailable",
    `No SQLite binding for ${process.platform} ${process.arch} is installed`,
    {
      suggestion: `Install ${names}, or use Node ${BUILT_IN_SINCE.join(".")} or newer, which has SQLite built in.`,
    },
    { cause },
  );
}

function isInstalled(require: NodeJS.Require, name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    // Not installed: the caller tries the next place.
    return false;
  }
}
