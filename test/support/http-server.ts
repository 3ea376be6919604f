import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { BINARY, serverEnvironment } from "./client.ts";

/** Starts the built binary on a free port and returns its URL. */
export async function startHttpServer(
  workspace: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<string> {
  const child = spawn(process.execPath, [BINARY, "serve", "--http", "0", ...args], {
    cwd: workspace,
    env: serverEnvironment({ env }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  return new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said);
      if (url !== null) resolve(url[0]);
    });
    child.on("close", () => reject(new Error(`the server ended: ${said}`)));
  });
}
