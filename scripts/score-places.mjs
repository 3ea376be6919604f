// Scores how often the place that a search shows for the right file is the function that answers the question: node scripts/score-places.mjs
// FOLDER, with the checkouts of the repositories that test/quality/places/questions/ names in FOLDER, each in a folder of its own name at the
// commit in the head line; --only a,b for some of them, --missed to print what is not right.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
// The bundle is in dist/, next to the grammars.
const bundle = join(root, "dist", `.score-places-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/places/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }),
);
process.exit(status ?? 1);
