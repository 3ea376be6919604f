import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

const run = promisify(execFile);

/** Cache of downloaded packages between runs; it is not committed. */
const CACHE = resolve(".cache/pruning");
/** Packages per npm process, and concurrent npm processes: npm takes a second to start and downloads sequentially. */
const BATCH = 16;
const AT_ONCE = 4;
/** Timeout for a registry that does not answer. */
const PATIENCE = ["--fetch-retries=1", "--fetch-timeout=15000"];
const TIMEOUT_MS = 45_000;

export interface Release {
  readonly name: string;
  readonly version: string;
}

/** Returns all published versions of a package, unordered. */
export async function publishedVersions(name: string): Promise<readonly string[]> {
  const { stdout } = await run("npm", ["view", name, "versions", "--json", "--silent"], {
    maxBuffer: 1e8,
    timeout: TIMEOUT_MS,
  });
  const versions: string | string[] = JSON.parse(stdout);
  return typeof versions === "string" ? [versions] : versions;
}

/** Downloads releases into the cache. Those that are unavailable are missing afterwards. */
export async function fetchReleases(releases: readonly Release[]): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const missing = new Set(
    releases.filter((release) => !isCached(release)).map(({ name, version }) => `${name}@${version}`),
  );
  const specs = [...missing];
  const batches = Array.from({ length: Math.ceil(specs.length / BATCH) }, (_, i) =>
    specs.slice(i * BATCH, (i + 1) * BATCH),
  );
  const work = async (): Promise<void> => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      try {
        await run(
          "npm",
          ["pack", ...PATIENCE, "--silent", "--ignore-scripts", "--pack-destination", CACHE, ...batch],
          {
            maxBuffer: 1e8,
            timeout: TIMEOUT_MS,
          },
        );
      } catch (error) {
        console.warn(`npm pack: ${String(error).slice(0, 300)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Returns the size of a cached release. */
export function packedBytes(release: Release): number {
  return statSync(tarballPath(release)).size;
}

export function isCached(release: Release): boolean {
  return existsSync(tarballPath(release));
}

function tarballPath({ name, version }: Release): string {
  return join(CACHE, `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`);
}

/** Returns the requested files of a release by their path in the package. */
export function filesOf(release: Release, wanted: (path: string) => boolean): ReadonlyMap<string, string> {
  const tar = gunzipSync(readFileSync(tarballPath(release)));
  const files = new Map<string, string>();
  let longName: string | undefined;
  for (let at = 0; at + 512 <= tar.length;) {
    const header = tar.subarray(at, at + 512);
    if (header[0] === 0) break;
    const size = Number.parseInt(field(header, 124, 12), 8) || 0;
    const kind = String.fromCharCode(header[156] ?? 0);
    const body = tar.subarray(at + 512, at + 512 + size);
    if (kind === "x") longName = /\d+ path=(.*)\n/.exec(body.toString("utf8"))?.[1];
    else if (kind === "L") longName = body.toString("utf8").replace(/\0.*$/s, "");
    else if (kind !== "g") {
      const prefix = field(header, 345, 155);
      const full = longName ?? (prefix === "" ? "" : `${prefix}/`) + field(header, 0, 100);
      longName = undefined;
      // Every path in a package starts with a folder, whose name varies.
      const path = full.replace(/^[^/]*\//, "");
      if ((kind === "0" || kind === "\0") && wanted(path)) files.set(path, body.toString("utf8"));
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

function field(header: Buffer, start: number, length: number): string {
  const text = header.subarray(start, start + length).toString("latin1");
  const end = text.indexOf("\0");
  return (end === -1 ? text : text.slice(0, end)).trim();
}
