import type { Argument } from "./rule.ts";

/** What a builtin of the shell does, if it is one. */
export interface BuiltinUse {
  /** Why it is unknown what the builtin does, if it is. */
  readonly unclear?: string;
  /** The variables that it sets. */
  readonly sets?: readonly (readonly [name: string, value: Argument])[];
  /** True if programs get the variables that it sets. */
  readonly isExport?: boolean;
  /** The variables with earlier values that programs get from now on. */
  readonly exports?: readonly string[];
}

const KNOWN: BuiltinUse = {};
const PLAIN: ReadonlySet<string> = new Set("break continue exit return times".split(" "));
const SET_OPTION = /^(?:[-+][euxvfC]+|[-+][euxvfC]*o|pipefail|errexit|nounset|xtrace)$/;
const NAME = /^[A-Za-z_]\w*$/;

/** Reads the arguments of a builtin; undefined if the name is none or its arguments are only data. */
export function readBuiltin(name: string, args: readonly Argument[]): BuiltinUse | undefined {
  if (PLAIN.has(name)) return KNOWN;
  if (name === "test" || name === "[") return isPlainTest(name, args) ? KNOWN : unclear("this form of test");
  if (name === "printf")
    return /^-|^[$`]/.test(args[0]?.text ?? "") ? unclear("printf with an option") : KNOWN;
  if (name === "set") return args.every(isSetOption) ? KNOWN : unclear("set with arguments");
  if (name === "hash") return args.every(({ text }) => text === "-r") ? KNOWN : unclear("hash");
  if (name === "jobs")
    return args.every(({ text }) => /^-[lnprs]+$|^%/.test(text)) ? KNOWN : unclear("jobs with an option");
  if (name === "shift") return unclear("shift");
  if (name === "export") return { ...readExport(args), isExport: true };
  if (name === "readonly") return readExport(args);
  if (name === "read" || name === "unset") return readNames(args);
  return undefined;
}

function unclear(reason: string): BuiltinUse {
  return { unclear: reason };
}

function isSetOption({ text, expands }: Argument): boolean {
  return !expands && SET_OPTION.test(text);
}

function readExport(args: readonly Argument[]): BuiltinUse {
  const sets: (readonly [string, Argument])[] = [];
  const exports: string[] = [];
  for (const arg of args) {
    const [name = "", value] = arg.text.split(/=(.*)/s);
    if (arg.splits || !NAME.test(name)) return unclear("export with an option or an expansion");
    if (value === undefined) exports.push(name);
    else sets.push([name, { ...arg, text: value }]);
  }
  return { sets, exports };
}

function readNames(args: readonly Argument[]): BuiltinUse {
  const names = args.filter(({ text }) => text !== "-r" && text !== "-v");
  if (names.some(({ text, expands }) => expands || !NAME.test(text))) return unclear("a variable's name");
  return { sets: names.map(({ text }) => [text, { text: "", expands: true, splits: true }] as const) };
}

/** Checks a condition. `-v` and `-R` run the command substitutions in the name that they get. */
function isPlainTest(name: string, args: readonly Argument[]): boolean {
  const words = name === "[" && args.at(-1)?.text === "]" ? args.slice(0, -1) : args;
  const [first, second, third, ...more] = words[0]?.text === "!" ? words.slice(1) : words;
  if (words.some((word) => word.splits) || more.length > 0) return false;
  if (third !== undefined)
    return (
      /^(?:==?|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/.test(second?.text ?? "") && second?.expands === false
    );
  return second === undefined || (first?.expands === false && /^-[a-uw-zA-QS-Z]$/.test(first.text));
}
