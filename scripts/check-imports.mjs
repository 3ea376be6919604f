// Fails on an import that scripts/imports.json does not allow, by the rooms of ARCHITECTURE.md and the packages that only some rooms may
// use.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const root = resolve(import.meta.dirname, "..");
const source = join(root, "src");
const { rooms, packages } = JSON.parse(readFileSync(join(root, "scripts/imports.json"), "utf8"));
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|(?:^|\n)\s*import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/g;
const ENVIRONMENT = /\bprocess\.env\b/;

const problems = [];
for (const file of readdirSync(source, { recursive: true, withFileTypes: true })) {
  const path = join(file.parentPath, file.name);
  if (!file.isFile() || !path.endsWith(".ts") || path.includes(`${sep}fixtures${sep}`)) continue;
  checkFile(path, readFileSync(path, "utf8"));
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

function checkFile(path, text) {
  const room = roomOf(path);
  const name = relative(root, path);
  if (!(room in rooms)) problems.push(`${name}: room "${room}" is not in scripts/imports.json`);
  if (ENVIRONMENT.test(text) && room !== "config") problems.push(`${name}: only config/ reads process.env`);
  for (const match of text.matchAll(IMPORT)) {
    const target = match[1] ?? match[2] ?? match[3];
    const problem = target.startsWith(".") ? roomProblem(path, room, target) : packageProblem(room, target);
    if (problem) problems.push(`${name}: ${problem}`);
  }
}

function roomProblem(path, room, target) {
  const to = resolve(dirname(path), target);
  if (!to.startsWith(source + sep))
    return target.endsWith("package.json") ? undefined : `imports ${target} outside src`;
  const other = roomOf(to);
  return other === room || rooms[room]?.includes(other)
    ? undefined
    : `${room} may not import ${other} (${target})`;
}

function packageProblem(room, target) {
  const name = target.startsWith("@")
    ? target.split("/").slice(0, 2).join("/")
    : target.startsWith("node:")
      ? target
      : target.split("/")[0];
  const allowed = packages[name];
  if (allowed === undefined)
    return name.startsWith("node:") ? undefined : `package ${name} is not in scripts/imports.json`;
  return allowed.includes(room) ? undefined : `${room} may not import ${name}`;
}

function roomOf(path) {
  return relative(source, path).split(sep)[0];
}
