import { join } from "node:path";
import {
  type Argv,
  type Ecosystem,
  nameOf,
  onlyFiles,
  type StagedFiles,
  textOf,
  withText,
} from "../ecosystem.ts";

const PROGRAMS =
  "node npm npx pnpm pnpx yarn yarnpkg bun bunx corepack tsc tsx ts-node vitest jest mocha ava eslint prettier biome vite next webpack rollup esbuild nx turbo lerna playwright cypress".split(
    " ",
  );

const SETTINGS = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  ".pnpmfile.cjs",
  "yarn.lock",
  ".yarnrc",
  ".yarnrc.yml",
  "bun.lock",
  "bun.lockb",
  "bunfig.toml",
  "lerna.json",
  ".npmrc",
  ".node-version",
  ".nvmrc",
];
/** Folders with programs and patches of a package manager. */
const SUPPORT = /^(?:patches|\.yarn\/(?:releases|plugins|patches))\//;

function isInput(path: string): boolean {
  if (path.includes("node_modules/")) return false;
  return (
    nameOf(path) === "package.json" || SETTINGS.includes(path) || SUPPORT.test(path) || path.endsWith(".tgz")
  );
}

/**
 * Scripts are removed from the package files: those of the project run with its sources and are left to each job. The
 * package files of other folders matter only if the project refers to them.
 */
function stage(files: StagedFiles): StagedFiles {
  const refers = /"workspaces"|"(?:file|link|portal|workspace):/.test(textOf(files, "package.json"));
  const isWhole = refers || files.has("pnpm-workspace.yaml");
  let staged = onlyFiles(files, (path) => isWhole || !path.includes("/") || SUPPORT.test(path));
  for (const path of staged.keys())
    if (nameOf(path) === "package.json")
      staged = withText(staged, path, withoutScripts(textOf(staged, path)));
  return staged;
}

function withoutScripts(text: string): string {
  const { scripts: _, ...rest } = readPackage(text) ?? {};
  return readPackage(text) === undefined ? text : JSON.stringify(rest);
}

/** Reads a package file; undefined if it is no JSON object, which the package manager will report. */
function readPackage(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // The cast is safe, because an object with any members is a record.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The package manager reports the syntax error with its place.
    return undefined;
  }
}

/** The scripts of the project that a package manager runs after it has installed the packages, in their order. */
function installScripts(files: StagedFiles, path: string): string[] {
  const scripts = readPackage(textOf(files, path))?.["scripts"];
  const names = new Set(typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : []);
  // `run install` also runs preinstall and postinstall.
  const install = names.has("install") ? ["install"] : ["preinstall", "postinstall"];
  return [...install, "prepublish", "prepare"].filter((name) => names.has(name));
}

function perJob(run: (name: string) => Argv, runInWorkspaces?: (name: string) => Argv) {
  return (files: StagedFiles): readonly Argv[] => {
    const workspaces = [...stage(files).keys()].filter((path) => path.endsWith("/package.json"));
    const inWorkspaces = new Set(workspaces.flatMap((path) => installScripts(files, path)));
    const own = installScripts(files, "package.json");
    return [...(runInWorkspaces ? [...inWorkspaces].map(runInWorkspaces) : []), ...own.map(run)];
  };
}

const COMMON = {
  group: "node",
  programs: PROGRAMS,
  committed: ["node_modules"],
  isInput,
  stage,
  // `npm test` runs no `prepare` either.
  areOwnStepsOptional: true,
  // The lock file names each package with the hash of its content.
  installed: () => "",
} as const;
const NODE: Argv = ["node", "--version"];

const pnpm: Ecosystem = {
  ...COMMON,
  id: "pnpm",
  locks: ["pnpm-lock.yaml"],
  versions: [NODE, ["pnpm", "--version"]],
  steps: () => [["pnpm", "install", "--frozen-lockfile"]],
  stepsPerJob: perJob(
    (name) => ["pnpm", "run", name],
    (name) => ["pnpm", "--recursive", "run", "--if-present", name],
  ),
  // Files that are linked to pnpm's own store would change with it.
  variables: pnpmSetting("package_import_method", "clone-or-copy"),
  // Without it pnpm makes a store in the job's folder, because it cannot link from its own, and installs again for each job.
  sandboxVariables: (env) => pnpmSetting("store_dir", pnpmStore(env)),
};

/** pnpm 11 and later reads settings from variables of its own, and no longer from those of npm. */
function pnpmSetting(name: string, value: string): Record<string, string> {
  return { [`npm_config_${name}`]: value, [`pnpm_config_${name}`]: value };
}

/** The folder in which pnpm keeps packages by default on Linux. */
function pnpmStore(env: Readonly<Record<string, string>>): string {
  const configured = env["pnpm_config_store_dir"] ?? env["npm_config_store_dir"];
  const home =
    env["PNPM_HOME"] ?? join(env["XDG_DATA_HOME"] ?? join(env["HOME"] ?? "", ".local/share"), "pnpm");
  return configured ?? join(home, "store");
}

const yarn: Ecosystem = {
  ...COMMON,
  id: "yarn",
  locks: ["yarn.lock"],
  versions: [NODE, ["yarn", "--version"]],
  // The lock file of Yarn 2 and later begins with its metadata.
  steps: (files) => [
    [
      "yarn",
      "install",
      textOf(files, "yarn.lock").includes("__metadata:") ? "--immutable" : "--frozen-lockfile",
    ],
  ],
  stepsPerJob: perJob((name) => ["yarn", "run", name]),
  variables: { YARN_ENABLE_GLOBAL_CACHE: "false" },
};

const bun: Ecosystem = {
  ...COMMON,
  id: "bun",
  locks: ["bun.lock", "bun.lockb"],
  versions: [["bun", "--version"]],
  steps: () => [["bun", "install", "--frozen-lockfile", "--backend=copyfile"]],
  stepsPerJob: perJob(
    (name) => ["bun", "run", name],
    (name) => ["bun", "run", "--filter", "*", name],
  ),
};

const npm: Ecosystem = {
  ...COMMON,
  id: "npm",
  locks: ["package-lock.json", "npm-shrinkwrap.json"],
  versions: [NODE, ["npm", "--version"]],
  steps: () => [["npm", "ci", "--no-audit", "--no-fund"]],
  stepsPerJob: perJob(
    (name) => ["npm", "run", name],
    (name) => ["npm", "run", name, "--workspaces", "--if-present"],
  ),
};

export const nodeEcosystems: readonly Ecosystem[] = [pnpm, yarn, bun, npm];
