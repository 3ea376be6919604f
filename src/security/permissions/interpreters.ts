import { type OptionTable, skipOptions } from "./options.ts";
import type { Argument } from "./rule.ts";

/**
 * What an interpreter runs: a file, a module of Python, something that is no code of the command line, or code that
 * nobody here reads.
 */
export type InterpreterUse =
  | { readonly file: Argument }
  | { readonly module: string; readonly args: readonly Argument[] }
  | "known"
  | "code";

const INTERPRETERS: readonly {
  readonly name: RegExp;
  readonly options: OptionTable;
  readonly known: RegExp;
}[] = [
  {
    name: /^(?:python[\d.]*|pypy[\d.]*)$/,
    options: { flags: "bBdEIOsSuvx", values: "WX" },
    known: /^(?:-V|-VV|--version|-h|--help)$/,
  },
  {
    name: /^(?:node|nodejs)$/,
    options: {
      longFlags:
        "test watch check no-warnings enable-source-maps trace-warnings trace-uncaught experimental-vm-modules experimental-strip-types experimental-test-coverage test-only expose-gc",
      longValues:
        "max-old-space-size test-reporter test-reporter-destination test-name-pattern test-concurrency stack-size",
    },
    known: /^(?:-v|--version|-h|--help)$/,
  },
  { name: /^(?:perl|perl5[\d.]*)$/, options: { flags: "wtTcW" }, known: /^(?:-v|-V|--version)$/ },
  { name: /^(?:ruby[\d.]*)$/, options: { flags: "wvc" }, known: /^(?:-v|--version)$/ },
  { name: /^(?:php[\d.]*)$/, options: { flags: "nl" }, known: /^(?:-v|-i|-m|--version)$/ },
  { name: /^(?:lua[\d.]*)$/, options: { flags: "Wv" }, known: /^-v$/ },
  { name: /^deno$/, options: {}, known: /^(?:test|check|fmt|lint|cache|info|--version|-V)$/ },
  { name: /^bun$/, options: {}, known: /^(?:test|--version|-v)$/ },
];
const CODE_ADDRESS = /(?:^|[=,\s])data:/;
/** Modules of Python that run code from their arguments or their input. */
const CODE_MODULES: ReadonlySet<string> = new Set(
  "code pdb timeit trace cProfile profile runpy idlelib asyncio sqlite3".split(" "),
);

export function isKnownInterpreter(name: string): boolean {
  return INTERPRETERS.some((one) => one.name.test(name));
}

/** Finds out what an interpreter is given to run; undefined if the program is none. */
export function readInterpreter(name: string, args: readonly Argument[]): InterpreterUse | undefined {
  const interpreter = INTERPRETERS.find((one) => one.name.test(name));
  if (interpreter === undefined) return undefined;
  const [first] = args;
  if (first !== undefined && !first.expands && interpreter.known.test(first.text)) return "known";
  const module = args.findIndex((arg) => arg.text === "-m");
  const rest = skipOptions(module < 0 ? args : args.slice(0, module), interpreter.options);
  if (rest === undefined) return "code";
  // The names of reporters and the like may be addresses that contain code.
  if (args.some(({ text }) => CODE_ADDRESS.test(text))) return "code";
  const [file] = rest;
  // The test runner of Node gets folders and patterns too.
  if (args.some(({ text }) => text === "--test")) return "known";
  if (file !== undefined) return file.expands || file.text === "-" ? "code" : { file };
  const named = args[module + 1];
  if (module < 0 || named === undefined || !/^python|^pypy/.test(name)) return "code";
  if (named.expands || CODE_MODULES.has(named.text)) return "code";
  return { module: named.text, args: args.slice(module + 2) };
}

const AWK = /^(?:[gmn]?awk|original-awk)$/;
/** The commands of a sed script that only print, delete or replace text. */
const SED_ADDRESS = String.raw`(?:\d+|\$|\/(?:[^\/\\\n]|\\[^\n])*\/I?)`;
const SED_COMMAND = String.raw`(?:${SED_ADDRESS}(?:[,~]\+?${SED_ADDRESS})?)?\s*!?\s*(?:[pdqQ=lNnDPhHgGx]\d*|s(?<mark>[\/|,#:@!])(?:(?!\k<mark>)[^\\\n]|\\[^\n])*\k<mark>(?:(?!\k<mark>)[^\\\n]|\\[^\n])*\k<mark>[gpiI0-9]*)`;
const SED_LINE = new RegExp(`^\\s*${SED_COMMAND}\\s*$`);

export function isTextFilter(name: string): boolean {
  return AWK.test(name) || /^g?sed$/.test(name);
}

/** Checks whether the script of awk or sed can run a command; undefined if the program is neither. */
export function readTextScript(name: string, args: readonly Argument[]): "known" | "code" | undefined {
  if (AWK.test(name)) return readAwkScript(args);
  return /^g?sed$/.test(name) ? readSedScript(args) : undefined;
}

function readAwkScript(args: readonly Argument[]): "known" | "code" {
  const [script] = skipOptions(args, { values: "Fv" }) ?? [];
  if (script === undefined || script.expands) return "code";
  const canRun = /system|getline|@/.test(script.text) || script.text.replaceAll("||", "").includes("|");
  return canRun ? "code" : "known";
}

function readSedScript(args: readonly Argument[]): "known" | "code" {
  const scripts: Argument[] = [];
  let hasExpression = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (arg === undefined) break;
    const isFile = !arg.text.startsWith("-") && (hasExpression || scripts.length > 0);
    if (isFile ? arg.splits && /^[$`{*?[]/.test(arg.text) : arg.expands) return "code";
    if (isFile || /^(?:-[nErzus]+|-i[.\w]*|--in-place|--quiet|--silent|--regexp-extended)$/.test(arg.text))
      continue;
    if (/^-[nEr]*e$/.test(arg.text)) {
      hasExpression = true;
      const script = args[++at];
      if (script !== undefined) scripts.push(script);
    } else if (arg.text.startsWith("-")) return "code";
    else scripts.push(arg);
  }
  return scripts.every(({ text, expands }) => !expands && isPlainSedScript(text)) ? "known" : "code";
}

function isPlainSedScript(text: string): boolean {
  return (
    text.length <= MAX_SED_SCRIPT &&
    (SED_LINE.test(text) || text.split(/[;\n]/).every((part) => SED_LINE.test(part)))
  );
}

const MAX_SED_SCRIPT = 1_000;
