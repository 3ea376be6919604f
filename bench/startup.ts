/** Measures the time from spawn to the first tools/list answer, compared with an empty SDK server bundled the same way. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { report, sampleOf } from "./report/section.ts";

const ROUNDS = 25;
const WARM_UP = 3;
const root = join(import.meta.dirname, "..");

const EMPTY_SERVER = `
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
serveStdio(() => {
  const server = new Server({ name: "empty", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [] }));
  return server;
});
`;

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};

const folder = await mkdtemp(join(tmpdir(), "pith-bench-startup-"));
try {
  const empty = join(folder, "empty.mjs");
  await build({
    stdin: { contents: EMPTY_SERVER, resolveDir: root },
    outfile: empty,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minify: true,
    logLevel: "warning",
  });
  const times: Record<"empty" | "pith", number[]> = { empty: [], pith: [] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const [other, own] = [await coldStart([empty]), await coldStart([join(root, "dist/pith.js"), "serve"])];
    if (round < 0) continue;
    times.empty.push(other);
    times.pith.push(own);
  }
  report({
    title: "Start-up",
    about:
      "From the spawn of the process to the answer of the first `tools/list`: the built binary, and a server without tools made with the same SDK and bundled the same way.",
    figures: [
      {
        what: "cold start",
        unit: "ms",
        pith: sampleOf(times.pith),
        other: { name: "empty SDK server", sample: sampleOf(times.empty) },
        allowed: 2,
      },
    ],
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function coldStart(argv: readonly string[]): Promise<number> {
  // NODE_EXTRA_CA_CERTS alone adds 50 ms to a start of Node 20, so it is not passed on.
  const env = { PATH: process.env["PATH"], HOME: folder };
  const started = performance.now();
  const child = spawn(process.execPath, argv, { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write(
    `${JSON.stringify(INITIALIZE)}\n${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`,
  );
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })}\n`);
  let seen = "";
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes('"id":2')) resolve();
    });
  });
  const ms = performance.now() - started;
  child.kill("SIGKILL");
  return ms;
}
