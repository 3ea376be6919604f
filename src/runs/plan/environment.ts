import { delimiter, dirname, join } from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The only variables that Pith adds to the user's own, because nobody is there to page through output or to answer
 * questions. A command's result must not depend on Pith: colours, CI detection, the terminal and buffering stay as the
 * user set them, and escape sequences are stripped only when replies are written.
 */
export const RUN_VARIABLES: Readonly<Record<string, { readonly value: string; readonly why: string }>> = {
  PAGER: { value: "cat", why: "a pager would wait for a key" },
  GIT_PAGER: { value: "cat", why: "the same for git, which asks this one first" },
  GIT_TERMINAL_PROMPT: { value: "0", why: "git fails where it would ask for a password" },
  GCM_INTERACTIVE: { value: "never", why: "git's credential manager opens no window" },
};

/**
 * Variables with Pith's own credentials. A command gets one only if a pattern of the user's settings names it exactly:
 * with access to the team's database, a build script of any repository could run commands on every worker.
 */
export const CREDENTIALS: readonly string[] = [
  "PITH_STORE",
  "PITH_SERVER_STORE",
  "PITH_SERVER_HTTP_TOKEN",
  "PITH_EMBEDDINGS_API_KEY",
  "PITH_SEARCH_SEMANTIC_API_KEY",
  "PITH_RUNS_ENV",
  "PITH_STORE_ACCESS_KEY",
  "PITH_STORE_SECRET_KEY",
  "PITH_STORE_SESSION_TOKEN",
];

export interface EnvironmentPlan {
  /** The environment variables of the Pith process. */
  readonly base: Variables;
  /** Patterns of the variables that are passed on; `*` matches anything, `!NAME` excludes, and the last match wins. */
  readonly pass: readonly string[];
  readonly cwd: string;
  /** The topmost folder in which the project's own programs (such as node_modules/.bin) are looked for. */
  readonly root: string;
  /** The variables that the user's setting `[runs] env` adds. */
  readonly configured?: Readonly<Record<string, string>>;
  /** The variables that the caller passes with the command, which override all others. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** Builds the environment variables of a command. */
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
 * The folders of a project's own programs, such as `node_modules/.bin`. They are appended to the PATH: programs that
 * the user's shell finds take precedence, and `tsc` works where a terminal would need `npx tsc`.
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
