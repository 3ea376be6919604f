// Masks all text files of folders as a read of them would, and says how many lines are not as they were:
// node scripts/score-masking.mjs FOLDER…, with --lines to read each such line, --write FILE for the score as JSON,
// and --commits NAME=COMMIT,… for what the folders are copies of. A folder is named after its repository: owner+name.
// The score in test/quality/masking.json counts lines that hold a secret; whoever writes it anew reads every line first.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
const bundle = join(root, "node_modules/.cache", `score-masking-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/masking/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }),
);
process.exit(status ?? 1);
