// Plants mutations in repositories and measures where the suspects of red replies name them: node scripts/score-since-green.mjs CASES.json.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
// The bundle is in dist/, next to the program that it starts.
const bundle = join(root, "dist", `.score-since-green-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/since-green/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }),
);
process.exit(status ?? 1);
