import { readBuiltin } from "./builtins.ts";
import type { Inspection, ProgramCall, Scope } from "./inspection.ts";
import { mayBeOption, unclearGitCommand } from "./git-command.ts";
import { isTextFilter, readInterpreter, readTextScript } from "./interpreters.ts";
import { type OptionTable, skipOptions } from "./options.ts";
import {
  COMMAND_READERS,
  DATA_PROGRAMS,
  INPUT_READERS,
  isKnownTool,
  isRunningOption,
  LAUNCHERS,
  LOADER,
  PACKAGE_MANAGERS,
  RUNNERS,
  RUNNING_OPTIONS,
  SCRIPT_SUBCOMMANDS,
  SHELLS,
  WRAPPERS,
} from "./programs.ts";
import type { Argument } from "./rule.ts";
import { inspectUnknown, inspectValue } from "./unknown-program.ts";
import { isWriter } from "./written-files.ts";

type Handler = (call: ProgramCall, scope: Scope, finder: Inspection) => void;

/** Finds out what a program runs, from its name and arguments. */
export const inspectProgram: Handler = (call, scope, finder) => {
  const { name, args } = call;
  const handler = HANDLERS[name];
  if (handler !== undefined) return handler(call, scope, finder);
  if (WRAPPERS[name] !== undefined) return inspectWrapper(call, scope, finder);
  if (SHELLS.has(name)) return inspectShell(call, scope, finder);
  const runner = RUNNERS[name] ?? RUNNERS[`${name} ${args[0]?.text ?? ""}`];
  if (runner !== undefined) return inspectRunner(call, scope, finder);
  if (LAUNCHERS.has(name) || LOADER.test(name)) {
    finder.add(wordsOf(call), scope, "data");
    return finder.doubt(`${name}, which may run other commands`);
  }
  return inspectPlain(call, scope, finder);
};

function wordsOf({ program, args }: ProgramCall): readonly Argument[] {
  return [program, ...args];
}

/** Programs that run nothing but what they are, or that run code or a file. */
function inspectPlain(call: ProgramCall, scope: Scope, finder: Inspection): void {
  const { name, args } = call;
  const builtin = readBuiltin(name, args);
  if (builtin?.unclear !== undefined) finder.doubt(builtin.unclear);
  for (const [variable, value] of builtin?.sets ?? [])
    finder.setVariable(variable, value, builtin?.isExport === true);
  if (builtin?.isExport === true)
    for (const variable of builtin.exports ?? []) finder.exportVariable(variable);
  const running = RUNNING_OPTIONS[name];
  const own = PACKAGE_MANAGERS.has(name) ? beforeDashes(args) : args;
  const hidden =
    running && own.find((arg) => isRunningOption(arg.text, running) || (arg.expands && mayBeOption(arg)));
  if (hidden !== undefined) finder.doubt(`${name} with ${hidden.text}`);
  const isScript = PACKAGE_MANAGERS.has(name) && SCRIPT_SUBCOMMANDS.has(args[0]?.text ?? "");
  const use = isScript ? undefined : (readInterpreter(name, args) ?? readTextScript(name, args));
  // A rule that allows a filter of text allows no command that its script runs.
  if (use === "code" && finder.isAllowOnly && isTextFilter(name)) finder.doubt(`the script of ${name}`);
  if (use === "code") return finder.add(wordsOf(call), scope, "code");
  if (typeof use === "object" && "file" in use) finder.runFile(use.file);
  // A module is inspected as the program of the same name: `python3 -m pytest`.
  if (typeof use === "object" && "module" in use)
    return inspectModule(call, use.module, use.args, scope, finder);
  // Without a script of this name, npm runs the program `env` with the arguments.
  if (isScript && args.some(({ text }) => text === "env")) finder.doubt(`${name} ${args[0]?.text ?? ""} env`);
  const isData = builtin !== undefined || isScript || DATA_PROGRAMS.has(name) || isTextFilter(name);
  if (scope.hasInput && !isData && use === undefined && !INPUT_READERS.has(name))
    finder.doubt(`${name}, which may run what it reads from its input`);
  finder.add(wordsOf(call), scope, isData ? "data" : "unknown");
  if (isScript || !(isData || isWriter(name)))
    finder.useProject(
      args,
      COMMAND_READERS.has(name) ? "reads" : use === undefined ? "runs and writes" : "runs",
    );
  const input =
    isData || COMMAND_READERS.has(name) || INPUT_READERS.has(name) ? undefined : args.find(isInput);
  if (input !== undefined) finder.doubt(`${name}, which may run ${input.text}`);
  // Both also run programs of PATH in place of a script.
  const mayRunProgram = /^(?:bun|yarn)$/.test(name) && args[0]?.text === "run";
  if (mayRunProgram || (!isData && use === undefined && !isKnownTool(name, args[0]?.text)))
    inspectUnknown(call, scope, finder);
  for (const { text } of args) {
    const [, value] = VARIABLE_OF_BUILD.exec(text) ?? [];
    if (value !== undefined && /^g?make$|^cmake$/.test(name)) inspectValue(value, scope, finder);
  }
}

/** `python3 -m pytest`: what holds for the program of this name holds for the module. */
function inspectModule(
  call: ProgramCall,
  name: string,
  args: readonly Argument[],
  scope: Scope,
  finder: Inspection,
): void {
  finder.add(wordsOf(call), scope, "unknown");
  finder.useProject(args, COMMAND_READERS.has(name) ? "reads" : "runs");
  const input = args.find(isInput);
  if (input !== undefined) finder.doubt(`${name}, which may run ${input.text}`);
  const running = RUNNING_OPTIONS[name];
  const hidden = running && args.find((arg) => isRunningOption(arg.text, running));
  if (hidden !== undefined) finder.doubt(`${name} with ${hidden.text}`);
  if (scope.hasInput && !INPUT_READERS.has(name) && !DATA_MODULES.test(name))
    finder.doubt(`${name}, which may run what it reads from its input`);
}

/** Modules of Python that use their input as data. */
const DATA_MODULES = /^(?:json\.tool|base64|gzip|http\.server|unittest|venv|zipfile|tarfile|pip|yaml|csv)$/;

/** The arguments of a package manager itself, without those of the script that it runs. */
function beforeDashes(args: readonly Argument[]): readonly Argument[] {
  const dashes = args.findIndex(({ text }) => text === "--");
  return dashes < 0 ? args : args.slice(0, dashes);
}

/** Tests for a path of the program's own input, which the line may have filled with code. */
function isInput({ text }: Argument): boolean {
  return /(?:^|[/=@])(?:dev\/(?:stdin|fd\/)|proc\/\w+\/fd\/)/.test(text);
}

/** A variable that make or CMake gets as an argument; either may run its value. */
const VARIABLE_OF_BUILD = /^(?:-D)?[A-Za-z_][\w.]*(?::\w+)?[+:?]?=(.*)$/s;

/** `timeout 60 make` and similar: the command after the options and operands. */
function inspectWrapper(call: ProgramCall, scope: Scope, finder: Inspection): void {
  const { name, args } = call;
  finder.add(wordsOf(call), scope, "data");
  if (name === "command" && /^-[vV]$/.test(args[0]?.text ?? "")) return;
  const { operands = 0, ...table } = WRAPPERS[name] ?? {};
  const rest = skipOptions(args, table);
  if (rest === undefined || rest.slice(0, operands).some((word) => word.splits))
    return finder.doubt(`an option of ${name}`);
  finder.inspect(rest.slice(operands), scope);
}

/** `npx vitest run`: the runner is allowed by the same rule as what it runs. */
function inspectRunner(call: ProgramCall, scope: Scope, finder: Inspection): void {
  const { name, args } = call;
  finder.add(wordsOf(call), scope, "data");
  const own = RUNNERS[name];
  const table = own ?? RUNNERS[`${name} ${args[0]?.text ?? ""}`] ?? {};
  const rest = skipOptions(own === undefined ? args.slice(1) : args, table);
  if (rest === undefined) return finder.doubt(`an option of ${name}`);
  finder.inspect(rest, { ...scope, byRunner: true });
}

const ENV_OPTIONS: OptionTable = {
  flags: "i0v",
  values: "u",
  longFlags: "ignore-environment null debug",
  longValues: "unset",
};
const XARGS_OPTIONS: OptionTable = {
  flags: "0rtpxo",
  values: "adEILnPs",
  longFlags: "null no-run-if-empty verbose interactive exit open-tty",
  longValues: "arg-file delimiter max-args max-procs max-chars max-lines",
};
/** A word that a program adds from its input or from the files that it finds. */
const ADDED: Argument = { text: "$@", expands: true, splits: true };

const HANDLERS: Readonly<Record<string, Handler>> = {
  ".": inspectSource,
  source: inspectSource,
  cd(call, scope, finder) {
    finder.add(wordsOf(call), scope, "data");
    finder.changeFolder(call.args.find(({ text }) => !/^-[LP]$|^--$/.test(text)));
  },
  pushd(call, scope, finder) {
    finder.add(wordsOf(call), scope, "data");
    finder.changeFolder(call.args[0]);
  },
  popd(call, scope, finder) {
    finder.add(wordsOf(call), scope, "data");
  },
  env: inspectEnv,
  find: inspectFind,
  git(call, scope, finder) {
    finder.add(wordsOf(call), scope, "data");
    const unclear = unclearGitCommand(call.args);
    if (unclear !== undefined) finder.doubt(unclear);
  },
  xargs: inspectXargs,
};

function inspectEnv(call: ProgramCall, scope: Scope, finder: Inspection): void {
  finder.add(wordsOf(call), scope, "data");
  let rest = skipOptions(call.args, ENV_OPTIONS);
  if (rest?.[0]?.text === "-") rest = rest.slice(1);
  if (rest === undefined) return finder.doubt("an option of env");
  // Every word with an equals sign sets a variable, even if a shell would not accept its name.
  const begin = rest.findIndex((word) => word.expands || !word.text.includes("="));
  for (const word of begin < 0 ? rest : rest.slice(0, begin)) {
    const [name = "", value = ""] = word.text.split(/=(.*)/s);
    finder.setVariable(name, { ...word, text: value }, true);
  }
  const [first] = begin < 0 ? [] : rest.slice(begin);
  if (first?.expands === true) return finder.doubt(`a word of env that expands: ${first.text}`);
  if (begin >= 0) finder.inspect(rest.slice(begin), scope);
}

function inspectSource(call: ProgramCall, scope: Scope, finder: Inspection): void {
  const [file] = call.args;
  finder.add(wordsOf(call), scope, "unknown");
  if (file === undefined || finder.isAllowOnly)
    finder.doubt(`${call.name}, which can change what names mean`);
  else finder.runFile(file);
}

/** `bash -c script` and `bash script.sh`. */
function inspectShell(call: ProgramCall, scope: Scope, finder: Inspection): void {
  const { name, args } = call;
  finder.add(wordsOf(call), scope, "data");
  const options = /^(?:-[eulx]+|--(?:norc|noprofile|posix|login))$/;
  let at = 0;
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? "";
    const isSetting =
      /^-[eulx]*o$/.test(text) && /^(?:pipefail|errexit|nounset)$/.test(args[at + 1]?.text ?? "");
    if (isSetting) at++;
    else if (!options.test(text)) break;
  }
  const [first, script, , ...passed] = args.slice(at);
  if (first === undefined || first.expands)
    return finder.doubt(`${name} that reads its commands from its input`);
  if (/^--(?:version|help)$/.test(first.text)) return;
  if (/^-[eulx]*c$/.test(first.text) && script !== undefined) {
    // Options may follow `-c`, so that the script would be a later word.
    if (script.expands || /^[-+]/.test(script.text))
      return finder.doubt(`a script that expands: ${script.text}`);
    return finder.readScript(script.text, passed, scope);
  }
  if (/^[-+]/.test(first.text)) return finder.doubt(`an option of ${name}: ${first.text}`);
  finder.runFile(first);
  // A rule may name the script itself.
  finder.add(args.slice(at), { ...scope, byRunner: true }, "data");
}

function inspectXargs(call: ProgramCall, scope: Scope, finder: Inspection): void {
  const { args } = call;
  finder.add(wordsOf(call), scope, "data");
  const rest = skipOptions(args, XARGS_OPTIONS);
  if (rest === undefined) return finder.doubt("an option of xargs");
  const option = args.findIndex(({ text }) => /^-\w*I/.test(text));
  const replaced = args[option]?.text.replace(/^-\w*?I/, "") || args[option + 1]?.text;
  const isReplaced = ({ text }: Argument): boolean =>
    option >= 0 && replaced !== undefined && replaced !== "" && text.includes(replaced);
  const words = rest.map((word) => (isReplaced(word) ? { ...word, expands: true } : word));
  // Xargs reads the input itself.
  if (words.length > 0) finder.inspect([...words, ADDED], { ...scope, hasInput: false });
}

function inspectFind(call: ProgramCall, scope: Scope, finder: Inspection): void {
  const { args } = call;
  finder.add(wordsOf(call), scope, "data");
  if (args.some((arg) => arg.expands && mayBeOption(arg)))
    return finder.doubt("find with a word that expands");
  for (const [i, { text }] of args.entries()) {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(text)) continue;
    const rest = args.slice(i + 1);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    if (end < 0) return finder.doubt("find -exec without an end");
    const words = rest
      .slice(0, end)
      .map((word) => (word.text.includes("{}") ? { ...word, expands: true } : word));
    finder.inspect(rest[end]?.text === "+" ? [...words, ADDED] : words, scope);
  }
}
