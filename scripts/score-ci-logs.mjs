// Scores what `pith parse` says about public CI logs whose fix is known: node scripts/score-ci-logs.mjs FOLDER, where FOLDER has one folder
// per failure (owner-name-id) with failing.log, patch.diff and, if there is one, passing.log, as in the public repository
// tdurieux/BugSwarm-dissection. `--owners a-m` restricts it to owners with these first letters, `--half read` to one half of the
// projects, `--write FILE` writes the score, and `--missed` lists what was missed in the half that developers may read.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
const bundle = join(root, "node_modules/.cache", `score-ci-logs-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/ci-logs/main.ts"), bundle, (file) =>
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }),
);
process.exit(status ?? 1);
