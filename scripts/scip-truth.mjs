// Writes the sources and the truth (see test/quality/uses/truth.ts) of scip snapshots, in which comments below each line name its definitions and
// references: node scripts/scip-truth.mjs SNAPSHOTS SOURCES TRUTH.json
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [snapshots, sources, truth] = process.argv.slice(2);
const NOTE = /^(?:#|\/\/|--) *(?:\^+|⌄+) (definition|reference)\S* (.*)$/u;
const symbols = new Map();
const references = [];
const ignored = [];
const files = [];

for (const entry of readdirSync(snapshots, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(?:rb|cs|php|java|kt)$/u.test(entry.name)) continue;
  const full = join(entry.parentPath, entry.name);
  // Each snapshot is a program of its own, as is each folder below one of several files.
  const below = full.slice(snapshots.length).replace(/^\//u, "").replace(".snapshot.", ".");
  const path = below.includes("/") ? below : `${below.replace(/\.\w+$/u, "")}/${below}`;
  files.push(path);
  const text = [];
  for (const line of readFileSync(full, "utf8").split("\n")) {
    const note = NOTE.exec(line);
    if (note === null) {
      // A note about the symbol above, such as its documentation, is no line of the source.
      if (!/^(?:#|\/\/)\s*(?:\^+|⌄+|documentation|relation|\|)/u.test(line))
        text.push(line.slice(/^ {2}\S|^ /u.test(line) ? indent(line, full) : 0));
      continue;
    }
    const symbol = typeOf(note[2].trim());
    const at = { path, line: text.length, key: `${programOf(path)} ${symbol}` };
    if (note[1] === "reference") references.push(at);
    // The snapshots call a superclass and a reopened class a definition, too.
    else if (symbols.has(at.key)) ignored.push(`${path}:${at.line} ${symbols.get(at.key).name}`);
    else if (symbol === note[2].trim() && nameOf(symbol) !== undefined)
      symbols.set(at.key, { path, line: at.line, ...nameOf(symbol), uses: new Set() });
  }
  mkdirSync(dirname(join(sources, path)), { recursive: true });
  writeFileSync(join(sources, path), text.join("\n"));
}
for (const { path, line, key } of references) symbols.get(key)?.uses.add(`${path}:${line}`);
const all = [...symbols.values()].map((one) => ({ ...one, uses: [...one.uses] }));
const programs = [...new Set(files.map(programOf))];
writeFileSync(truth, JSON.stringify({ symbols: all, files, ignored, programs }));
console.log(`${files.length} files, ${all.length} symbols, ${references.length} references`);

/** A constructor is a use of its type. */
function typeOf(symbol) {
  return symbol.replace(/`\.ctor`\([^)]*\)\.$/u, "");
}

/** The snapshots put two spaces before each line of the source in C# and PHP, and one in Ruby. */
function indent(line, path) {
  return path.endsWith(".rb") ? 1 : 2;
}

/** Returns the name of a symbol such as `… Main/Store#Put().`; undefined for local variables, parameters and namespaces. */
function nameOf(symbol) {
  const parts = [
    ...symbol.replace(/^.*\s/u, "").matchAll(/(`[^`]+`|[\p{ID_Continue}$]+[?!]?)(\(\+?\d*\)\.|[#./[])/gu),
  ];
  const last = parts.at(-1);
  if (
    symbol.startsWith("local") ||
    last === undefined ||
    last[2] === "/" ||
    last[2] === "[" ||
    symbol.endsWith(")")
  )
    return undefined;
  const owner = parts.at(-2)?.[2] === "#" ? parts.at(-2)[1] : undefined;
  const name = last[1].replaceAll("`", "").replace(/^\./u, "");
  if (/[^\p{ID_Continue}$?!]/u.test(name)) return undefined;
  return {
    name: owner === undefined ? name : `${owner.replaceAll("`", "")}.${name}`,
    isMember: owner !== undefined,
  };
}

function programOf(path) {
  const parts = path.split("/");
  return parts.slice(0, parts.length > 2 ? 2 : 1).join("/");
}
