import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { contains } from "../../kernel/files/opened-path.ts";
import {
  describeRefusal,
  readFileStart,
  readSmallFile,
  readSmallText,
} from "../../kernel/files/small-file.ts";
import { buildTools } from "../../diagnostics/registry/build-tools.ts";
import { SCRIPT_RUNNERS } from "../../diagnostics/registry/check-programs.ts";
import { toolNamed } from "../../diagnostics/registry/tool-names.ts";
import type { CheckInputs } from "../../model/run.ts";
import { git } from "../../workspace/git/git-repository.ts";
import {
  type CacheRules,
  contentOf,
  statLook,
  surveyTree,
  type TreeSurvey,
  UnknownTreeError,
} from "../../workspace/tree-fingerprint.ts";
import type { StartedCheck } from "./check-line.ts";

/** Changes with the rules below, so that runs which another version of Pith recorded are not compared by other rules. */
const RULES_VERSION = "1";

type Variables = Readonly<Record<string, string>>;

/** What decides the answer of a check, to be compared before and after it. */
export interface CheckState {
  /** The environment, the programs, and the settings outside of the repository. */
  readonly outside: string;
  readonly survey: TreeSurvey;
}

export interface CheckSubject {
  readonly top: string;
  readonly checks: readonly StartedCheck[];
  readonly env: Variables;
  /** Identifies the variables that the command gets. */
  readonly variables: string;
}

/** Variables that differ from call to call and that no checker reads. */
const SESSION_VARIABLES: ReadonlySet<string> = new Set(["_", "SHLVL", "OLDPWD"]);
/** Variables that lead to code or files which are not watched. */
const OPEN_VARIABLES = ["NODE_PATH", "PYTHONPATH", "PYTHONHOME", "MYPYPATH", "LD_PRELOAD"];
const LOADING_OPTION = /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)\b/;
/** Settings that belong to no tool but change what tools do: versions of programs, ignored files, editors' styles. */
const COMMON_SETTINGS =
  /^(?:package\.json|\.npmrc|\.node-version|\.nvmrc|\.tool-versions|\.?mise\.toml|\.editorconfig|\.gitignore|\.gitconfig|\.python-version)$/;
/** Caches of test runners, bundlers and systems, which no checker reads. */
const OTHER_CACHES =
  /(?:^|\/)(?:node_modules\/\.(?:cache|vite|vite-temp|vitest)|__pycache__|\.pytest_cache|\.DS_Store)(?:\/|$)/;

/** Identifies the environment variables of a command. Only a hash is kept, because values may be secrets. */
export function hashVariables(env: Variables): string {
  const hash = createHash("sha256");
  for (const [name, value] of Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1)))
    if (!SESSION_VARIABLES.has(name)) hash.update(`${name}=${value}\0`);
  return hash.digest("base64");
}

/** Looks at everything that decides the answer of a check; throws if it cannot be known. */
export async function readCheckState(subject: CheckSubject, signal: AbortSignal): Promise<CheckState> {
  const outside = createHash("sha256");
  for (const fact of [
    RULES_VERSION,
    subject.variables,
    ...programFacts(subject),
    ...settingsFacts(subject),
    ...(await ignoreFacts(subject, signal)),
  ])
    outside.update(`${fact}\n`);
  return {
    outside: outside.digest("base64"),
    survey: await surveyTree(subject.top, cacheRules(subject.checks), signal),
  };
}

/** Completes the state after a check, if nothing has changed while it ran; undefined if something has. */
export async function inputsOf(
  before: Pick<CheckInputs, "outside" | "strict">,
  { outside, survey }: CheckState,
  signal: AbortSignal,
): Promise<Omit<CheckInputs, "costMs"> | undefined> {
  if (outside !== before.outside || survey.strict !== before.strict) return undefined;
  return { outside, strict: survey.strict, caches: survey.caches, content: await contentOf(survey, signal) };
}

function cacheRules(checks: readonly StartedCheck[]): CacheRules {
  const own = checks.flatMap(({ tool }) => toolNamed(tool)?.pureCheck?.caches ?? []);
  const isOwn = (path: string): boolean => own.some((pattern) => pattern.test(path));
  const others = [OTHER_CACHES, ...buildTools.flatMap(({ pureCheck }) => pureCheck?.caches ?? [])];
  return { isOwn, isOther: (path) => others.some((pattern) => pattern.test(path)) && !isOwn(path) };
}

/** Describes the program files that run, each with what changes when another version is installed. */
function programFacts({ top, checks, env }: CheckSubject): string[] {
  for (const name of OPEN_VARIABLES)
    if ((env[name] ?? "") !== "") throw new UnknownTreeError(`${name} is set`);
  if (LOADING_OPTION.test(env["NODE_OPTIONS"] ?? "")) throw new UnknownTreeError("NODE_OPTIONS loads code");
  const facts: string[] = [];
  for (const check of checks) {
    const found = programFile(check, top, env);
    const real = found === undefined ? undefined : realpathSync(found);
    if (found === undefined || real === undefined)
      throw new UnknownTreeError(`${check.program} is not found`);
    const isOneFile = toolNamed(check.tool)?.pureCheck?.isOneFile === true && !isScript(real);
    if (!contains(top, real) && !isOneFile) throw new UnknownTreeError(`${real} is not in the repository`);
    facts.push(`${check.tool} ${found} ${real} ${statLook(real)}`, ...pythonFacts(found, top));
  }
  for (const name of ["node", "npx", ...SCRIPT_RUNNERS]) {
    const found = onPath(name, env);
    if (found === undefined) continue;
    const real = realpathSync(found);
    // A shim chooses the version by settings of its own.
    if (name === "node" && (/[/\\]shims[/\\]/.test(real) || !/[/\\]node$/.test(real)))
      throw new UnknownTreeError("node is chosen by a version manager");
    facts.push(`${name} ${found} ${real} ${statLook(real)}`);
  }
  return facts;
}

/** Finds the file that a check starts, as a shell or a package manager does. */
function programFile(
  { program, folder, isPackaged }: StartedCheck,
  top: string,
  env: Variables,
): string | undefined {
  if (program.includes("/")) return existing(resolve(folder, program));
  const packaged = parentsOf(folder)
    .filter((parent) => contains(top, parent))
    .map((parent) => existing(join(parent, "node_modules", ".bin", program)))
    .find((path) => path !== undefined);
  return isPackaged ? packaged : onPath(program, env);
}

function onPath(program: string, env: Variables): string | undefined {
  return (env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => existing(join(folder, program)))
    .find((path) => path !== undefined);
}

function existing(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : undefined;
}

function isScript(path: string): boolean {
  return readFileStart(path, 2)?.toString("latin1") === "#!";
}

/** A virtual environment must hold all its packages, because those of the system are not watched. */
function pythonFacts(program: string, top: string): string[] {
  const settings = join(dirname(program), "..", "pyvenv.cfg");
  if (!contains(top, settings) || !existsSync(settings)) return [];
  if (/^include-system-site-packages\s*=\s*true/im.test(readSmallText(settings) ?? ""))
    throw new UnknownTreeError("the virtual environment includes the packages of the system");
  return [];
}

/** Describes settings that tools read in the folders above the repository and in the user's home folder. */
function settingsFacts({ top, checks, env }: CheckSubject): string[] {
  const tools = checks.map(({ tool }) => toolNamed(tool));
  const isSetting = (name: string): boolean =>
    COMMON_SETTINGS.test(name) || tools.some((tool) => tool?.pureCheck?.settings?.test(name) === true);
  const above = parentsOf(dirname(top));
  const home = env["HOME"] ?? "";
  const config = env["XDG_CONFIG_HOME"] ?? join(home, ".config");
  // Packages above the repository are found from inside of it.
  const packages = [
    ...above.map((folder) => join(folder, "node_modules")),
    // Node also looks here, whatever folder it runs in.
    ...[".node_modules", ".node_libraries"].map((name) => join(home, name)),
  ];
  if (packages.some((folder) => existsSync(folder)))
    throw new UnknownTreeError("there are packages outside of the repository");
  const own = tools.flatMap((tool) => (tool === undefined ? [] : [join(config, tool.id)]));
  return [
    ...[...above, home].flatMap((folder) => filesOf(folder, isSetting)),
    ...own.flatMap((folder) => filesOf(folder, () => true)),
    // Some tools have a file instead of a folder there.
    ...filesOf(config, (name) => tools.some((tool) => tool !== undefined && name.startsWith(tool.id))),
  ];
}

/** Describes the rules outside of the tree by which git, and with it many checkers, ignores files. */
async function ignoreFacts({ top, env }: CheckSubject, signal: AbortSignal): Promise<string[]> {
  const [local, global] = await Promise.all([
    git(top, ["rev-parse", "--git-path", "info/exclude"], { signal }),
    git(top, ["config", "--path", "core.excludesFile"], { signal }),
  ]);
  const config = env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? "", ".config");
  return [
    resolve(top, local.stdout.toString("utf8").trim()),
    resolve(top, global.stdout.toString("utf8").trim()),
    join(config, "git", "ignore"),
  ].map((path) => fileFact(path));
}

function filesOf(folder: string, isWanted: (name: string) => boolean): string[] {
  if (folder === "" || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => isWanted(name))
    .sort()
    .map((name) => fileFact(join(folder, name)));
}

function fileFact(path: string): string {
  if (existing(path) === undefined) return `${path} is absent`;
  const read = readSmallFile(path);
  if ("refused" in read) throw new UnknownTreeError(`${path} ${describeRefusal(read.refused)}`);
  return `${path} ${createHash("sha256").update(read.bytes).digest("base64")}`;
}

/** A folder and all folders above it. */
function parentsOf(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...parentsOf(above)];
}
