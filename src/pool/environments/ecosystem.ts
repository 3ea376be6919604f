export type Argv = readonly [string, ...string[]];

export interface StagedFile {
  readonly bytes: Buffer;
  readonly isExecutable: boolean;
}

/** Files by their path relative to the folder of the lock file, with forward slashes. */
export type StagedFiles = ReadonlyMap<string, StagedFile>;

/**
 * A package manager: how to see that a folder needs it, and what it installs. The commands run in a folder that has only
 * the staged files, so that what they install cannot depend on anything else.
 */
export interface Ecosystem {
  /** The name of the package manager, which is also the id of the parser of its output. */
  readonly id: string;
  /** Of several package managers of a group, the first one with a lock file is used. */
  readonly group: string;
  /** The files of which one shows that a folder needs this package manager. */
  readonly locks: readonly string[];
  /** Programs that need what the package managers of this group install, and nothing of other groups. */
  readonly programs: readonly string[];
  /** Paths that a repository has if its dependencies are committed, so that nothing is left to install. */
  readonly committed?: readonly string[];
  /** Returns whether a file of the repository may decide what is installed. */
  isInput(path: string): boolean;
  /** Reduces the files to what decides about the installation; `paths` are all files of the repository. */
  stage?(files: StagedFiles, paths: readonly string[]): StagedFiles;
  /**
   * Folders of dependencies in the repository whose place the result remembers. If there are any, the commands run in the
   * job's own folder, with these folders and the staged files only, and what they make is kept for jobs in that folder.
   */
  placedFolders?(files: StagedFiles): readonly string[];
  /** The commands that print the versions which decide what is installed. */
  readonly versions: readonly Argv[];
  /** The commands that install; `{folder}` stands for the folder in which they run. */
  steps(files: StagedFiles): readonly Argv[];
  /** The commands that each job runs in its own folder, because they need its sources; `files` are not reduced. */
  stepsPerJob?(files: StagedFiles): readonly Argv[];
  /** Variables for all of these commands and for the job's own command; `{folder}` stands for their folder. */
  readonly variables?: Readonly<Record<string, string>>;
  /**
   * Further such variables in bubblewrap, where each cache of the home folder is a mount of its own, so that no file of it
   * can be linked. They are made from the environment of the worker.
   */
  sandboxVariables?(env: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Variables that these commands must not see: they would install into the environment that a variable names. */
  readonly withoutVariables?: readonly string[];
  /** A folder of programs that come first on the job's PATH. */
  readonly programFolder?: string;
  /** Folders whose files contain the path of the folder in which they were made. */
  readonly relocated?: readonly string[];
  /** Lists what must not be shared although the commands made it. */
  leftovers?(made: readonly string[], files: StagedFiles): readonly string[];
  /**
   * What a tool keeps for itself below the installed folders and uses only after it has compared it with the sources. It
   * stays there from job to job, unless jobs are isolated from each other.
   */
  readonly ownCache?: RegExp;
  /**
   * Describes what is installed as far as the staged files do not decide it; empty if they decide all. Absent if that
   * cannot be told, so that answers of checks are not shared.
   */
  installed?(made: readonly string[]): string;
  /** True if the job's own command also installs what it needs, so that a failure here does not matter. */
  readonly isOptional?: boolean;
  /** True if a job may not need what `stepsPerJob` does, such as a build of the project, so that it runs without it. */
  readonly areOwnStepsOptional?: boolean;
  /** True if the commands may use nothing but the staged files, because the user has named these. */
  readonly isConfigured?: boolean;
}

export function textOf(files: StagedFiles, path: string): string {
  return files.get(path)?.bytes.toString("utf8") ?? "";
}

/** Returns the files with one of them replaced. */
export function withText(files: StagedFiles, path: string, text: string): StagedFiles {
  return new Map([...files, [path, { bytes: Buffer.from(text), isExecutable: false }]]);
}

/** Returns only the files whose paths pass the test. */
export function onlyFiles(files: StagedFiles, isKept: (path: string) => boolean): StagedFiles {
  return new Map([...files].filter(([path]) => isKept(path)));
}

/** Returns the last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
