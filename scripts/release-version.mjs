// Called by `npm version` before its commit: writes the new version into every file that names it, and gives the changelog's
// unreleased lines a section of their own.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(import.meta.dirname, "..");

/** The files besides package.json that name the version; a test finds any that is missing here. */
export const VERSION_FILES = [
  ".claude-plugin/marketplace.json",
  "deploy/compose.yaml",
  "gemini-extension.json",
  "plugin/.claude-plugin/plugin.json",
  "plugin/.codex-plugin/plugin.json",
  "plugin/.cursor-plugin/plugin.json",
  "plugin/mcp.json",
  "plugin/plugin.json",
  "server.json",
];
const UNRELEASED = "## Unreleased\n";

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of VERSION_FILES) edit(name, (text) => withVersion(text, version));
  edit("CHANGELOG.md", (text) => withSection(text, version, new Date().toISOString().slice(0, 10)));
  execFileSync("git", ["add", "CHANGELOG.md", ...VERSION_FILES], { cwd: root });
}

/** Replaces the version of `"version": "…"` and of `pith@…`. */
export function withVersion(text, version) {
  return text.replaceAll(/("version": "|\bpith@)\d+\.\d+\.\d+(?:-[\w.]+)?/g, `$1${version}`);
}

/** Moves the unreleased lines of a changelog into the section of a version. */
export function withSection(changelog, version, date) {
  if (unreleasedLines(changelog) === "")
    throw new Error("CHANGELOG.md has no unreleased lines: add what users should know");
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date})\n`);
}

/** Returns the lines of a version's section, or an empty text. */
export function sectionOf(changelog, version) {
  const sections = changelog.split(/^## /m);
  const own = sections.find((section) => section.split(/[\s(]/, 1)[0] === version) ?? "";
  return own.slice(own.indexOf("\n") + 1).trim();
}

export function unreleasedLines(changelog) {
  return sectionOf(changelog, "Unreleased");
}

function edit(name, change) {
  const path = join(root, name);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}
