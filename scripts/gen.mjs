// Writes the documentation pages that are generated from the code; with --check it only reports whether they are current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
const bundle = join(root, "node_modules/.cache/pith-gen.mjs");
const { pages } = await withBundle(
  join(root, "scripts/gen/pages.ts"),
  bundle,
  (file) => import(pathToFileURL(file).href),
);

const check = process.argv.includes("--check");
const stale = [];
for (const [name, content] of Object.entries(pages(root))) {
  const path = join(root, name);
  if (existsSync(path) && readFileSync(path, "utf8") === content) continue;
  stale.push(name);
  if (check) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
if (check && stale.length > 0) {
  console.error(`Not up to date, run npm run gen: ${stale.join(", ")}`);
  process.exit(1);
}
