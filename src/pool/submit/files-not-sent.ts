import { existsSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { Run, RunFindings } from "../../model/run.ts";
import { git } from "../../workspace/git/git-repository.ts";

/** Ways in which programs say that a file does not exist. */
const MISSING = [
  // Node: ENOENT: no such file or directory, open 'config/local.json'
  /\bENOENT\b[^'"]{0,200}['"]([^'"]+)['"]/,
  // Python: [Errno 2] No such file or directory: 'config/local.json'
  /no such file or directory: ['"]?([^'"\s]+)['"]?/i,
  // Rust: couldn't read `src/data.txt`: No such file or directory
  /couldn['’]t read [`'"]?([^`'":]+)[`'"]?: no such file/i,
  // Go: open config/local.json: no such file or directory
  /\b(?:open|stat|lstat) ([^\s:]+): no such file or directory/i,
  // Shells and compilers: cat: config/local.json: No such file or directory
  /(?:^|[\s:])([^\s:'"`]+): no such file or directory/i,
  // Node: Cannot find module './generated/client'
  /cannot find (?:module|file) ['"]([^'"]+)['"]/i,
  // sh: 1: cannot open config/local.env: No such file
  /(?:can['’]?t|cannot|could not) (?:open|read|load|find) (?:file )?['"`]?([^'"`\s:]+)/i,
] as const;
/** A module may be imported without the ending of its file. */
const ENDINGS = ["", ".js", ".ts", ".json", ".mjs", ".cjs"];
/** Longer lines are not searched. */
const MAX_LINE_CHARACTERS = 2_000;
const MAX_NAMED = 3;
/** Candidates beyond this number are not looked up. */
const MAX_CANDIDATES = 50;

/**
 * Finds files that a failed job did not find on its worker although they exist here, because git ignores them and they
 * were not sent. Paths are relative to the workspace.
 */
export async function filesNotSent(run: Pick<Run, "workspace" | "cwd" | "findings">): Promise<string[]> {
  const { workspace, cwd } = run;
  const named = new Set<string>();
  for (const text of textsOf(run.findings)) for (const path of missingIn(text)) named.add(path);
  const present = new Set<string>();
  for (const path of [...named].slice(0, MAX_CANDIDATES))
    for (const folder of isAbsolute(path) ? [""] : [cwd, workspace])
      for (const ending of ENDINGS) {
        const inside = relative(workspace, join(folder, path) + ending);
        const isInside = inside !== "" && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
        if (isInside && existsSync(join(workspace, inside))) present.add(inside);
      }
  if (present.size === 0) return [];
  const input = [...present].join("\0");
  const { exitCode, stdout } = await git(workspace, ["check-ignore", "-z", "--stdin"], { input });
  // The exit code is 1 if none is ignored, and larger outside of a repository.
  return exitCode === 0 ? stdout.toString("utf8").split("\0").filter(Boolean).slice(0, MAX_NAMED) : [];
}

/** Reads the paths that a text names as missing. */
export function missingIn(text: string): string[] {
  const paths: string[] = [];
  for (const line of text.split("\n"))
    for (const pattern of MISSING) {
      const [, path] = pattern.exec(line.slice(0, MAX_LINE_CHARACTERS)) ?? [];
      if (path !== undefined) paths.push(path);
    }
  return paths;
}

function textsOf(findings: RunFindings | undefined): string[] {
  if (findings === undefined) return [];
  const { diagnostics, tests, suspects, unclaimed } = findings;
  const lines = [suspects, ...Object.values(unclaimed).flatMap(({ first, last }) => [first, last])].flat();
  return [
    ...diagnostics.map(({ message }) => message),
    ...tests.flatMap(({ failures }) => failures.map(({ message }) => message)),
    ...lines.map(({ text }) => text),
  ];
}
