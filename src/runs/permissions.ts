import { basename } from "node:path";
import { PithError } from "../kernel/errors.ts";
import { compileOutside } from "../kernel/outside-regex.ts";
import { readCommandLine, type Word } from "./command-line.ts";

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
}

type Decision = "allow" | "ask" | "deny";

/** Programs that run the command behind their own options. */
const WRAPPERS: ReadonlySet<string> = new Set(
  "command doas env exec nice nohup setsid stdbuf sudo time timeout xargs".split(" "),
);
const SHELLS: ReadonlySet<string> = new Set(
  "ash bash cmd cmd.exe dash fish ksh powershell pwsh sh zsh".split(" "),
);
/** Wrappers inside wrappers beyond this are not unwrapped any further: then the command is not understood. */
const MAX_DEPTH = 6;

/** Throws permission_denied or permission_required unless every command of the request may run. */
export function checkPermission(request: PermissionRequest, rules: PermissionRules): void {
  for (const rule of [...rules.deny, ...rules.ask, ...rules.allow]) refuseBroken(rule);
  const seen = request.commands.flatMap((words) => unwrap(words, 0));
  const asked: string[] = [];
  for (const command of seen) {
    const decision = decide(command, request.tool, rules);
    if (decision.kind === "deny") throw denied(command.text, decision.rule);
    if (decision.kind === "ask") asked.push(command.text);
  }
  const [first] = asked;
  if (first !== undefined) throw required(request.tool ?? first, asked);
}

/** A command as the rules see it; opaque where what runs cannot be told from its text. */
interface SeenCommand {
  readonly text: string;
  readonly opaque: boolean;
}

/** A command and, where it only starts others, those too. */
function unwrap(words: readonly Word[], depth: number): SeenCommand[] {
  if (words.every((word) => isAssignment(word.text))) return [];
  const own = words.slice(words.findIndex((word) => !isAssignment(word.text)));
  const [first] = own;
  if (first === undefined) return [];
  const program = basename(first.text).replace(/\.exe$/i, "");
  const text = [program, ...own.slice(1).map((word) => word.text)].join(" ");
  const command = {
    text,
    opaque: first.expands || program === "eval" || program === "source" || program === ".",
  };
  if (depth >= MAX_DEPTH) return [{ text, opaque: true }];
  if (SHELLS.has(program)) return [command, ...shellScript(own.slice(1), depth)];
  if (!WRAPPERS.has(program)) return [command];
  const inner = own.slice(1).findIndex((word) => !isOption(word.text));
  return inner < 0 ? [command] : [command, ...unwrap(own.slice(inner + 1), depth + 1)];
}

/** What `sh -c` is given to run. */
function shellScript(words: readonly Word[], depth: number): SeenCommand[] {
  const flag = words.findIndex((word) => /^-\w*c$|^\/c$|^-Command$/i.test(word.text));
  const script = flag < 0 ? undefined : words[flag + 1];
  if (script === undefined) return [];
  if (script.expands) return [{ text: script.text, opaque: true }];
  try {
    return readCommandLine(script.text).commands.flatMap((inner) => unwrap(inner, depth + 1));
  } catch {
    // An open quote: what the shell makes of it is not known here.
    return [{ text: script.text, opaque: true }];
  }
}

function isOption(text: string): boolean {
  // `timeout 5s`, `nice -n 5`: a number belongs to the wrapper.
  return text.startsWith("-") || isAssignment(text) || /^\d+(?:\.\d+)?[smhd]?$/.test(text);
}

function isAssignment(text: string): boolean {
  return /^[A-Za-z_]\w*=/.test(text);
}

function decide(
  command: SeenCommand,
  tool: string | undefined,
  rules: PermissionRules,
): { readonly kind: Decision; readonly rule: string } {
  const names = tool === undefined ? [command.text] : [command.text, tool];
  const best = (list: readonly string[]): string | undefined =>
    list.filter((rule) => names.some((name) => matches(rule, name))).sort((a, b) => weight(b) - weight(a))[0];
  const deny = best(rules.deny);
  if (deny !== undefined) return { kind: "deny", rule: deny };
  const ask = best(rules.ask);
  const allow = best(rules.allow);
  const restricted = rules.deny.length + rules.ask.length > 0 || !rules.allow.includes("*");
  // Where rules forbid something, a command that hides what it runs is not let through by a wide rule.
  if (command.opaque && restricted && (allow === undefined || weight(allow) === 0))
    return { kind: "ask", rule: "" };
  if (allow === undefined) return { kind: "ask", rule: "" };
  // The more exact of the two counts: this is how an answer to `ask` is written down.
  return ask !== undefined && weight(ask) >= weight(allow)
    ? { kind: "ask", rule: ask }
    : { kind: "allow", rule: allow };
}

/** How exact a rule is: the characters that are not wild. */
function weight(rule: string): number {
  return rule.replaceAll("*", "").trim().length;
}

/** Whether the rule's words are the command's first words. */
function matches(rule: string, command: string): boolean {
  const pattern = rule
    .trim()
    .split(/\s+/)
    .map((word) => word.split("*").map(escapeRegExp).join(".*"))
    .join("\\s+");
  return compileOutside(`^${pattern}(?:\\s|$)`, "s").test(command);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** A rule that cannot be read forbids everything: guessing what it meant would open what it was to close. */
function refuseBroken(rule: string): void {
  const readable =
    rule.trim() !== "" && !/[\p{Cc}"'`\\]/u.test(rule) && (rule.match(/\*/g) ?? []).length <= 10;
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

function required(name: string, commands: readonly string[]): PithError {
  const rule = clip(name);
  return new PithError(
    "permission_required",
    `[permissions] does not allow without asking: ${commands.map(clip).join("; ")}`,
    {
      rule,
      suggestion: `Ask the user to add ${JSON.stringify(rule)} to [permissions] allow in their config.toml.`,
    },
  );
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
