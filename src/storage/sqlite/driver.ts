import { createRequire } from "node:module";
import { PithError } from "../../kernel/errors.ts";
import type { DatabaseSyncInstance } from "@photostructure/sqlite";

export type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";

/**
 * The Node release from which the built-in node:sqlite is stable and prints no warning. Earlier releases use a prebuilt
 * binding with the same interface.
 */
const BUILT_IN_SINCE = [24, 15] as const;

interface Driver {
  readonly DatabaseSync: new (path: string, options?: object) => DatabaseSyncInstance;
}

let loaded: Promise<Driver> | undefined;

/** Opens a database file with the binding that this Node has. The binding is loaded on first use, so that starting stays cheap. */
export async function openDatabase(
  path: string,
  options: { readOnly?: boolean } = {},
): Promise<DatabaseSyncInstance> {
  const { DatabaseSync } = await loadDriver();
  return new DatabaseSync(path, options);
}

/** Loads the binding ahead of its first use, for a process that has to wait anyway. */
export function loadDriver(): Promise<Driver> {
  return (loaded ??= load());
}

async function load(): Promise<Driver> {
  const require = createRequire(import.meta.url);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const builtIn = major > BUILT_IN_SINCE[0] || (major === BUILT_IN_SINCE[0] && minor >= BUILT_IN_SINCE[1]);
  // The cast is needed because the type definitions of the oldest supported Node do not contain the built-in module.
  if (builtIn) return require("node:sqlite") as Driver;
  const installed = platformPackages().find((name) => isInstalled(require, name));
  if (installed !== undefined) return require(installed) as Driver;
  // Without an installed package, as in a source checkout, the bindings of all platforms are in dist/.
  const binding: Driver & { readonly default?: Driver } = await import("@photostructure/sqlite").catch(
    (error: unknown) => Promise.reject(noBinding(error)),
  );
  // The bundled binding is minified CommonJS, whose names Node exposes only on the default export.
  return binding.DatabaseSync === undefined && binding.default !== undefined ? binding.default : binding;
}

/**
 * Returns the possible names of the package with the SQLite binding. There is one per platform, and npm installs the
 * matching one.
 */
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
    // This package is not installed, so the caller tries the next name.
    return false;
  }
}
