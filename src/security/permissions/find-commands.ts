import { isAbsolute, resolve } from "node:path";
import { readScript } from "../../shell/script-reader.ts";
import type { Redirection, Script, ScriptWord, Stage } from "../../shell/script-syntax.ts";
import { namesOf, ownScript, type Place } from "./place.ts";
import { changesFolders, isProtected } from "./protected-paths.ts";
import type { FoundCommand, Inspection, ProjectUse, Scope } from "./inspection.ts";
import { inspectProgram } from "./program-handlers.ts";
import { hiddenByLink, knownName } from "./program-names.ts";
import type { Argument } from "./rule.ts";
import { inspectValue } from "./unknown-program.ts";
import { hiddenByVariable, isDataVariable } from "./variables.ts";
import { WrittenFiles } from "./written-files.ts";

export interface FoundCommands {
  readonly commands: readonly FoundCommand[];
  /** The values of the variables that are set, any of which a program may run, as make runs that of CC. */
  readonly variableValues: readonly Argument[];
  /** What is not understood, worded for the caller. If there is anything, other commands may run too. */
  readonly unclear: readonly string[];
  /** The folders in which the commands may run. */
  readonly folders: readonly string[];
}

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly place: Place;
  /** True if only what a rule allows may run. */
  readonly isAllowOnly: boolean;
}

/** Finds every command that an argument list starts. */
export function findCommands(request: CommandRequest): FoundCommands {
  const finder = new CommandFinder(request);
  for (const [name, value] of Object.entries(request.env)) finder.setVariable(name, literal(value), true);
  const scope = TOP;
  const { script, args } = ownScript(request.argv, request.place);
  if (script === undefined) finder.inspect(request.argv.map(literal), scope);
  else finder.readScript(script, args.map(literal), scope);
  finder.finish();
  return finder;
}

const TOP: Scope = { depth: 0, byRunner: false, hasInput: false };
/** The most commands that are read, since each argument of an unknown program may be one. */
const MAX_COMMANDS = 300;
/** The deepest nesting of commands in commands that is read. */
const MAX_DEPTH = 8;
/** The most folders that `cd` may lead to. */
const MAX_FOLDERS = 8;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
const KEYWORDS =
  /^(?:!|[{}]|\[\[|\]\]|if|then|elif|else|fi|for|while|until|do|done|case|esac|in|select|function|coproc)$/;

/** Collects what a command line starts. Its parts are read one after another, each in any of the folders known so far. */
class CommandFinder implements FoundCommands, Inspection {
  readonly commands: FoundCommand[] = [];
  readonly variableValues: Argument[] = [];
  readonly unclear: string[] = [];
  readonly #request: CommandRequest;
  readonly #folders: string[];
  #isFolderKnown = true;
  /** The values of variables that are not exported yet, and the names of those that are. */
  readonly #variables = new Map<string, readonly Argument[]>();
  readonly #exported = new Set<string>();
  readonly #written: WrittenFiles;
  /** True if a program gets a folder that contains one of Pith's own, such as `find ~`. */
  #seesOwnFolders = false;
  /** True if a program changes files whose names are known only when it runs. */
  #changesUnknown = false;

  constructor(request: CommandRequest) {
    this.#request = request;
    this.#folders = [request.place.cwd];
    this.#written = new WrittenFiles(request.place.workspace);
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  get isAllowOnly(): boolean {
    return this.#request.isAllowOnly;
  }

  doubt(reason: string): void {
    if (!this.unclear.includes(reason)) this.unclear.push(reason);
  }

  add(words: readonly Argument[], scope: Scope, kind: "data" | "code" | "unknown"): void {
    const { isGuess = false } = scope;
    // A text that only looks like a command starts nothing, so that no rule has to allow it.
    const byRunner = scope.byRunner || (isGuess && !this.isProgram(words[0]?.text ?? ""));
    this.commands.push({
      words,
      byRunner,
      isGuess,
      hasDataArguments: kind === "data",
      hasCode: kind === "code",
    });
  }

  setVariable(name: string, value: Argument, isExported: boolean): void {
    this.#protect(value.text);
    const reason = hiddenByVariable(name, value, this.#request.isAllowOnly);
    if (reason !== undefined) this.doubt(reason);
    // The commands of a substitution are found on their own; they are no text of the value.
    this.variableValues.push(/^\$\([^$`()]*\)$/.test(value.text) ? { ...value, text: "" } : value);
    if (isExported || this.#exported.has(name)) this.#export(name, value);
    else this.#variables.set(name, [...(this.#variables.get(name) ?? []), value]);
  }

  exportVariable(name: string): void {
    this.#exported.add(name);
    for (const value of this.#variables.get(name) ?? []) this.#export(name, value);
  }

  /** Programs get the variable, and any of them may run its value. */
  #export(name: string, value: Argument): void {
    if (value.expands) {
      if (!isDataVariable(name)) this.doubt(`the variable ${name} with the value ${value.text}`);
    } else inspectValue(value.text, TOP, this);
  }

  isProgram(word: string): boolean {
    const { files } = this.#request.place;
    return this.#folders.some((folder) => {
      const file = files.find(word, folder);
      return file !== undefined && files.isExecutable(file);
    });
  }

  inspect(words: readonly Argument[], scope: Scope): void {
    if (this.commands.length > MAX_COMMANDS) return this.doubt("too many commands");
    if (scope.depth > MAX_DEPTH) return this.doubt("commands inside of commands, nested too deep");
    const begin = words.findIndex((word) => !ASSIGNMENT.test(word.text));
    for (const word of begin < 0 ? words : words.slice(0, begin)) {
      const [name = "", value = ""] = word.text.split(/\+?=(.*)/s);
      // `:` starts no program that would get the variable; the head of a `for` is read like that.
      this.setVariable(name, { ...word, text: value }, begin >= 0 && words[begin]?.text !== ":");
    }
    const [program, ...args] = begin < 0 ? [] : words.slice(begin);
    if (program === undefined) return;
    if ((program.expands && program.text !== "[") || /^(?:$|%)/.test(program.text))
      return this.doubt(`a program whose name expands: ${program.text}`);
    if (KEYWORDS.test(program.text)) return this.doubt(`the keyword ${program.text}`);
    const names = namesOf(program.text, this.#folders, this.#request.place.files);
    const call = { name: knownName(program.text, names), program, args };
    const isWhole = changesFolders(
      call.name,
      args.map(({ text }) => text),
    );
    for (const { text } of args) this.#protect(text, isWhole);
    if (isWhole && args.some(({ text, expands }) => expands && /[$`]/.test(text)))
      this.#changesUnknown = true;
    if (!isWhole && args.some(({ text }) => this.#isOwnFolder(text, true))) this.#seesOwnFolders = true;
    const disguised = hiddenByLink(program.text, names);
    if (disguised !== undefined) this.doubt(`${program.text}, which is a link to ${disguised}`);
    this.#written.noteProgram(call, this.#folders, scope.hasInput);
    if (/[/\\]/.test(program.text) && !scope.byRunner) this.runFile(program);
    inspectProgram(call, { ...scope, depth: scope.depth + 1 }, this);
  }

  readScript(text: string, args: readonly Argument[], scope: Scope): void {
    const script = readScript(text, { isStrict: true });
    if ("unread" in script) this.doubt(script.unread);
    else this.#walk(script, args, scope);
  }

  runFile({ text, expands }: Argument): void {
    if (expands || /^\/(?:dev|proc)\//.test(text)) return this.doubt(`a script that is not known: ${text}`);
    if (!isAbsolute(text) && !this.#isFolderKnown) return this.doubt(`${text} in a folder that is not known`);
    if (!this.#folders.some((folder) => this.#request.place.files.isFile(resolve(folder, text))))
      return this.doubt(`${text}, which does not exist yet`);
    this.#written.runFile(text);
    this.useProject([], "runs");
  }

  useProject(args: readonly Argument[], use: ProjectUse): void {
    this.#written.useProject(args, use);
  }

  /** Checks what can be known only when the whole line was read. */
  finish(): void {
    if (this.#seesOwnFolders && this.#changesUnknown) this.doubt("files that may be in Pith's own folders");
    // A line must not run what it writes.
    for (const reason of this.#written.reasons()) this.doubt(reason);
  }

  /** Follows `cd`. If it fails, the commands after it run in the old folder, which stays known too. */
  changeFolder(target: Argument | undefined): void {
    const { home } = this.#request.place;
    const text = (target?.text ?? home).replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home);
    const isKnown = !/[$`*?[{~]|^-/.test(text) && this.#folders.length < MAX_FOLDERS;
    if (!isKnown) this.#isFolderKnown = false;
    else
      for (const folder of this.#folders.map((one) => resolve(one, text)))
        if (!this.#folders.includes(folder)) this.#folders.push(folder);
  }

  /** Asks about a word that names something in Pith's own folders, or these themselves if they change as a whole. */
  #protect(word: string, isWhole = false): void {
    for (const path of new Set([word, word.replace(/^-{0,2}[\w-]+=/, ""), word.replace(/^-\w/, "")]))
      if (this.#isOwnFolder(path, isWhole)) this.doubt(`a file in Pith's own folders: ${path}`);
  }

  #isOwnFolder(path: string, isWhole: boolean): boolean {
    return isProtected(path, this.#folders, this.#request.place, isWhole);
  }

  #walk(script: Script, args: readonly Argument[], scope: Scope): void {
    for (const { pipelines } of script.lists)
      for (const { stages } of pipelines)
        for (const [place, stage] of stages.entries())
          this.#walkStage(stage, args, {
            ...scope,
            hasInput: scope.hasInput || place > 0 || readsText(stage),
          });
  }

  #walkStage(stage: Stage, args: readonly Argument[], scope: Scope): void {
    const read = (word: ScriptWord): readonly Argument[] => {
      for (const inner of word.substitutions) this.#walk(inner, args, scope);
      const { text, expands, splits } = word;
      // The source of a word of four characters with this text is `"$@"`.
      return text === "$@" && word.to - word.from === 4 ? args : [{ text, expands, splits }];
    };
    const words = stage.words.flatMap(read);
    for (const redirection of stage.redirections) {
      read(redirection.target);
      this.#redirect(redirection);
    }
    if (stage.group !== undefined) this.#walk(stage.group, args, scope);
    this.inspect(words, scope);
  }

  #redirect({ operator, target }: Redirection): void {
    if (!operator.includes(">") || (operator === ">&" && /^(?:\d+|-)$/.test(target.text))) return;
    const { text, expands } = target;
    this.#written.redirect(text, this.#folders);
    this.#protect(text);
    if (expands && !/^~\/[^$`*?[{~]*$/.test(text)) this.doubt(`a redirection into ${text}`);
    else if (!isAbsolute(text) && !this.#isFolderKnown)
      this.doubt(`a redirection into ${text} in a folder that is not known`);
  }
}

/** Tests for a here-document, a here-string, or the output of a command in place of a file. */
function readsText({ redirections }: Stage): boolean {
  return redirections.some(
    ({ operator, target }) =>
      operator.includes("<<") || (operator.includes("<") && target.substitutions.length > 0),
  );
}

function literal(text: string): Argument {
  return { text, expands: false, splits: false };
}
