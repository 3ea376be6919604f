// Packs pith.mcpb for this platform: the packed package with its dependencies, and a manifest for desktop clients. Usage: node
// scripts/pack-mcpb.mjs [OUTPUT [MCPB-PROGRAM]]; build first.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isForThisMachine, packRelease } from "./release.mjs";

const MCPB = "@anthropic-ai/mcpb@2.1.2";
const root = resolve(import.meta.dirname, "..");
const [output = join(root, "pith.mcpb"), program] = process.argv.slice(2);
const { name, version, description, license, engines } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

const entry = "node_modules/pith/dist/pith.js";
const manifest = {
  manifest_version: "0.3",
  name,
  display_name: "Pith",
  version,
  description,
  author: { name: "Pith" },
  license,
  server: {
    type: "node",
    entry_point: entry,
    mcp_config: {
      command: "node",
      args: [`\${__dirname}/${entry}`, "serve", "--workspace", "${user_config.workspace}"],
    },
  },
  user_config: {
    workspace: {
      type: "directory",
      title: "Workspace",
      description: "The folder with the code to work on",
      required: true,
    },
  },
  // ripgrep is a native program, so a bundle works on one platform only.
  compatibility: { platforms: [process.platform], runtimes: { node: engines.node } },
};

const stage = mkdtempSync(join(tmpdir(), "pith-mcpb-"));
try {
  const run = (file, args, cwd) =>
    execFileSync(file, args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  const tarballs = packRelease(stage, isForThisMachine);
  writeFileSync(join(stage, "package.json"), '{"private":true}\n');
  run("npm", ["install", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", ...tarballs], stage);
  for (const tarball of tarballs) rmSync(tarball);
  writeFileSync(join(stage, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const [file, ...before] = program === undefined ? ["npx", "-y", MCPB] : [program];
  run(file, [...before, "pack", stage, resolve(output)], stage);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
