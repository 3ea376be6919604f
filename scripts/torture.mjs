// Tries to break the built server: npm run torture -- --seconds 600 --seed 7. Builds the server first if it is missing.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
if (!existsSync(join(root, "dist/pith.js")))
  spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { stdio: "inherit" });
// The bundle is next to the server, which it finds by relative path; its name contains the process id, so that two can run at once.
const bundle = join(root, "dist", `.torture-${process.pid}.mjs`);
process.exitCode = await withBundle(join(root, "test/torture/main.ts"), bundle, async (file) => {
  const child = spawn(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" });
  return new Promise((done) => child.on("close", (code) => done(code ?? 1)));
});
