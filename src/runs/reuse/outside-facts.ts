import { existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { contains } from "../../kernel/files/opened-path.ts";
import { readFileStart, readSmallText } from "../../kernel/files/small-file.ts";
import { statIfThere } from "../../kernel/files/stat-if-there.ts";
import { SCRIPT_RUNNERS } from "../../diagnostics/registry/check-programs.ts";
import { toolNamed } from "../../diagnostics/registry/tool-names.ts";
import { git } from "../../workspace/git/git-repository.ts";
import { UnknownTreeError } from "../../workspace/tree-fingerprint.ts";
import type { StartedCheck } from "./check-line.ts";

type Variables = Readonly<Record<string, string>>;

/** The checks of a command, with the folder and the variables in which they run. */
export interface CheckPlace {
  readonly top: string;
  readonly checks: readonly StartedCheck[];
  readonly env: Variables;
}

/** How files outside of the tree are identified: on one machine by their looks, between machines by their content. */
export interface FileIdentity {
  program(path: string): string;
  /** The file may be absent. */
  file(path: string): string;
}

/** Variables that lead to code or files which are not watched. */
const OPEN_VARIABLES = ["NODE_PATH", "PYTHONPATH", "PYTHONHOME", "MYPYPATH", "LD_PRELOAD"];
const LOADING_OPTION = /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)\b/;
/** Settings that belong to no tool but change what tools do: versions of programs, ignored files, editors' styles. */
const COMMON_SETTINGS =
  /^(?:package\.json|\.npmrc|\.node-version|\.nvmrc|\.tool-versions|\.?mise\.toml|\.editorconfig|\.gitignore|\.gitconfig|\.python-version)$/;
/**
 * Describes what decides the answers of checks besides the files of their tree: programs, settings, and rules for
 * ignored files. Throws if it cannot be known.
 */
export async function outsideFacts(
  place: CheckPlace,
  identity: FileIdentity,
  signal: AbortSignal,
): Promise<string[]> {
  return [
    ...programFacts(place, identity),
    ...settingFiles(place).map((path) => identity.file(path)),
    ...(await ignoreFiles(place, signal)).map((path) => identity.file(path)),
  ];
}

/** Describes the program files that run, each with what changes when another version is installed. */
function programFacts({ top, checks, env }: CheckPlace, identity: FileIdentity): string[] {
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
    checkPython(found, top);
    facts.push(`${check.tool} ${identity.program(found)}`);
  }
  for (const name of ["node", "npx", ...SCRIPT_RUNNERS]) {
    const found = onPath(name, env);
    if (found === undefined) continue;
    const real = realpathSync(found);
    // A shim chooses the version by settings of its own.
    if (name === "node" && (/[/\\]shims[/\\]/.test(real) || !/[/\\]node$/.test(real)))
      throw new UnknownTreeError("node is chosen by a version manager");
    facts.push(`${name} ${identity.program(found)}`);
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
  return statIfThere(path)?.isFile() === true ? path : undefined;
}

function isScript(path: string): boolean {
  return readFileStart(path, 2)?.toString("latin1") === "#!";
}

/** A virtual environment must hold all its packages, because those of the system are not watched. */
function checkPython(program: string, top: string): void {
  const settings = join(dirname(program), "..", "pyvenv.cfg");
  if (!contains(top, settings) || !existsSync(settings)) return;
  if (/^include-system-site-packages\s*=\s*true/im.test(readSmallText(settings) ?? ""))
    throw new UnknownTreeError("the virtual environment includes the packages of the system");
}

/** Lists settings that tools read in the folders above the repository and in the user's home folder. */
function settingFiles({ top, checks, env }: CheckPlace): string[] {
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

/** Lists the files outside of the tree by which git, and with it many checkers, ignores files. */
async function ignoreFiles({ top, env }: CheckPlace, signal: AbortSignal): Promise<string[]> {
  const [local, global] = await Promise.all([
    git(top, ["rev-parse", "--git-path", "info/exclude"], { signal }),
    git(top, ["config", "--path", "core.excludesFile"], { signal }),
  ]);
  const config = env["XDG_CONFIG_HOME"] ?? join(env["HOME"] ?? "", ".config");
  return [
    resolve(top, local.stdout.toString("utf8").trim()),
    resolve(top, global.stdout.toString("utf8").trim()),
    join(config, "git", "ignore"),
  ];
}

function filesOf(folder: string, isWanted: (name: string) => boolean): string[] {
  if (folder === "" || statIfThere(folder)?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => isWanted(name))
    .sort()
    .map((name) => join(folder, name));
}

/** A folder and all folders above it. */
function parentsOf(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...parentsOf(above)];
}
