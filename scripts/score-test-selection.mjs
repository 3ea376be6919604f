// Measures how often the tests of a change are chosen: node scripts/score-test-selection.mjs MATERIAL.json. test/quality/test-selection/main.ts explains the material.
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
const bundle = join(root, "dist", `.score-test-selection-${process.pid}.mjs`);
const { status } = await withBundle(join(root, "test/quality/test-selection/main.ts"), bundle, (file) =>
  spawnSync(
    process.execPath,
    [
      "--max-old-space-size=8000",
      file,
      process.argv[2] ?? "",
      join(root, "test/quality/test-selection.json"),
    ],
    { stdio: "inherit" },
  ),
);
process.exit(status ?? 1);
