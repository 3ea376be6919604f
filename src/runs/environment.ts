import { delimiter, dirname, join } from "node:path";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What every command gets, unless the caller says otherwise: nobody is there to page, to be asked or to see colours.
 * Credentials, proxies, agents and registries are left as they are.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  CI: "true",
  NO_COLOR: "1",
  TERM: "dumb",
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  GH_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  BAT_PAGER: "cat",
  AWS_PAGER: "",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  PIP_NO_INPUT: "1",
  DEBIAN_FRONTEND: "noninteractive",
  COMPOSER_NO_INTERACTION: "1",
  npm_config_progress: "false",
  CARGO_TERM_PROGRESS_WHEN: "never",
  // Python holds back what it prints into a pipe: the order between the streams would be lost.
  PYTHONUNBUFFERED: "1",
};

/** These would overrule NO_COLOR. */
const DROPPED: readonly string[] = ["FORCE_COLOR", "CLICOLOR_FORCE", "COLORTERM"];

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
];

export interface EnvironmentPlan {
  /** The environment of this process. */
  readonly base: Variables;
  /** Which of it passes: names with `*`, `!NAME` takes away again; the last that fits counts. */
  readonly pass: readonly string[];
  readonly cwd: string;
  /** Where the search for the project's own programs ends. */
  readonly root: string;
  /** The caller's own. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** The environment a command runs in. */
export function commandEnvironment(plan: EnvironmentPlan): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(plan.base))
    if (value !== undefined && passes(name, plan.pass) && !DROPPED.includes(name) && !isKept(name, plan.pass))
      environment[name] = value;
  Object.assign(environment, SETTINGS, plan.extra);
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
