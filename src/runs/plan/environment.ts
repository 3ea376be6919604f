import { delimiter, dirname, join } from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The only variables that a command gets beside the user's own, because nobody is there to page or to answer a question.
 * A command's result must not depend on Pith: colours, CI detection, the terminal and buffering stay as the user has them,
 * and replies are freed of escapes when they are read.
 */
export const RUN_VARIABLES: Readonly<Record<string, { readonly value: string; readonly why: string }>> = {
  PAGER: { value: "cat", why: "a pager would wait for a key" },
  GIT_PAGER: { value: "cat", why: "the same for git, which asks this one first" },
  GIT_TERMINAL_PROMPT: { value: "0", why: "git fails where it would ask for a password" },
  GCM_INTERACTIVE: { value: "never", why: "git's credential manager opens no window" },
};

/**
 * Pith's own credentials. A build script of whatever repository must not find the way to the team's database, which is the
 * right to run commands on every worker; a rule that names one lets it through.
 */
export const CREDENTIALS: readonly string[] = [
  "PITH_STORE",
  "PITH_SERVER_STORE",
  "PITH_SERVER_HTTP_TOKEN",
  "PITH_EMBEDDINGS_API_KEY",
  "PITH_SEARCH_SEMANTIC_API_KEY",
  "PITH_RUNS_ENV",
];

export interface EnvironmentPlan {
  /** The environment of this process. */
  readonly base: Variables;
  /** Which of it passes: names with `*`, `!NAME` takes away again; the last that fits counts. */
  readonly pass: readonly string[];
  readonly cwd: string;
  /** Where the search for the project's own programs ends. */
  readonly root: string;
  /** The user's `[runs] env`. */
  readonly configured?: Readonly<Record<string, string>>;
  /** The caller's own, which wins. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** The environment a command runs in. */
export function commandEnvironment(plan: EnvironmentPlan): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(plan.base))
    if (value !== undefined && passes(name, plan.pass) && !isKept(name, plan.pass)) environment[name] = value;
  for (const [name, { value }] of Object.entries(RUN_VARIABLES)) environment[name] = value;
  Object.assign(environment, plan.configured, plan.extra);
  const pathName = Object.keys(environment).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  environment[pathName] = [environment[pathName], ...projectPrograms(plan.cwd, plan.root)]
    .filter(Boolean)
    .join(delimiter);
  return environment;
}

/**
 * Where a project keeps its own programs, behind the user's PATH: what the user's shell would find stays what runs,
 * and `tsc` alone works where a terminal would need `npx tsc`.
 */
function projectPrograms(cwd: string, root: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(
      join(folder, "node_modules", ".bin"),
      join(folder, ".venv", "bin"),
      join(folder, "vendor", "bin"),
    );
    if (folder === root || dirname(folder) === folder) return folders;
  }
}

function isKept(name: string, rules: readonly string[]): boolean {
  return CREDENTIALS.includes(name) && !rules.includes(name);
}

function passes(name: string, rules: readonly string[]): boolean {
  let pass = false;
  for (const rule of rules) {
    const taken = rule.startsWith("!");
    if (fits(name, taken ? rule.slice(1) : rule)) pass = !taken;
  }
  return pass;
}

function fits(name: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const [first = "", ...rest] = parts;
  if (rest.length === 0) return name === first;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}
