import type { Announcements, BuildTool } from "../tool.ts";

/** Facts that the tools declare about themselves besides their parsers. */
export interface ToolFacts {
  /**
   * Tells whether the runner named in a test summary is a report format or an annotation format, which repeats the
   * results of other runners.
   */
  readonly repeatsOf: (runner: string) => BuildTool["repeats"];
  /** Returns the id of the tool that a rule belongs to, if the rule's name identifies it. */
  readonly toolOfRule: (rule: string | undefined) => string | undefined;
  /** Returns whether a line always starts something new, even while another tool's block of lines is open. */
  readonly opens: (text: string) => boolean;
  /** Returns the ids of the only tools that may accept an indented line, or undefined if any tool may. */
  readonly ownersOf: (text: string) => readonly string[] | undefined;
  /** Returns what a line announces about the commands that follow it, if it announces anything. */
  readonly announced: (text: string) => Announced | undefined;
}

/** What a line says about the commands that a tool is about to start. */
export interface Announced {
  /** Whether the line announces a script, whose output starts here. */
  readonly script: boolean;
  /** The package, or its folder, in which the following commands run. */
  readonly package: string | undefined;
  /** The folder that the following commands run in. */
  readonly enters: string | undefined;
  /** Whether the commands in the most recently entered folder have ended. */
  readonly leaves: boolean;
}

/**
 * Matches a line that is nothing but the path of a source file. Many linters print it as the heading of a table, so it starts something new but does
 * not tell which tool wrote it.
 */
const HEADING = /^(?:\/|[A-Za-z]:[\\/])[^\s'"`:(]{1,300}\.(?:[cm]?[jt]sx?|vue|svelte|s?css)$/;

const known = new WeakMap<readonly BuildTool[], ToolFacts>();

/** Returns the facts of a list of tools; they are collected once per list. */
export function toolFacts(tools: readonly BuildTool[]): ToolFacts {
  const facts = known.get(tools) ?? collect(tools);
  known.set(tools, facts);
  return facts;
}

function collect(tools: readonly BuildTool[]): ToolFacts {
  const repeats = new Map(tools.map((tool) => [tool.id, tool.repeats]));
  const rules = patternsOf(tools, "ruleNames");
  const indented = patternsOf(tools, "ownsIndented");
  const announcements = [...new Set(tools.flatMap((tool) => tool.announces ?? []))];
  const announcing = anyOf(announcements.flatMap((one) => Object.values(one)));
  const opening = anyOf([HEADING, ...patternsOf(tools, "opens").map(({ pattern }) => pattern)]);
  return {
    repeatsOf: (runner) => repeats.get(runner),
    toolOfRule: (rule) =>
      rule === undefined ? undefined : rules.find(({ pattern }) => pattern.test(rule))?.id,
    opens: (text) => opening.test(text),
    ownersOf(text) {
      if (!text.startsWith(" ")) return undefined;
      const owners = indented.filter(({ pattern }) => pattern.test(text)).map(({ id }) => id);
      return owners.length === 0 ? undefined : owners;
    },
    announced: (text) => (announcing.test(text) ? announcedBy(announcements, text) : undefined),
  };
}

function announcedBy(announcements: readonly Announcements[], text: string): Announced {
  const groups = (field: "package" | "enters"): Record<string, string> =>
    announcements.map((one) => one[field]?.exec(text)?.groups).find((found) => found !== undefined) ?? {};
  const named = groups("package");
  return {
    script: announcements.some((one) => one.script?.test(text) === true),
    package: named["folder"] ?? named["package"],
    enters: groups("enters")["folder"],
    leaves: announcements.some((one) => one.leaves?.test(text) === true),
  };
}

/**
 * Joins regular expressions into one, so that each line of a log is tested only once. Group names are removed, because
 * a name must not occur twice in an expression.
 */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source.replaceAll(/\(\?<\w+>/g, "(?:")).join("|") || "(?!)");
}

function patternsOf(
  tools: readonly BuildTool[],
  field: "opens" | "ownsIndented" | "ruleNames",
): { readonly id: string; readonly pattern: RegExp }[] {
  return tools.flatMap((tool) => {
    const pattern = tool[field];
    return pattern === undefined ? [] : [{ id: tool.id, pattern }];
  });
}
