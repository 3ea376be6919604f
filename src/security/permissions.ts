import { PithError } from "../kernel/errors.ts";
import { quoteWord } from "../shell/quote-word.ts";
import { startedCommands } from "../shell/started-commands.ts";
import { findCommands, type FoundCommands } from "./permissions/find-commands.ts";
import type { FoundCommand } from "./permissions/inspection.ts";
import { isOutsideProgram, isProgramOfPath, namesOf, ownScript, type Place } from "./permissions/place.ts";
import { takesGoals } from "./permissions/programs.ts";
import {
  type Argument,
  matchesStrictly,
  matchLoosely,
  type Match,
  readRule,
  type Rule,
  rulesMentionedIn,
} from "./permissions/rule.ts";

/**
 * The permission rules for commands. Each rule is a command line: its words match the first words of a command, and `*`
 * matches anything. A rule that begins with `=` names one whole command line.
 */
export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export interface PermissionRequest {
  /** The name of the build tool to run; a permission rule may give this name instead of the tool's command line. */
  readonly tool?: string;
  /** The argument list that would be started. */
  readonly argv: readonly string[];
  /** Environment variables that the caller sets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the command would run; not called if there is no restriction. */
  place(): Place;
}

/** A request whose place is known. */
interface PlacedRequest extends Omit<PermissionRequest, "place"> {
  readonly place: Place;
}

interface ReadRules {
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

/** Checks whether every command may run, so that no command has to be read. */
function isUnrestricted({ allow, ask, deny }: PermissionRules): boolean {
  return deny.length === 0 && ask.length === 0 && allow.includes("*");
}

/**
 * Throws permission_denied or permission_required unless every command of the request may run. If there is any
 * restriction, a command line may run only if it is wholly understood; anything else is a question for the user.
 */
export function checkPermission(asked: PermissionRequest, sources: PermissionRules): void {
  const rules = {
    allow: sources.allow.map(readRule),
    ask: sources.ask.map(readRule),
    deny: sources.deny.map(readRule),
  };
  if (isUnrestricted(sources)) return;
  const request = { ...asked, place: asked.place() };
  const isAllowOnly = !sources.allow.includes("*");
  const found = findCommands({ ...request, env: request.env ?? {}, isAllowOnly });
  const commands = found.commands.map((command) => ({
    ...command,
    names: namesIn(found, command.words, request),
  }));
  rejectDenied(request, found, commands, rules.deny);
  const line = wholeCommand(request);
  if (rules.allow.some((rule) => rule.line === line)) return;
  const reasons = [
    ...found.unclear,
    ...commands.flatMap((command) => questionAbout(command, request, rules) ?? []),
    ...mentions(found.variableValues, rules).map((name) => `a variable that names ${name}`),
  ];
  const exact = rules.ask.find((rule) => rule.line === line);
  if (exact !== undefined) reasons.push(`ask ${JSON.stringify(exact.source)}`);
  if (reasons.length > 0) throw permissionRequired(line, [...new Set(reasons)], sources.allow);
}

/**
 * Looks for denied commands in what was found and, if that is not everything, also in a tolerant reading of the command
 * line, so that the error can name the rule.
 */
function rejectDenied(
  request: PlacedRequest,
  found: FoundCommands,
  commands: readonly NamedCommand[],
  deny: readonly Rule[],
): void {
  const plain = request.argv.map((text) => ({ text, expands: false }));
  const isScript = ownScript(request.argv, request.place).script !== undefined;
  const tolerant = found.unclear.length === 0 ? [] : startedCommands(plain).slice(isScript ? 1 : 0);
  const seen = [
    ...commands.filter((command) => !command.isGuess),
    ...tolerant.map((read) => {
      const words = read.map((word) => ({ ...word, splits: word.expands }));
      return { words, names: namesIn(found, words, request) };
    }),
  ];
  const line = wholeCommand(request);
  for (const rule of deny) {
    if (rule.line === line || isToolRule(rule, request.tool)) throw deniedError(line, rule.source);
    for (const command of seen)
      if (matchForbidden(rule, command) === "yes")
        throw deniedError(command.words.map((word) => word.text).join(" "), rule.source);
  }
}

/** A command with every name of its program. */
interface NamedCommand extends FoundCommand {
  readonly names: readonly string[];
}

function namesIn(
  { folders }: FoundCommands,
  [program]: readonly Argument[],
  { place }: PlacedRequest,
): readonly string[] {
  return program === undefined ? [] : namesOf(program.text, folders, place.files);
}

function isToolRule({ words }: Rule, tool: string | undefined): boolean {
  return tool !== undefined && words.length === 1 && words[0]?.matches(tool) === true;
}

function matchForbidden(rule: Rule, { words, names }: Pick<NamedCommand, "words" | "names">): Match {
  const [first] = rule.words;
  if (first === undefined) return "no";
  // A rule for a path forbids every program of that name, because many paths lead to the same file.
  const named = first.text.replace(/^.*\//, "");
  const isNamed = names.some((name) => first.matches(name) || name === named);
  if (isNamed) return matchLoosely(rule, words.slice(1), names.some(takesGoals));
  // A rule like `*deploy*` names no program, so it forbids the text wherever it stands in a command.
  const isAnywhere = rule.words.length === 1 && first.text.startsWith("*");
  return isAnywhere && first.matches(words.map((word) => word.text).join(" ")) ? "yes" : "no";
}

/** Says why the user has to be asked about a command; undefined if it may run. */
function questionAbout(
  command: NamedCommand,
  { tool, place }: PlacedRequest,
  rules: ReadRules,
): string | undefined {
  const shown = truncate(command.words.map((word) => word.text).join(" "));
  const forbidden = (rule: Rule): Match => (isToolRule(rule, tool) ? "yes" : matchForbidden(rule, command));
  const allow = mostSpecific(
    rules.allow.filter((rule) => isToolRule(rule, tool) || isAllowedBy(rule, command.words, place)),
  );
  // If any command is restricted, a rule that is only a wildcard does not allow code that nobody has read.
  if (command.hasCode && (allow === undefined || allow.specificity === 0)) return `code in ${shown}`;
  if (allow === undefined && !command.byRunner) return shown;
  if (rules.deny.some((rule) => forbidden(rule) === "maybe")) return `an expansion in ${shown}`;
  if (command.isGuess && rules.deny.some((rule) => forbidden(rule) === "yes")) return shown;
  const named = command.hasDataArguments ? [] : mentions(command.words.slice(1), rules);
  if (named.length > 0) return `${shown}, which may run ${named.join(", ")}`;
  const ask = mostSpecific(rules.ask.filter((rule) => forbidden(rule) !== "no"));
  if (ask === undefined) return undefined;
  // Of two matching rules the more specific one wins, and on a tie `allow` wins, so that users can allow a command that
  // `ask` lists.
  const isAnswered = allow !== undefined && allow.specificity > 0 && allow.specificity >= ask.specificity;
  return isAnswered ? undefined : shown;
}

function mostSpecific(rules: readonly Rule[]): Rule | undefined {
  return rules.toSorted((a, b) => b.specificity - a.specificity)[0];
}

/**
 * Checks whether a rule allows a command. A name without a slash means only what PATH finds outside the workspace, so
 * that a file of the workspace cannot pass for it.
 */
function isAllowedBy(rule: Rule, [program, ...args]: readonly Argument[], place: Place): boolean {
  const [first] = rule.words;
  if (program === undefined || first === undefined) return false;
  if (first.isAny) return rule.words.length === 1 || matchesStrictly(rule, args);
  const { text } = program;
  const isProgram = text.includes("/")
    ? first.text.includes("/")
      ? first.matches(text)
      : isProgramOfPath(text, first.text, place)
    : first.matches(text) && isOutsideProgram(text, place);
  return isProgram && matchesStrictly(rule, args);
}

/** The programs of forbidding rules that words name which a program may run. */
function mentions(args: readonly Argument[], { deny, ask }: ReadRules): string[] {
  return rulesMentionedIn(args, [...deny, ...ask]).map((rule) => rule.source);
}

/** The whole command line as a user would type it, with the variables that the caller sets. */
function wholeCommand({ argv, env = {}, place }: PlacedRequest): string {
  const variables = Object.entries(env)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${quoteWord(value)}`);
  const { script, args } = ownScript(argv, place);
  const typed = args.length === 0 ? script : script?.replace(/ "\$@"$/, "");
  const words = typed === undefined ? argv.map(quoteWord) : [typed.trim(), ...args.map(quoteWord)];
  return [...variables, ...words].join(" ");
}

function deniedError(command: string, rule: string): PithError {
  return new PithError(
    "permission_denied",
    `[permissions] deny ${JSON.stringify(rule)} forbids: ${truncate(command)}`,
    { rule },
  );
}

/** A suggested change of the permission rules repeats the current ones only if there are at most this many. */
const MAX_REPEATED_RULES = 5;
/** The longest command line that is suggested as a rule. */
const MAX_SUGGESTED_LENGTH = 2_000;

/** The error that asks the user. Its rule allows exactly this command line and no other. */
function permissionRequired(line: string, reasons: readonly string[], allow: readonly string[]): PithError {
  const message = `[permissions] does not allow without asking: ${reasons.map(truncate).join("; ")}`;
  if (line.length > MAX_SUGGESTED_LENGTH)
    return new PithError("permission_required", message, {
      suggestion:
        "The command is too long for a rule: put it into a script file and ask the user to allow that.",
    });
  const rule = `= ${line}`;
  const list = (rules: readonly string[]): string => rules.map((one) => JSON.stringify(one)).join(", ");
  const change =
    allow.length > MAX_REPEATED_RULES
      ? `add ${list([rule])} to [permissions] allow`
      : `set allow = [${list([...allow, rule])}] under [permissions]`;
  return new PithError("permission_required", message, {
    rule,
    suggestion: `Ask the user to ${change} in their config.toml and to restart Pith, then call again.`,
  });
}

function truncate(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
