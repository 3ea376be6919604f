import { parseArgs } from "node:util";
import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { type Command, type Invocation, shortsOf } from "./command.ts";

/** Parses the arguments of a command by its own table of options. */
export function readInvocation(command: Command, argv: readonly string[]): Invocation {
  const stop = argv.indexOf("--");
  const own = stop === -1 ? argv : argv.slice(0, stop);
  const { values, positionals } = parse(command, own);
  if (command.onlyOptions === true && positionals.length > 0)
    throw new PithError(
      "invalid_input",
      `${command.name}: takes options only, not ${JSON.stringify(positionals[0])}`,
      {
        suggestion: `pith ${command.name} --help lists the options.`,
      },
    );
  const all = (name: string): readonly (string | boolean)[] =>
    [name, ...otherNames(name, command)].flatMap((one) => values[one] ?? []);
  return {
    verb: command.name,
    positionals,
    rest: stop === -1 ? [] : argv.slice(stop + 1),
    texts: (name) => all(name).filter((value) => typeof value === "string"),
    text: (name) => all(name).findLast((value) => typeof value === "string"),
    flag: (name) => all(name).includes(true),
  };
}

type Parsed = {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  positionals: string[];
};

function parse(command: Command, argv: readonly string[]): Parsed {
  const options = Object.fromEntries(
    Object.entries(command.options).flatMap(([name, option]) => {
      const { type, multiple = false } = option;
      const [short, ...others] = shortsOf(option);
      const own = { type, multiple, ...(short === undefined ? {} : { short }) };
      // Node's `parseArgs` allows one letter per option, so each further letter of an option becomes an option of its
      // own.
      const names = otherNames(name, command);
      return [[name, own], ...others.map((letter, i) => [names[i] ?? "", { type, multiple, short: letter }])];
    }),
  );
  try {
    return parseArgs({ args: joinValues(command, argv), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw badOption(command, argv, error);
  }
}

/**
 * Returns the internal names under which further letters of an option are parsed; they contain a blank, so no user can
 * type them.
 */
function otherNames(name: string, { options }: Command): string[] {
  const option = options[name];
  return option === undefined
    ? []
    : shortsOf(option)
        .slice(1)
        .map((letter) => `${name} ${letter}`);
}

/**
 * Joins each option with its value into one word, because a value may begin with a dash, as in `-e -x` and `-ie -x`.
 */
function joinValues(command: Command, argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    const value = argv[i + 1];
    const taker = value === undefined ? undefined : valueTaker(word, command);
    if (taker === undefined) joined.push(word);
    else {
      joined.push(...taker.flags, `--${taker.name}=${value}`);
      i++;
    }
  }
  return joined;
}

interface ValueTaker {
  readonly name: string;
  /** The letters before the option in the same word, such as the `i` in `-ie`; they are flags, which take no value. */
  readonly flags: readonly string[];
}

/** Returns the option at the end of a word if the next word is its value. */
function valueTaker(word: string, { options }: Command): ValueTaker | undefined {
  const entries = Object.entries(options);
  const byLetter = (letter: string) => entries.find(([, option]) => shortsOf(option).includes(letter));
  const long = entries.find(([name, { type }]) => type === "string" && word === `--${name}`);
  if (long !== undefined) return { name: long[0], flags: [] };
  const letters = /^-([^-=]+)$/.exec(word)?.[1] ?? "";
  const last = byLetter(letters.slice(-1));
  const before = letters.slice(0, -1);
  const areFlags = before.split("").every((letter) => byLetter(letter)?.[1].type === "boolean");
  if (last?.[1].type !== "string" || !areFlags) return undefined;
  return { name: last[0], flags: before === "" ? [] : [`-${before}`] };
}

function badOption(command: Command, argv: readonly string[], error: unknown): PithError {
  const known = Object.keys(command.options);
  const wrong = argv.find((arg) => arg.startsWith("--") && !known.includes(arg.slice(2).split("=")[0] ?? ""));
  const [nearest] = wrong === undefined ? [] : nearestNames(wrong.slice(2), known, 1);
  const letter = /^Unknown option '-(.)'/.exec((error as Error).message)?.[1];
  if (letter !== undefined) return badLetter(command, letter);
  const empty = /^Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/.exec((error as Error).message)?.[1];
  if (empty !== undefined) return missingValue(command, empty);
  const message = wrong === undefined ? (error as Error).message.split(". ")[0] : `unknown option ${wrong}`;
  return new PithError("invalid_input", `${command.name}: ${message}`, {
    suggestion:
      nearest === undefined ? `pith ${command.name} --help lists the options.` : `Did you mean --${nearest}?`,
  });
}

function missingValue({ name, options }: Command, option: string): PithError {
  const { value = "TEXT", about = "" } = options[option.slice(2)] ?? {};
  return new PithError("invalid_input", `${name}: ${option} needs a value`, {
    suggestion: `${option} ${value}: ${about}`,
  });
}

/**
 * Returns the error for an unknown option letter. It suggests the same letter in the other case, because that is a
 * common mistake.
 */
function badLetter({ name, options }: Command, letter: string): PithError {
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  const meant = Object.entries(options).find(([, option]) => shortsOf(option).includes(other));
  return new PithError("invalid_input", `${name}: unknown option -${letter}`, {
    suggestion:
      meant === undefined
        ? `pith ${name} --help lists the options.`
        : `There is -${other}: ${meant[1].about} pith ${name} --help lists all.`,
  });
}
