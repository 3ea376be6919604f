// Runs the benchmarks of bench/: npm run bench -- startup grep. Without a name it runs all of them and writes the page; with --page it
// updates only the named ones in the page.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { basename, join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

const root = resolve(import.meta.dirname, "..");
const results = join(root, "bench/results.json");
const known = readdirSync(join(root, "bench"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"))
  .sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
const wanted = process.argv.slice(2).filter((argument) => argument !== "--page");
if (wanted.includes("--install-peers")) process.exit(installPeers());
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(", ")}; there are ${known.join(", ")}`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "pith-bench-out-"));
const sections = {};
let broken = false;
for (const name of wanted.length > 0 ? wanted : known) {
  console.log(`\n# ${name}`);
  const out = join(folder, `${name}.json`);
  const started = Date.now();
  const status = await run(join("bench", `${name}.ts`), name, { PITH_BENCH_OUT: out });
  broken ||= status !== 0;
  if (existsSync(out))
    sections[name] = {
      ...JSON.parse(readFileSync(out, "utf8")),
      seconds: Math.round((Date.now() - started) / 1000),
    };
}
rmSync(folder, { recursive: true });
if (wanted.length === 0 || process.argv.includes("--page")) {
  const earlier =
    wanted.length > 0 && existsSync(results) ? JSON.parse(readFileSync(results, "utf8")).sections : {};
  const all = { ...earlier, ...sections };
  const ordered = Object.fromEntries(known.filter((name) => name in all).map((name) => [name, all[name]]));
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    results,
    `${JSON.stringify({ machine: machine(), date, sections: ordered }, undefined, 2)}\n`,
  );
  await run("bench/report/page.ts", "page", {});
  console.log("\nwritten: docs/benchmarks.md, bench/results.json");
}
process.exit(broken ? 1 : 0);

/** Installs comparable tools, each in its own folder, because some are not available everywhere and their dependencies may conflict. */
function installPeers() {
  const peers = JSON.parse(readFileSync(join(root, "bench/report/peers.json"), "utf8"));
  for (const [name, peer] of Object.entries(peers)) {
    const folder = join(root, ".cache/peers", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"private":true}\n');
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", peer.package];
    const { status } = spawnSync("npm", args, { cwd: folder, stdio: "inherit" });
    console.log(
      `${peer.package}: ${status === 0 ? "installed" : "could not be installed; it will be named as missing"}`,
    );
  }
  return 0;
}

/** Orders the sections of the page, the most interesting first. */
function place(name) {
  const order = [
    "tool-list",
    "startup",
    "output",
    "diagnostics",
    "output-flood",
    "grep",
    "index",
    "semantic",
    "scaling",
    "prune",
  ];
  return order.includes(name) ? order.indexOf(name) : order.length;
}

async function run(entry, name, env) {
  // The bundle is in dist/, next to the worker and the grammars, and as deep as the sources, so that relative paths hold.
  const bundle = join(root, "dist", `.${name}.bundle.mjs`);
  const { status } = await withBundle(join(root, entry), bundle, (file) =>
    spawnSync(process.execPath, ["--expose-gc", file], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...env },
    }),
  );
  return status;
}

function machine() {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}
