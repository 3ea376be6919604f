import { createHash } from "node:crypto";
import { arch, platform, tmpdir } from "node:os";
import { runProcess } from "../../exec/run-process.ts";
import { toPithError } from "../../kernel/errors.ts";
import type { Environment } from "./detect.ts";
import type { Argv } from "./ecosystem.ts";

/** A key, or the reason why what it stands for cannot be installed here. */
export type LayerKey = { readonly key: string } | { readonly missing: string };

/** The version of a program is asked again after this time, because somebody may have upgraded it. */
const VERSION_MS = 60_000;
const VERSION_TIMEOUT_MS = 30_000;
/** Increased when the content of layers changes with the same files. */
const LAYER_FORMAT = 2;

/**
 * Hashes everything that decides what is installed: the files, the commands, the platform and the tools' versions, and
 * the job's folder where the result remembers it.
 */
export async function layerKey(
  { ecosystem, staged }: Environment,
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<LayerKey> {
  const versions: string[] = [];
  for (const argv of ecosystem.versions) {
    const version = await versionOf(argv, env);
    if ("missing" in version) return version;
    versions.push(version.text);
  }
  const hash = createHash("sha256");
  const { variables = {} } = ecosystem;
  const facts = [
    LAYER_FORMAT,
    ecosystem.id,
    platform(),
    arch(),
    versions,
    ecosystem.steps(staged),
    variables,
    ...((ecosystem.placedFolders?.(staged) ?? []).length > 0 ? [folder] : []),
  ];
  hash.update(JSON.stringify(facts));
  for (const [path, { bytes, isExecutable }] of staged)
    hash.update(`\0${path}\0${isExecutable}\0${bytes.length}\0`).update(bytes);
  return { key: `${ecosystem.id}-${hash.digest("hex").slice(0, 40)}` };
}

type Version = { readonly text: string } | { readonly missing: string };
const versions = new Map<string, { readonly at: number; readonly version: Promise<Version> }>();

/** Asks a program for its version, outside of the job's folder, because some would run a program of the repository. */
async function versionOf(argv: Argv, env: Readonly<Record<string, string>>): Promise<Version> {
  const name = JSON.stringify([argv, env["PATH"]]);
  const known = versions.get(name);
  if (known !== undefined && Date.now() - known.at < VERSION_MS) return known.version;
  const version = readVersion(argv, env);
  versions.set(name, { at: Date.now(), version });
  return version;
}

async function readVersion(argv: Argv, env: Readonly<Record<string, string>>): Promise<Version> {
  try {
    const { exitCode, stdout, stderr } = await runProcess(argv, {
      cwd: tmpdir(),
      env,
      timeoutMs: VERSION_TIMEOUT_MS,
    });
    if (exitCode === 0) return { text: stdout.toString("utf8").trim() };
    return { missing: `${argv.join(" ")} exited ${exitCode}: ${stderr.trim().slice(0, 200)}` };
  } catch (error) {
    return { missing: toPithError(error).message };
  }
}
