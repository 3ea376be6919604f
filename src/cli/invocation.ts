import { parseArgs } from "node:util";
import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import type { Command, Invocation } from "./command.ts";

/** Reads the arguments of a command by its own table of options. */
export function readInvocation(command: Command, argv: readonly string[]): Invocation {
  const stop = argv.indexOf("--");
  const own = stop === -1 ? argv : argv.slice(0, stop);
  const { values, positionals } = parse(command, own);
  const all = (name: string): readonly (string | boolean)[] => {
    const value = values[name];
    return value === undefined ? [] : Array.isArray(value) ? value : [value];
  };
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
    Object.entries(command.options).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(multiple ? { multiple: true } : {}) },
    ]),
  );
  try {
    return parseArgs({ args: joinValues(command, argv), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw badOption(command, argv, error);
  }
}

/** The word after an option that takes a value is its value, also when it begins with a dash: `-e -x`. */
function joinValues(command: Command, argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    const name = Object.entries(command.options).find(
      ([long, { type, short }]) => type === "string" && (word === `--${long}` || word === `-${short}`),
    )?.[0];
    const value = argv[i + 1];
    if (name === undefined || value === undefined) joined.push(word);
    else {
      joined.push(`--${name}=${value}`);
      i++;
    }
  }
  return joined;
}

function badOption(command: Command, argv: readonly string[], error: unknown): PithError {
  const known = Object.keys(command.options);
  const wrong = argv.find((arg) => arg.startsWith("--") && !known.includes(arg.slice(2).split("=")[0] ?? ""));
  const removed = command.removed?.[wrong?.slice(2).split("=")[0] ?? ""];
  if (removed !== undefined)
    return new PithError("invalid_input", `${command.name}: ${wrong} ${removed.why}`, {
      suggestion: removed.instead,
    });
  const [nearest] = wrong === undefined ? [] : nearestNames(wrong.slice(2), known, 1);
  const message = wrong === undefined ? (error as Error).message.split(". ")[0] : `unknown option ${wrong}`;
  return new PithError("invalid_input", `${command.name}: ${message}`, {
    suggestion:
      nearest === undefined ? `pith ${command.name} --help lists the options.` : `Did you mean --${nearest}?`,
  });
}
