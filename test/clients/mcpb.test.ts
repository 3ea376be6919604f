import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { installTools } from "../support/node-tools.ts";

const root = join(import.meta.dirname, "../..");
const mcpb = installTools("mcpb", ["@anthropic-ai/mcpb@2.1.2"], { anyNode: true });

describe.skipIf(mcpb === undefined)("the desktop bundle", () => {
  it("packs, is valid, and its server is this version and works", async () => {
    const folder = makeFolder();
    const bundle = join(folder, "pith.mcpb");
    const script = join(root, "scripts/pack-mcpb.mjs");
    const packed = await mcpb?.runFile(process.execPath, [script, bundle, mcpb.path("mcpb")], { cwd: root });
    expect(packed).toMatchObject({ status: 0 });
    const out = join(folder, "out");
    expect(await mcpb?.run("mcpb", ["unpack", bundle, out])).toMatchObject({ status: 0 });
    expect(await mcpb?.run("mcpb", ["validate", join(out, "manifest.json")])).toMatchObject({ status: 0 });
    const manifest = JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(manifest.version).toBe(version);
    const doctor = await mcpb?.runFile(process.execPath, [join(out, manifest.server.entry_point), "doctor"], {
      cwd: folder,
      env: serverEnvironment(),
    });
    expect(doctor?.output).toContain("All is well");
  });
});
