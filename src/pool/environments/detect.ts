import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { statIfThere } from "../../kernel/files/stat-if-there.ts";
import { PithError } from "../../kernel/errors.ts";
import { describeRefusal, readSmallFile } from "../../kernel/files/small-file.ts";
import { compareText } from "../../kernel/nearest.ts";
import { compileGlob } from "../../security/glob.ts";
import type { Ecosystem, StagedFiles } from "./ecosystem.ts";
import { ECOSYSTEMS } from "./ecosystems/registry.ts";
import { foldersAbove } from "./folders-above.ts";

/** What a job says about its environments, as the submitter's settings and the command have it. */
export interface PrepareSpec {
  /** True if package managers are recognized by their lock files. */
  readonly detect: boolean;
  /** The names of the programs that the job's command starts. */
  readonly programs: readonly string[];
  /** Further folders with lock files, relative to the root. */
  readonly folders: readonly string[];
  /** Configured commands, which run in the root with only these files. */
  readonly commands: readonly string[];
  readonly files: readonly string[];
  readonly timeoutMs: number;
}

/** Something to install before a job runs. */
export interface Environment {
  readonly ecosystem: Ecosystem;
  /** The folder of the lock file relative to the root, with forward slashes; empty for the root. */
  readonly folder: string;
  /** All files that may decide what is installed. */
  readonly inputs: StagedFiles;
  /** The same files, reduced to what decides. */
  readonly staged: StagedFiles;
}

interface Snapshot {
  readonly root: string;
  /** The folder of the command, relative to the root. */
  readonly cwd: string;
  /** Lists the files of the snapshot, relative to the root. */
  readonly listFiles: () => Promise<readonly string[]>;
}

/** A lock file of more bytes is not read. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024;

/** Finds out what a job needs installed: by the lock files beside and above its command, and by its settings. */
export async function detectEnvironments(spec: PrepareSpec, snapshot: Snapshot): Promise<Environment[]> {
  const found = spec.detect ? findEcosystems(spec, snapshot) : [];
  const configured = configuredEcosystem(spec);
  if (configured !== undefined) found.push({ ecosystem: configured, folder: "" });
  if (found.length === 0) return [];
  const files = await snapshot.listFiles();
  return found.map((one) => readInputs(one, snapshot.root, files));
}

type Found = Pick<Environment, "ecosystem" | "folder">;

/** Finds the package managers of a job by their lock files. */
export function findEcosystems(
  { programs, folders }: Pick<PrepareSpec, "programs" | "folders">,
  { root, cwd }: Pick<Snapshot, "root" | "cwd">,
): Found[] {
  const wanted = neededEcosystems(programs);
  const found = new Map<string, Found>();
  for (const chain of [foldersAbove(cwd), ...folders.map((folder) => [posix.normalize(folder)])]) {
    const taken = new Set<string>();
    for (const folder of chain)
      for (const ecosystem of wanted) {
        const isHere = ecosystem.locks.some((lock) => isFile(join(root, folder, lock)));
        if (!isHere || taken.has(ecosystem.group)) continue;
        taken.add(ecosystem.group);
        const isCommitted = ecosystem.committed?.some((path) => existsSync(join(root, folder, path)));
        if (isCommitted !== true)
          found.set(`${ecosystem.id} ${folder}`, { ecosystem, folder: folder === "." ? "" : folder });
      }
  }
  return [...found.values()];
}

/** A command whose programs all belong to known groups needs only those groups; any other may need all. */
function neededEcosystems(programs: readonly string[]): readonly Ecosystem[] {
  const knows = (ecosystem: Ecosystem): boolean => programs.some((name) => ecosystem.programs.includes(name));
  const areKnown = programs.every((name) => ECOSYSTEMS.some((one) => one.programs.includes(name)));
  return areKnown && programs.length > 0 ? ECOSYSTEMS.filter(knows) : ECOSYSTEMS;
}

/** The languages whose packages a command with these programs may need. */
export function neededGroups(programs: readonly string[]): ReadonlySet<string> {
  return new Set(neededEcosystems(programs).map(({ group }) => group));
}

function isFile(path: string): boolean {
  return statIfThere(path)?.isFile() ?? false;
}

function configuredEcosystem({ commands, files }: PrepareSpec): Ecosystem | undefined {
  if (commands.length === 0) return undefined;
  const globs = files.map((glob) => compileGlob(glob));
  return {
    id: "configured",
    group: "configured",
    locks: [],
    programs: [],
    isInput: (path) => globs.some((fits) => fits(path)),
    versions: [],
    isConfigured: true,
    steps: () => commands.map((command) => ["sh", "-c", command]),
  };
}

function readInputs({ ecosystem, folder }: Found, root: string, files: readonly string[]): Environment {
  const prefix = folder === "" ? "" : `${folder}/`;
  const paths = files.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const inputs = new Map(
    paths
      .filter((path) => ecosystem.isInput(path))
      .sort(compareText)
      .map((path) => [path, readInput(root, join(root, folder, path))] as const),
  );
  return { ecosystem, folder, inputs, staged: ecosystem.stage?.(inputs, paths) ?? inputs };
}

function readInput(root: string, file: string) {
  const read = readSmallFile(file, { maxBytes: MAX_INPUT_BYTES, within: root });
  if ("refused" in read)
    throw new PithError(
      "file_not_found",
      `${file.slice(root.length + 1)} ${describeRefusal(read.refused, MAX_INPUT_BYTES)}`,
    );
  const mode = statIfThere(file)?.mode ?? 0;
  return { bytes: read.bytes, isExecutable: (mode & 0o100) !== 0 };
}
