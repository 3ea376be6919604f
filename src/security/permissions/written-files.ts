import { basename, isAbsolute, join, relative, resolve } from "node:path";
import type { ProgramCall, ProjectUse } from "./inspection.ts";
import type { Argument } from "./rule.ts";

/** Programs with which a line can write a file that it then runs. */
const WRITERS =
  /^(?:tee|cp|mv|ln|install|dd|rsync|curl|wget|sed|patch|tar|unzip|git|base64|sort|uniq|shuf|iconv|xxd|split|csplit|openssl|gpg|sponge|cpio|7z|gunzip|gzip|xz|bzip2|zstd|pandoc|yq|find|[gmn]?awk|original-awk)$/;
/** Those that write only their last argument, or into it. */
const COPIERS = /^(?:cp|mv|ln|install|rsync)$/;
/** Those that write the text that they get. */
const TEXT_WRITERS = /^(?:tee|dd|sponge|base64|openssl|xxd|iconv)$/;

/** Files that no build tool or test runner runs, nor reads its commands from. */
const PLAIN_FILE =
  /\.(?:log|txt|out|err|md|rst|csv|tsv|jsonl?|ndjson|xml|html?|svg|lcov|tap|patch|diff|sarif|dot|map|tmp|bak)$|^(?:out(?:put)?|logs?|err(?:ors?)?|results?|report|stdout|stderr|null)$/i;
/** Files from which programs take commands or code without being told to. */
const TAKEN_BY_TOOLS =
  /^(?:(?:gnu)?makefile|package\.json|composer\.json|deno\.jsonc?|cmakelists\.txt|pom\.xml|build\.xml|rakefile|jakefile|gemfile|guardfile|vagrantfile|procfile|justfile|taskfile\.ya?ml|conftest\.py|setup\.(?:py|cfg)|(?:site|user)customize\.py|pyproject\.toml|tox\.ini|noxfile\.py|pytest\.ini|build\.rs|cargo\.toml|[\w.-]+\.(?:mk|cmake|ninja|gradle|gradle\.kts)|[\w-]+\.config\.\w+|\.(?!env|\w*ignore$|(?:git)?keep$|$|\.$).*)$/i;
/** Folders of programs, and of the settings of such. */
const TOOL_FOLDER = /(?:^|\/)(?:\.husky|\.cargo|\.mvn|\.config|node_modules|\.?venv|\.bin)(?:\/|$)/;
const GIT_FOLDER = /(?:^|\/)(?:\.git|\.husky)(?:\/|$)/;
/** Settings that shells and git read in every folder. */
const USER_SETTINGS =
  /(?:^|\/)\.(?:gitconfig|npmrc|yarnrc(?:\.yml)?|bash(?:rc|_\w+)|z(?:shrc|shenv|profile|login)|profile|vimrc|inputrc)$/;
const COMPRESSED = /\.(?:gz|xz|bz2|zst|lz4|lzma|Z)$/;

export function isWriter(name: string): boolean {
  return WRITERS.test(name);
}

/**
 * Follows which files a line writes and which it may run: a line must not run what it has written, because that is code
 * that nobody has read.
 */
export class WrittenFiles {
  readonly #workspace: string;
  /** The names of the files that the line may write. */
  readonly #names = new Set<string>();
  /** The names that programs get which may write files, though this is not their purpose. */
  readonly #outputs = new Set<string>();
  /** The names of redirections, and what programs make of the files that they get. */
  readonly #redirected = new Set<string>();
  readonly #copies: { readonly copied: readonly string[]; readonly make: () => void }[] = [];
  /** The files with a text of the line that a build tool may run. */
  readonly #texts = new Set<string>();
  /** The files that tools take their commands from. */
  readonly #settings = new Set<string>();
  readonly #gitFiles = new Set<string>();
  readonly #run = new Set<string>();
  readonly #given = new Set<string>();
  /** True if the line may write a file whose name is not known. */
  #writesUnknown = false;
  /** True if a program runs files of the project; such a program may also only read them. */
  #runsProject = false;
  #readsProject = false;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Notes a redirection into a file. */
  redirect(path: string, cwds: readonly string[]): void {
    this.#names.add(basename(path));
    this.#redirected.add(basename(path));
    this.#noteText(path, cwds);
  }

  /** Notes the files that a program may write. */
  noteProgram({ name, args }: ProgramCall, cwds: readonly string[], hasInput: boolean): void {
    if (!WRITERS.test(name)) return;
    for (const { text, expands } of args)
      for (const part of expands ? [text] : text.split(/[\s"'<>]+/)) this.#noteWord(part, expands);
    if (name.endsWith("awk") && args.some(({ text }) => /print[^]*>/.test(text))) this.#writesUnknown = true;
    const targets = targetsOf(name, args);
    for (const path of targets) this.#noteSettings(path, cwds);
    const copied = args.map(({ text }) => basename(valueOf(text)));
    this.#copies.push({ copied, make: () => targets.forEach((path) => this.#noteText(path, cwds)) });
    if (TEXT_WRITERS.test(name) || hasInput)
      for (const { text } of args)
        if (/[./]/.test(text) && (WRITES_ANY_NAME.test(name) || hasInput))
          this.#noteText(valueOf(text), cwds);
  }

  /** Notes that a file of the line's own choice runs. */
  runFile(path: string): void {
    this.#run.add(basename(path));
  }

  /** Notes a program that may run files of the project, or only read them, and the files that it is given. */
  useProject(args: readonly Argument[], use: ProjectUse): void {
    if (use === "reads") this.#readsProject = true;
    else this.#runsProject = true;
    if (use !== "reads") for (const { text } of args) this.#given.add(basename(valueOf(text)));
    if (use === "runs and writes") for (const { text } of args) this.#outputs.add(basename(text));
  }

  /** Says which files the line writes and may run. */
  reasons(): string[] {
    // A copy of a text of the line is such a text too.
    for (const { copied, make } of this.#copies)
      if (copied.some((name) => this.#redirected.has(name))) make();
    const written = new Set([...this.#names].flatMap((name) => [name, name.replace(COMPRESSED, "")]));
    const run = [...this.#run].filter(
      (name) => written.has(name) || this.#outputs.has(name) || this.#writesUnknown,
    );
    if (this.#runsProject) run.push(...[...this.#given].filter((name) => written.has(name)), ...this.#texts);
    if (this.#runsProject && this.#writesUnknown && this.#texts.size > 0) run.push("a file");
    if (this.#runsProject || this.#readsProject) run.push(...this.#settings);
    return [
      ...run.map((name) => `${name}, which the line writes and may run`),
      ...[...this.#gitFiles].map((name) => `${name}, whose commands other programs run`),
    ];
  }

  #noteWord(word: string, expands: boolean): void {
    if (expands && !word.startsWith("-")) this.#writesUnknown = true;
    this.#names.add(basename(valueOf(word)));
    this.#names.add(basename(word.replace(/^-\w/, "")));
  }

  #noteText(path: string, cwds: readonly string[]): void {
    this.#noteSettings(path, cwds);
    const isInWorkspace = cwds.some((cwd) => this.#isInWorkspace(resolve(cwd, path)));
    if (isInWorkspace && !PLAIN_FILE.test(basename(path))) this.#texts.add(basename(path));
  }

  #noteSettings(path: string, cwds: readonly string[]): void {
    if (GIT_FOLDER.test(path) || USER_SETTINGS.test(path)) this.#gitFiles.add(path);
    const isTaken = TAKEN_BY_TOOLS.test(basename(path)) || TOOL_FOLDER.test(path);
    const isElsewhere = isAbsolute(path) && !cwds.some((cwd) => this.#isInWorkspace(resolve(cwd, path)));
    if (isTaken && !isElsewhere) this.#settings.add(basename(path));
  }

  #isInWorkspace(path: string): boolean {
    return !/^\.\.(?:\/|$)|^\//.test(relative(this.#workspace, path));
  }
}

/** Programs whose file arguments are all written, whatever option they follow. */
const WRITES_ANY_NAME = /^(?:tee|dd|sponge)$/;

/** The paths that a program writes although no redirection names them. */
function targetsOf(name: string, args: readonly Argument[]): readonly string[] {
  const texts = args.map(({ text }) => valueOf(text));
  if (WRITES_ANY_NAME.test(name)) return texts;
  const files = texts.filter((text) => !text.startsWith("-"));
  const last = files.at(-1);
  if (COPIERS.test(name) && last !== undefined) {
    const isFolder = last.endsWith("/") || !basename(last).slice(1).includes(".");
    return [last, ...(isFolder ? files.slice(0, -1).map((file) => join(last, basename(file))) : [])];
  }
  const isEdited = name === "sed" && args.some(({ text }) => /^(?:-[A-Za-z]*i|--in-place)/.test(text));
  return isEdited || /^(?:curl|wget|sort|uniq|xxd|iconv|openssl)$/.test(name) ? files : [];
}

/** The value of an option with an equals sign, or the word itself. */
function valueOf(word: string): string {
  return word.replace(/^-{0,2}[\w-]+=/, "");
}
