// Enforces the house rules of scripts/imports.json: which rooms (folders of src/) a room may import, through which files, which
// packages it may use, which may read a file without a limit, how many files a folder may hold; and that no files import each
// other in a cycle, not even for types.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const root = resolve(import.meta.dirname, "..");
const source = join(root, "src");
const {
  rooms,
  doors,
  packages,
  bareReads,
  files: fileLimits,
} = readRules(join(root, "scripts/imports.json"));
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|(?:^|\n)\s*import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"/g;
const ENVIRONMENT = /\bprocess\.env\b/;
/** The functions of Node that read a whole file, whatever it is: a pipe blocks them, and a device fills the memory. */
const BARE_READ =
  /import \{[^}]*\breadFile(?:Sync)?\b[^}]*\} from "node:fs(?:\/promises)?"|\.readFile(?:Sync)?\(/;

const sources = new Map(
  readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${sep}fixtures${sep}`))
    .map((path) => [relative(source, path).split(sep).join("/"), importsOf(path)]),
);
const problems = [
  ...[...sources].flatMap(([file, facts]) => fileProblems(file, facts)),
  ...unusedDoors(),
  ...crowdedFolders(),
  ...cycles(),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

/** JSON.parse silently keeps the last of two equal keys; here that is an error. */
function readRules(path) {
  const text = readFileSync(path, "utf8");
  for (const section of text.split(/^ {2}"/m)) {
    const keys = [...section.matchAll(/^ {4}"([^"]+)":/gm)].map(([, key]) => key);
    const twice = keys.find((key, i) => keys.indexOf(key) !== i);
    if (twice !== undefined) throw new Error(`${path}: the key "${twice}" is there twice`);
  }
  return JSON.parse(text);
}

function importsOf(path) {
  const text = readFileSync(path, "utf8");
  const targets = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3]);
  const own = targets.filter((target) => target.startsWith("."));
  return {
    readsEnvironment: ENVIRONMENT.test(text),
    readsBare: BARE_READ.test(text),
    packages: targets.filter((target) => !target.startsWith(".")).map(packageName),
    files: own.map((target) =>
      relative(source, resolve(dirname(path), target))
        .split(sep)
        .join("/"),
    ),
  };
}

function packageName(target) {
  if (target.startsWith("node:")) return target.replace(/^node:fs\/promises$/, "node:fs");
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

function fileProblems(file, { readsEnvironment, readsBare, packages: used, files }) {
  const room = roomOf(file);
  const found = [
    ...(room in rooms ? [] : [`room "${room}" is not in scripts/imports.json`]),
    ...(readsEnvironment && room !== "config" ? ["only config/ reads process.env"] : []),
    ...(readsBare && !bareReads.includes(room) && !bareReads.includes(file)
      ? ["reads a file with readFile; use readSmallFile of kernel/files/small-file.ts"]
      : []),
    ...files.map((target) => roomProblem(room, target)),
    ...used.map((name) => packageProblem(room, name)),
  ];
  return found.filter((problem) => problem !== undefined).map((problem) => `src/${file}: ${problem}`);
}

function roomProblem(room, target) {
  if (target.startsWith(".."))
    return target === "../package.json" ? undefined : `imports ${target}, outside src`;
  const other = roomOf(target);
  if (other === room) return undefined;
  if (!rooms[room]?.includes(other)) return `${room}/ may not import ${other}/ (${target})`;
  const door = doors[other];
  return door === undefined || door.includes(target.slice(other.length + 1))
    ? undefined
    : `${target} is not a door of ${other}/: import one of its doors, or add it to scripts/imports.json`;
}

function packageProblem(room, name) {
  const allowed = packages[name];
  if (allowed === undefined)
    return name.startsWith("node:") ? undefined : `package ${name} is not in scripts/imports.json`;
  return allowed.includes(room) ? undefined : `${room}/ may not import ${name}`;
}

function unusedDoors() {
  const entered = new Set(
    [...sources].flatMap(([file, { files }]) => files.filter((target) => roomOf(target) !== roomOf(file))),
  );
  return Object.entries(doors).flatMap(([room, files]) =>
    files
      .filter((file) => !entered.has(`${room}/${file}`))
      .map((file) => `scripts/imports.json: ${room}/${file} is a door that nobody uses`),
  );
}

function crowdedFolders() {
  const sizes = new Map();
  for (const file of sources.keys()) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  return [...sizes]
    .filter(([folder, size]) => size > (fileLimits[folder] ?? fileLimits["*"]))
    .map(([folder, size]) => `src/${folder}: ${size} files are too many to find one; make rooms inside it`);
}

/** Depth-first search; a file that is met again while it is still being visited closes a cycle. */
function cycles() {
  const found = [];
  const state = new Map();
  const visit = (file, path) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push(
        `import cycle: ${[...path.slice(path.indexOf(file)), file].map((one) => `src/${one}`).join(" > ")}`,
      );
      return;
    }
    state.set(file, "open");
    for (const target of sources.get(file)?.files ?? []) visit(target, [...path, file]);
    state.set(file, "done");
  };
  for (const file of sources.keys()) visit(file, []);
  return found;
}

function roomOf(file) {
  return file.split("/")[0];
}
