// Scores how often the definition of a name is the first result, compared with what ctags and the languages' own parsers find: node
// scripts/score-names.mjs FOLDER…, with --names N per folder, --seed N for other names, --missed N to print misses. The other programs
// make mistakes too, so some of their results are ignored: local names, `mod name;`, text between `<<~WORD` and its end in Ruby,
// Objective-C headers read as C. A line that they do not know counts as correct if it declares the name or assigns a function to it; and
// `ser/mod.rs` is the module `ser`.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
// The bundle is in dist/, next to the grammars.
const bundle = join(root, "dist", `.score-names-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/names/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }),
);
process.exit(status ?? 1);
