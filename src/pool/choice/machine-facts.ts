import { availableParallelism, tmpdir, totalmem } from "node:os";
import { readdir } from "node:fs/promises";
import { delimiter } from "node:path";
import { runProcess } from "../../exec/run-process.ts";
import { compareText } from "../../kernel/nearest.ts";
import { commandEnvironment } from "../../runs/plan/environment.ts";
import type { PoolSettings } from "../settings.ts";
import { type FactName, type MachineFacts, readRequirements } from "./needs.ts";
import { type Version, versionIn } from "./version-range.ts";

type Argv = readonly [string, ...string[]];

/** How each toolchain tells its version. */
const TOOLCHAINS: readonly { readonly name: FactName; readonly argv: Argv }[] = [
  { name: "bun", argv: ["bun", "--version"] },
  { name: "deno", argv: ["deno", "--version"] },
  { name: "dotnet", argv: ["dotnet", "--version"] },
  { name: "gcc", argv: ["gcc", "-dumpfullversion"] },
  { name: "go", argv: ["go", "version"] },
  { name: "java", argv: ["java", "--version"] },
  { name: "node", argv: ["node", "--version"] },
  { name: "php", argv: ["php", "--version"] },
  { name: "python", argv: ["python3", "--version"] },
  { name: "ruby", argv: ["ruby", "--version"] },
  { name: "rust", argv: ["rustc", "--version"] },
];
/** A program that takes longer to tell its version counts as absent. */
const TIMEOUT_MS = 20_000;
const BYTES_PER_GB = 1024 ** 3;
/** Further versions of Python, which a project may start by this name. */
const PYTHON = /^python3\.\d{1,2}$/;

/** Finds out what this machine has. Toolchains are asked outside of any project, because some would answer for it. */
async function readMachineFacts(env: Readonly<Record<string, string>>): Promise<MachineFacts> {
  const found = new Map<FactName, Version[]>([
    ["cores", [[availableParallelism(), 0, 0]]],
    ["memory", [[Math.round(totalmem() / BYTES_PER_GB), 0, 0]]],
  ]);
  const pythons = (await programsLike(PYTHON, env)).map((program) => {
    const argv: Argv = [program, "--version"];
    return { name: "python" as const, argv };
  });
  const asked = [...TOOLCHAINS, ...pythons].map(async ({ name, argv }) => ({
    name,
    version: await versionOf(argv, env),
  }));
  for (const { name, version } of await Promise.all(asked)) {
    const known = found.get(name) ?? [];
    if (version !== undefined && !known.some((one) => one.join(".") === version.join(".")))
      found.set(name, [...known, version]);
  }
  return Object.fromEntries([...found].sort(([one], [other]) => compareText(one, other)));
}

/** What a worker of this machine has, including what its labels say. */
export async function readWorkerFacts(
  { labels, passEnvironment: pass }: Pick<PoolSettings, "labels" | "passEnvironment">,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<MachineFacts> {
  const folder = tmpdir();
  const env = commandEnvironment({ base: variables, pass, cwd: folder, root: folder });
  const facts: Record<string, readonly Version[]> = { ...(await readMachineFacts(env)) };
  for (const { name, intervals } of readRequirements(labels, "pool.labels").needs)
    facts[name] = [...(facts[name] ?? []), ...intervals.map(({ from }) => from)];
  return facts;
}

async function versionOf(argv: Argv, env: Readonly<Record<string, string>>): Promise<Version | undefined> {
  try {
    const { exitCode, stdout } = await runProcess(argv, { cwd: tmpdir(), env, timeoutMs: TIMEOUT_MS });
    return exitCode === 0 ? versionIn(stdout.toString("utf8")) : undefined;
  } catch {
    // The program is not installed or does not answer, which is what the fact says.
    return undefined;
  }
}

/** The names of the programs on the PATH that match. */
async function programsLike(pattern: RegExp, env: Readonly<Record<string, string>>): Promise<string[]> {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(Boolean);
  // A folder of the PATH need not exist.
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return [...new Set(names.flat().filter((name) => pattern.test(name)))];
}
