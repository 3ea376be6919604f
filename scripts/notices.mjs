// Writes the licences of all third-party content of dist/: bundled packages, grammars, the SQLite binding.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const RULE = `\n${"-".repeat(80)}\n\n`;
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/**
 * @param {Iterable<string>} files paths of files whose content went into dist/, relative to the project or absolute
 * @param {string} target the file to write
 */
export function writeNotices(files, target) {
  const homes = new Set([...files].map(packageHome).filter((home) => home !== undefined));
  const notices = [...homes].map(noticeOf).sort((a, b) => a.name.localeCompare(b.name));
  const head = `Pith contains these packages. Their licences follow.\n\n${notices.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join("\n")}\n\nThe SQLite binding contains SQLite, which is in the public domain.\n`;
  writeFileSync(target, [head, ...notices.map(({ text }) => text)].join(RULE));
}

/** Returns the folder of the package that a file belongs to; undefined for a file of this project. */
function packageHome(file) {
  const path = resolve(root, file);
  const at = path.lastIndexOf("node_modules/");
  if (at < 0) return undefined;
  const [scope, name] = path.slice(at + "node_modules/".length).split("/");
  return join(path.slice(0, at), "node_modules", scope.startsWith("@") ? join(scope, name) : scope);
}

function noticeOf(home) {
  const { name, version, license: licence } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const texts = licenceTexts(home, name);
  // A package without a licence must not be shipped, so the build fails.
  if (typeof licence !== "string" || texts.length === 0)
    throw new Error(`${name} ${version} in ${home} names no licence or has no licence text`);
  return { name, version, licence, text: [`${name} ${version}`, ...texts].join("\n\n") + "\n" };
}

/**
 * Returns the licence texts of a package. If a package does not contain its licence, the copy in scripts/licences/ or the licence
 * section of its README is used.
 */
function licenceTexts(home, name) {
  const copy = join(root, "scripts/licences", `${name}.txt`);
  if (existsSync(copy)) return [readFileSync(copy, "utf8").trim()];
  const names = readdirSync(home).sort();
  const read = (name) => readFileSync(join(home, name), "utf8").trim();
  const files = names.filter((name) => LICENCE_FILE.test(name));
  if (files.length > 0) return files.map(read);
  const sections = names
    .filter((name) => /^readme/i.test(name))
    .map((name) => /^#+ *licen[cs]e *\n+([\s\S]+?)(?=\n#|$(?![\s\S]))/im.exec(read(name))?.[1]?.trim());
  return sections.filter((section) => section !== undefined);
}
