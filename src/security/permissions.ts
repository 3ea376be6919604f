import { PithError } from "../kernel/errors.ts";
import { compileOutside } from "./untrusted-regex.ts";
import type { Word } from "../shell/command-line.ts";
import { type StartedCommand, startedCommands } from "../shell/started-commands.ts";

/** Rules are command lines: their words match the first words of a command, `*` stands for anything. */
export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export interface PermissionRequest {
  /** The name of a build tool; a rule may name it in place of its command. */
  readonly tool?: string;
  readonly commands: readonly (readonly Word[])[];
  /** Variables that the caller sets for all of them. */
  readonly env?: Readonly<Record<string, string>>;
}

type Decision = "allow" | "ask" | "deny";

/** Throws permission_denied or permission_required unless every command of the request may run. */
export function checkPermission(request: PermissionRequest, rules: PermissionRules): void {
  for (const rule of [...rules.deny, ...rules.ask, ...rules.allow]) refuseBroken(rule);
  const set = Object.entries(request.env ?? {}).map(([name, value]) => plainWord(`${name}=${value}`));
  const seen = request.commands.flatMap((words) => startedCommands([...set, ...words]));
  const asked: StartedCommand[] = [];
  for (const command of seen) {
    const decision = decide(command, request.tool, rules);
    if (decision.kind === "deny") throw denied(command.text, decision.rule);
    if (decision.kind === "ask") asked.push(command);
  }
  if (asked.length > 0) throw required(asked, request.tool, rules);
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
      .sort((a, b) => weight(b) - weight(a))[0];
  const deny = best(rules.deny, true);
  if (deny !== undefined) return { kind: "deny", rule: deny };
  const ask = best(rules.ask, true);
  const allow = best(rules.allow, false) ?? (command.byRunner ? "*" : undefined);
  const restricted = rules.deny.length + rules.ask.length > 0 || !rules.allow.includes("*");
  // Where rules forbid something, a command that hides what it runs is not let through by a wide rule.
  if (command.opaque && restricted && (allow === undefined || weight(allow) === 0))
    return { kind: "ask", rule: "" };
  if (allow === undefined) return { kind: "ask", rule: "" };
  if (ask === undefined) return { kind: "allow", rule: allow };
  // The more exact of the two counts, and of two alike the answer: this is how an answer to `ask` is written down.
  const isAnswer = weight(allow) > 0 && weight(allow) >= weight(ask);
  return isAnswer ? { kind: "allow", rule: allow } : { kind: "ask", rule: ask };
}

/** How exact a rule is: the characters that are not wild. */
function weight(rule: string): number {
  return rule.replaceAll("*", "").trim().length;
}

/** Where names of programs are the same in capitals. */
const IGNORES_CASE = process.platform === "win32" || process.platform === "darwin";

function folded(text: string): string {
  return IGNORES_CASE ? text.toLowerCase() : text;
}

/** Whether the rule's words are the command's first words; loosely, options may stand behind the first: `git -C x push`. */
function matches(rule: string, command: string, loosely: boolean): boolean {
  const [first = "", ...rest] = folded(rule)
    .trim()
    .split(/\s+/)
    .map((word) => word.split("*").map(escapeRegExp).join(".*"));
  const options = loosely && rest.length > 0 ? String.raw`(?:\s+-\S+(?:\s+[^\s-]\S*)?)*?` : "";
  const pattern = `^${[`${first}${options}`, ...rest].join("\\s+")}(?:\\s|$)`;
  return compileOutside(pattern, "s").test(folded(command));
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** A rule that cannot be read forbids everything: guessing what it meant would open what it was to close. */
function refuseBroken(rule: string): void {
  const readable = rule.trim() !== "" && !/[\p{Cc}"'`\\]/u.test(rule) && stars(rule) <= MAX_STARS;
  if (!readable)
    throw new PithError(
      "permission_denied",
      `[permissions] has a rule that cannot be read: ${JSON.stringify(rule)}`,
      {
        suggestion: 'Write rules as the first words of a command, with * for anything: "npm run *".',
      },
    );
}

function denied(command: string, rule: string): PithError {
  return new PithError(
    "permission_denied",
    `[permissions] deny ${JSON.stringify(rule)} forbids: ${clip(command)}`,
    { rule },
  );
}

function required(
  asked: readonly StartedCommand[],
  tool: string | undefined,
  rules: PermissionRules,
): PithError {
  const answers = [...new Set(asked.map((command) => answerTo(command, tool, rules)))];
  const commands = [...new Set(asked.map((command) => clip(command.text)))];
  const [rule = ""] = answers;
  return new PithError(
    "permission_required",
    `[permissions] does not allow without asking: ${commands.join("; ")}`,
    { rule, ...(answers.length > 1 ? { rules: answers } : {}), suggestion: suggestion(answers, rules.allow) },
  );
}

/** Lists of more rules are not repeated. */
const FEW_RULES = 5;

/** The list as it has to be then: who writes a new one replaces what is allowed by default. */
function suggestion(answers: readonly string[], allow: readonly string[]): string {
  const list = (rules: readonly string[]): string => rules.map((rule) => JSON.stringify(rule)).join(", ");
  return allow.length > FEW_RULES
    ? `Ask the user to add ${list(answers)} to [permissions] allow in their config.toml, then call again.`
    : `Ask the user to set allow = [${list([...allow, ...answers])}] under [permissions] in their config.toml, then call again.`;
}

/** The rule that lets a command run: its tool's name where that is enough, else its own words. */
function answerTo(command: StartedCommand, tool: string | undefined, rules: PermissionRules): string {
  const own = ruleOf(command.text);
  const works = (rule: string): boolean =>
    decide(command, tool, { ...rules, allow: [...rules.allow, rule] }).kind === "allow";
  return tool !== undefined && works(tool) ? tool : own;
}

const MAX_RULE = 200;
const MAX_STARS = 10;

/** A command's words as a rule: what cannot stand in one becomes *, and beyond a length the first words are enough. */
function ruleOf(text: string): string {
  const kept: string[] = [];
  for (const word of text.split(/\s+/)) {
    const shown = word.replaceAll(/[\p{Cc}"'`\\*]+/gu, "*");
    const next = [...kept, shown].join(" ");
    if (kept.length > 0 && (next.length > MAX_RULE || stars(next) > MAX_STARS)) break;
    kept.push(shown);
  }
  const [first = "", ...rest] = kept;
  return first.length > MAX_RULE ? `${first.slice(0, MAX_RULE)}*` : [first, ...rest].join(" ");
}

function stars(rule: string): number {
  return rule.split("*").length - 1;
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
