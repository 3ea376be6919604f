import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { createHash } from "node:crypto";
import { delimiter, join } from "node:path";
import { PithError, toPithError } from "../../kernel/errors.ts";
import { contains } from "../../kernel/files/opened-path.ts";
import { runProcess } from "../run-process.ts";
import { findProgram } from "../shell.ts";
import { bubblewrapArgv, type SandboxView } from "./bubblewrap.ts";
import { checkFolders, type PinnedFolder, pinFolder } from "./pinned-folder.ts";
import { socketFiles } from "./sockets.ts";
import { withoutCallersVariables, withoutCodeVariables } from "./wrapper-environment.ts";

/** How the user's settings isolate the commands that Pith runs. */
export interface Isolation {
  readonly kind: "bubblewrap" | "command";
  /** The configured command to which a run's argument list is appended, for the kind `command`. */
  readonly command: readonly string[];
  readonly hasNetwork: boolean;
  /** Absolute paths that a command may change although they are outside the workspace. */
  readonly caches: readonly string[];
  /** Absolute paths in the home folder that a command may read. */
  readonly tools: readonly string[];
  readonly home: string;
  /** Further folders that a command does not see. */
  readonly hidden: readonly string[];
}

/** What a command runs in. It is plain data, because another process may execute the run. */
export interface Enclosure {
  /** The argument list to which the command's own is appended. */
  readonly wrapper: readonly string[];
  /** The environment of that argument list; what the command gets beside it is part of the list. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder for the files that the command writes for Pith; it is removed when the run has ended. */
  readonly folder: string;
  /** True if the extra streams that record the stages of a pipeline reach the command. */
  readonly passesStreams: boolean;
}

interface EnclosedPlace {
  readonly workspace: string;
  readonly cwd: string;
  /** The path of the run's log files without a suffix. */
  readonly logBase: string;
  readonly env: Readonly<Record<string, string>>;
  /** The command's environment without what its caller has set; by default nothing was set. */
  readonly ownEnv?: Readonly<Record<string, string>> | undefined;
  /** True if the workspace exists for this run only. */
  readonly isTemporary?: boolean;
}

/**
 * The folders in which bubblewrap is looked for. PATH is not used, because it may contain folders of the workspace, and
 * a program there could pass for bubblewrap.
 */
const PROGRAM_FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"];
/** Sockets in this folder, such as those of Docker and of the user's session, would lead out of the sandbox. */
const SOCKETS_FOLDER = "/run";
const PROBE_TIMEOUT_MS = 10_000;

/** The folder for the files that an isolated command writes for Pith. */
export function enclosedFolder(logBase: string): string {
  return `${logBase}.box`;
}

/** The beginning of the paths of those files. */
export function enclosedBase(logBase: string): string {
  return join(enclosedFolder(logBase), "run");
}

export function findBubblewrap(): string | undefined {
  return process.platform === "linux" ? findProgram("bwrap", PROGRAM_FOLDERS.join(delimiter)) : undefined;
}

/**
 * Prepares the isolation of a run and tries it out. Throws if it does not work, so that nothing runs without it and a
 * failure of the isolation is never taken for one of the command.
 */
export async function enclose(
  isolation: Isolation,
  place: EnclosedPlace,
  program = findBubblewrap(),
): Promise<Enclosure> {
  const folder = enclosedFolder(place.logBase);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    if (isolation.kind === "bubblewrap") return await encloseInBubblewrap(isolation, place, program);
    const { outer, inner } = withoutCallersVariables(place.env, place.ownEnv ?? place.env);
    const wrapper = [...configuredWrapper(isolation.command, place), ...inner];
    return { wrapper, env: outer, folder, passesStreams: false };
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}

async function encloseInBubblewrap(
  isolation: Isolation,
  place: EnclosedPlace,
  program: string | undefined,
): Promise<Enclosure> {
  if (program === undefined) throw unavailable("bubblewrap is not installed");
  const stat = findProgram("stat", PROGRAM_FOLDERS.join(delimiter));
  if (stat === undefined) throw unavailable("the program stat is not installed", "Install coreutils.");
  const { outer, inner } = withoutCodeVariables(place.env);
  const folders = writableFolders(place);
  const view = viewOf(isolation, place, folders);
  const isolating = bubblewrapArgv(program, view);
  const problem = await probe(isolating, { cwd: place.cwd, env: outer });
  if (problem !== undefined) throw unavailable(`bubblewrap does not work here: ${problem}`);
  const wrapper = [...isolating, ...checkFolders(stat, folders), ...inner];
  return { wrapper, env: outer, folder: enclosedFolder(place.logBase), passesStreams: true };
}

/** The workspace, and the folder of the command if that is in another folder that Pith serves. */
function writableFolders({ workspace, cwd }: EnclosedPlace): PinnedFolder[] {
  return (contains(workspace, cwd) ? [workspace] : [workspace, cwd]).map((path) => {
    const pinned = pinFolder(path);
    if (pinned === undefined)
      throw unavailable(`${path} is not a folder but a link, or below one`, "Name the folder itself.");
    return pinned;
  });
}

/** Says why bubblewrap cannot be used on this machine; undefined if it can. */
export async function bubblewrapProblem(program = findBubblewrap()): Promise<string | undefined> {
  if (program === undefined) return "bubblewrap is not installed";
  const view = { writable: [], readable: [], hidden: [], covered: [], replaced: [], hasNetwork: true };
  return probe(bubblewrapArgv(program, view), { cwd: "/" });
}

async function probe(
  wrapper: readonly [string, ...string[]],
  { cwd, env }: Pick<EnclosedPlace, "cwd"> & Partial<EnclosedPlace>,
): Promise<string | undefined> {
  try {
    const options = { cwd, timeoutMs: PROBE_TIMEOUT_MS, ...(env === undefined ? {} : { env }) };
    const { exitCode, stderr } = await runProcess([...wrapper, "true"], options);
    return exitCode === 0 ? undefined : stderr.trim() || `exit code ${exitCode}`;
  } catch (error) {
    return toPithError(error).message;
  }
}

function viewOf(
  isolation: Isolation,
  { workspace, logBase, isTemporary }: EnclosedPlace,
  folders: readonly PinnedFolder[],
): SandboxView {
  const folder = realpathSync(enclosedFolder(logBase));
  const home = existsSync(isolation.home) ? realpathSync(isolation.home) : isolation.home;
  const roots = folders.map(({ path }) => path);
  if (roots.some((root) => contains(root, home)))
    throw unavailable(
      `the workspace ${workspace} contains your home folder, which isolation hides`,
      "Work in the folder of one project.",
    );
  const temporary = realpathSync("/tmp");
  const hidden = [home, SOCKETS_FOLDER, ...isolation.hidden]
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path));
  // A command could replace a cache inside its workspace by a link to any folder, which the next one could then change.
  const outside = (path: string): boolean => existsSync(path) && !roots.some((root) => contains(root, path));
  const writable = [...roots, folder, ...isolation.caches.filter(outside)];
  const readable = [...isolation.tools.filter(outside), ...nameServerFile()];
  const reachable = [...writable, ...readable];
  return {
    writable,
    readable,
    hidden,
    covered: socketFiles().filter(
      (path) => ![...hidden, temporary, "/dev", ...reachable].some((one) => contains(one, path)),
    ),
    replaced: [
      {
        path: temporary,
        by: isTemporary ? makeFolder(join(folder, "tmp")) : temporaryFolder(temporary, workspace),
      },
    ],
    hasNetwork: isolation.hasNetwork,
  };
}

/** The file with the name servers is often a link into the hidden folder /run. */
function nameServerFile(): string[] {
  if (!existsSync("/etc/resolv.conf")) return [];
  const file = realpathSync("/etc/resolv.conf");
  return contains(SOCKETS_FOLDER, file) ? [file] : [];
}

/**
 * Creates the folder that the commands of a workspace see as /tmp. It is not the real one, in which there are sockets
 * and files of other programs, and it stays from run to run, because a later command often reads what an earlier one
 * has left there. It is on disk, because large builds do not fit in memory.
 */
function temporaryFolder(temporary: string, workspace: string): string {
  const user = process.getuid?.();
  const parent = makeFolder(join(temporary, `pith-sandbox-${user}`));
  const { uid, mode } = lstatSync(parent);
  // Another user may have made it before, or a link, whose mode is always open to all.
  if (uid !== user || (mode & 0o077) !== 0)
    throw unavailable(`${parent} is not a folder that only you can use`, "Remove it.");
  return makeFolder(join(parent, createHash("sha256").update(workspace).digest("hex").slice(0, 16)));
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** Puts the places of a run into the configured command. */
function configuredWrapper(
  command: readonly string[],
  { workspace, cwd, logBase, ownEnv, env }: EnclosedPlace,
): readonly string[] {
  const [program] = command;
  if (program === undefined)
    throw unavailable(
      "[runs] isolation_command is empty",
      'Set it in your config.toml: isolation_command = ["podman", "run", …].',
    );
  // The programs of the project are on the PATH too, and one of them could pass for the isolation.
  const found = findProgram(program, (ownEnv ?? env)["PATH"] ?? "");
  if (found !== undefined && contains(realpathSync(workspace), realpathSync(found)))
    throw unavailable(`${program} of [runs] isolation_command is a program of the workspace: ${found}`);
  const places: Readonly<Record<string, string>> = { workspace, cwd, files: enclosedFolder(logBase) };
  return command.map((word) =>
    word.replaceAll(/\{(workspace|cwd|files)\}/g, (all, name: string) => places[name] ?? all),
  );
}

const NEXT_STEP =
  'Install it (Debian, Ubuntu: apt-get install bubblewrap) and allow unprivileged user namespaces, or use [runs] isolation = "command".';

function unavailable(problem: string, suggestion = NEXT_STEP): PithError {
  return new PithError(
    "isolation_unavailable",
    `Nothing was run, because it cannot be isolated: ${problem}`,
    {
      suggestion,
    },
  );
}
