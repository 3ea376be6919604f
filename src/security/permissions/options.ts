import type { Argument } from "./rule.ts";

/** The options of a program that are understood; every other option makes its command unclear. */
export interface OptionTable {
  /** The letters of short options without a value. */
  readonly flags?: string;
  /** The letters of short options with a value. */
  readonly values?: string;
  /** The names of long options without a value, without their dashes. */
  readonly longFlags?: string;
  readonly longValues?: string;
}

/** The words after a program's options; undefined if there is an option that the table does not list. */
export function skipOptions(args: readonly Argument[], table: OptionTable): readonly Argument[] | undefined {
  let at = 0;
  while (at < args.length) {
    const arg = args[at];
    if (arg === undefined || !arg.text.startsWith("-") || arg.text === "-") break;
    if (arg.expands) return undefined;
    if (arg.text === "--") return args.slice(at + 1);
    const width = arg.text.startsWith("--") ? longWidth(arg.text, table) : shortWidth(arg.text, table);
    // A value that can be several words or none shifts the words behind it.
    if (width === undefined || args[at + width - 1]?.splits === true) return undefined;
    at += width;
  }
  return args.slice(at);
}

function longWidth(text: string, { longFlags = "", longValues = "" }: OptionTable): number | undefined {
  const [name = "", value] = text.slice(2).split(/=(.*)/s);
  if (longFlags.split(" ").includes(name)) return value === undefined ? 1 : undefined;
  if (longValues.split(" ").includes(name)) return value === undefined ? 2 : 1;
  return undefined;
}

/** The number of words of combined short options such as `-nu root`. */
function shortWidth(text: string, { flags = "", values = "" }: OptionTable): number | undefined {
  for (let at = 1; at < text.length; at++) {
    const letter = text.charAt(at);
    if (values.includes(letter)) return at === text.length - 1 ? 2 : 1;
    if (!flags.includes(letter)) return undefined;
  }
  return 1;
}
