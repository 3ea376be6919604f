// Scores how often the definition of a name comes first, against what ctags and the languages' own parsers find:
// node scripts/score-names.mjs FOLDER…, with --names N a folder, --seed N for other names, --missed N to read misses.
// The other programs err as well. What they take for a definition and is none is left out: local names, `mod name;`, text
// between `<<~WORD` and its end in Ruby, Objective-C headers read as C. A line that they know nothing of is an answer
// where it declares the name in so many words, or assigns a function to it; and `ser/mod.rs` is the module `ser`.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
// In dist/, where the grammars are.
const bundle = join(root, "dist", `.score-names-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/names/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }),
);
process.exit(status ?? 1);
