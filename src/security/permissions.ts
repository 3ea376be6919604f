import { PithError } from "../kernel/errors.ts";
import { compileUntrusted } from "./untrusted-regex.ts";
import type { Word } from "../shell/scanner.ts";
import { type StartedCommand, startedCommands } from "../shell/started-commands.ts";

/**
 * The permission rules for commands. Each rule is a command line: its words match the first words of a command, and `*`
 * matches anything.
 */
export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export interface PermissionRequest {
  /** The name of the build tool to run; a permission rule may give this name instead of the tool's command line. */
  readonly tool?: string;
  readonly commands: readonly (readonly Word[])[];
  /** Environment variables that the caller sets for all commands. */
  readonly env?: Readonly<Record<string, string>>;
}

type Decision = "allow" | "ask" | "deny";

/** Throws permission_denied or permission_required unless every command of the request may run. */
export function checkPermission(request: PermissionRequest, rules: PermissionRules): void {
  for (const rule of [...rules.deny, ...rules.ask, ...rules.allow]) rejectMalformed(rule);
  const set = Object.entries(request.env ?? {}).map(([name, value]) => plainWord(`${name}=${value}`));
  const seen = request.commands.flatMap((words) => startedCommands([...set, ...words]));
  const unapproved: StartedCommand[] = [];
  for (const command of seen) {
    const decision = decide(command, request.tool, rules);
    if (decision.kind === "deny") throw deniedError(command.text, decision.rule);
    if (decision.kind === "ask") unapproved.push(command);
  }
  if (unapproved.length > 0) throw permissionRequired(unapproved, request.tool, rules);
}

function plainWord(text: string): Word {
  return { text, expands: false };
}

function decide(
  command: StartedCommand,
  tool: string | undefined,
  rules: PermissionRules,
): { readonly kind: Decision; readonly rule: string } {
  const names = tool === undefined ? [command.text] : [command.text, tool];
  const best = (list: readonly string[], loosely: boolean): string | undefined =>
    list
      .filter((rule) => names.some((name) => matches(rule, name, loosely)))
      .sort((a, b) => specificity(b) - specificity(a))[0];
  const deny = best(rules.deny, true);
  if (deny !== undefined) return { kind: "deny", rule: deny };
  const ask = best(rules.ask, true);
  const allow = best(rules.allow, false) ?? (command.byRunner ? "*" : undefined);
  const restricted = rules.deny.length + rules.ask.length > 0 || !rules.allow.includes("*");
  // If any command is restricted, a rule that is only a wildcard does not allow a command that hides what it runs.
  if (command.opaque && restricted && (allow === undefined || specificity(allow) === 0))
    return { kind: "ask", rule: "" };
  if (allow === undefined) return { kind: "ask", rule: "" };
  if (ask === undefined) return { kind: "allow", rule: allow };
  // Of two matching rules the more specific one wins, and on a tie `allow` wins, so that users can allow a command that
  // `ask` lists.
  const isAnswer = specificity(allow) > 0 && specificity(allow) >= specificity(ask);
  return isAnswer ? { kind: "allow", rule: allow } : { kind: "ask", rule: ask };
}

/** Returns how specific a rule is: the number of its characters that are not wildcards. */
function specificity(rule: string): number {
  return rule.replaceAll("*", "").trim().length;
}

/** True on systems where the names of programs are case-insensitive. */
const IGNORES_CASE = process.platform === "win32" || process.platform === "darwin";

function foldCase(text: string): string {
  return IGNORES_CASE ? text.toLowerCase() : text;
}

/** Returns whether a command begins with the rule's words. If `loosely`, options may follow the first word: `git -C x push`. */
function matches(rule: string, command: string, loosely: boolean): boolean {
  const [first = "", ...rest] = foldCase(rule)
    .trim()
    .split(/\s+/)
    .map((word) => word.split("*").map(escapeRegExp).join(".*"));
  const options = loosely && rest.length > 0 ? String.raw`(?:\s+-\S+(?:\s+[^\s-]\S*)?)*?` : "";
  const pattern = `^${[`${first}${options}`, ...rest].join("\\s+")}(?:\\s|$)`;
  return compileUntrusted(pattern, "s").test(foldCase(command));
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** A malformed rule denies every command, because a wrong guess could allow what the rule was meant to forbid. */
function rejectMalformed(rule: string): void {
  const readable = rule.trim() !== "" && !/[\p{Cc}"'`\\]/u.test(rule) && countStars(rule) <= MAX_STARS;
  if (!readable)
    throw new PithError(
      "permission_denied",
      `[permissions] has a rule that cannot be read: ${JSON.stringify(rule)}`,
      {
        suggestion: 'Write rules as the first words of a command, with * for anything: "npm run *".',
      },
    );
}

function deniedError(command: string, rule: string): PithError {
  return new PithError(
    "permission_denied",
    `[permissions] deny ${JSON.stringify(rule)} forbids: ${truncate(command)}`,
    { rule },
  );
}

function permissionRequired(
  unapproved: readonly StartedCommand[],
  tool: string | undefined,
  rules: PermissionRules,
): PithError {
  const answers = [...new Set(unapproved.map((command) => findAllowingRule(command, tool, rules)))];
  const commands = [...new Set(unapproved.map((command) => truncate(command.text)))];
  const [rule = ""] = answers;
  return new PithError(
    "permission_required",
    `[permissions] does not allow without asking: ${commands.join("; ")}`,
    {
      rule,
      ...(answers.length > 1 ? { rules: answers } : {}),
      suggestion: suggestRules(answers, rules.allow),
    },
  );
}

/** A suggested change of the permission rules repeats the current ones only if there are at most this many. */
const MAX_REPEATED_RULES = 5;

/**
 * Suggests a change of the permission rules. It shows the complete new list, because a list in the config file replaces
 * the default one.
 */
function suggestRules(answers: readonly string[], allow: readonly string[]): string {
  const list = (rules: readonly string[]): string => rules.map((rule) => JSON.stringify(rule)).join(", ");
  return allow.length > MAX_REPEATED_RULES
    ? `Ask the user to add ${list(answers)} to [permissions] allow in their config.toml, then call again.`
    : `Ask the user to set allow = [${list([...allow, ...answers])}] under [permissions] in their config.toml, then call again.`;
}

/** Returns the rule that would allow a command: its tool's name if that is enough, otherwise the command's words. */
function findAllowingRule(command: StartedCommand, tool: string | undefined, rules: PermissionRules): string {
  const own = toRule(command.text);
  const works = (rule: string): boolean =>
    decide(command, tool, { ...rules, allow: [...rules.allow, rule] }).kind === "allow";
  return tool !== undefined && works(tool) ? tool : own;
}

const MAX_RULE_LENGTH = 200;
const MAX_STARS = 10;

/**
 * Turns a command into a permission rule: characters that rules cannot contain become `*`, and a long command is
 * truncated.
 */
function toRule(text: string): string {
  const kept: string[] = [];
  for (const word of text.split(/\s+/)) {
    const shown = word.replaceAll(/[\p{Cc}"'`\\*]+/gu, "*");
    const next = [...kept, shown].join(" ");
    if (kept.length > 0 && (next.length > MAX_RULE_LENGTH || countStars(next) > MAX_STARS)) break;
    kept.push(shown);
  }
  const [first = "", ...rest] = kept;
  return first.length > MAX_RULE_LENGTH ? `${first.slice(0, MAX_RULE_LENGTH)}*` : [first, ...rest].join(" ");
}

function countStars(rule: string): number {
  return rule.split("*").length - 1;
}

function truncate(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
