// Masks all text files of folders as a read would, and reports how many lines change: node scripts/score-masking.mjs FOLDER…, with --lines
// to print each changed line, --write FILE for the score as JSON, and --commits NAME=COMMIT,… for the origin of the folders. A folder is
// named after its repository: owner+name. The score in test/quality/masking.json counts lines that hold a secret, so every changed line
// must be reviewed before it is rewritten.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
const bundle = join(root, "node_modules/.cache", `score-masking-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/masking/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }),
);
process.exit(status ?? 1);
