import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pith-shell-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  PITH_DATA_DIR: join(folder, "pith"),
  LANG: "C.UTF-8",
};

function shell(script: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [BINARY, "shell", "--", script], {
    cwd: folder,
    env,
    encoding: "latin1",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Wraps a command as Claude Code passes it to its shell. */
function wrapped(command: string): string {
  const quoted = `'${command.replaceAll("'", `'"'"'`)}'`;
  return `source ${folder}/none.sh 2>/dev/null || true && eval ${quoted} < /dev/null && pwd -P >| ${folder}/cwd`;
}

const print = (lines: string): string => `node -e 'for (let i = 1; i <= 400; i++) console.log(${lines})'`;

describe.skipIf(process.platform === "win32")("pith shell", () => {
  it.each([
    ["short output of any program", "node -e 'console.log(1); console.error(2); process.exit(3)'"],
    [
      "bytes that are no text, without a last newline",
      String.raw`node -e '' && printf '\377\000\r\n\033[1mx'`,
    ],
    ["a program that is missing", "no-such-program-here"],
    ["a syntax error", "echo 'open"],
    ["a program that a signal ends", "node -e 'process.kill(process.pid, 9)'"],
    ["long output that was asked for", "seq 1 20000"],
    ["the environment", "node -p 'Object.keys(process.env).length' >/dev/null; printenv CI NO_COLOR TERM"],
    ["an option as the script", "-x"],
    ["output of some length in which nothing is known", print('"row " + i')],
  ])("passes on %s", (_, script) => {
    const plain = spawnSync("bash", ["-c", script], { cwd: folder, env, encoding: "latin1" });
    const { stdout, stderr, status } = shell(script);
    // The client gives both streams the same file.
    expect(stdout + stderr).toBe(plain.stdout + plain.stderr);
    expect(status).toBe(plain.status ?? 128 + 9);
  });

  it("loses no output of a program that exits at once", () => {
    const { stdout, status } = shell(
      `${print('"row " + i')}; process.exit(5)'`.replace("'; process", "; process"),
    );
    expect(status).toBe(5);
    expect(stdout).toMatch(/^row 1\n[^]*\nrow 400\n$/);
  });

  it("shows the errors of a long build, keeps its exit code, and lets the client see the new folder", () => {
    const noise = print('"Compiling module number " + i + " of 400"');
    const error = `echo "src/shop.ts(3,7): error TS2322: Type string is not assignable to type number."`;
    const { stdout, status } = shell(wrapped(`cd / && ${noise} && ${error}; (exit 2)`));
    expect(status).toBe(2);
    expect(stdout).toMatch(/^FAIL/);
    expect(stdout).toContain("TS2322");
    expect(stdout.length).toBeLessThan(600);
    expect(shell(wrapped("cd / && node -e ''")).status).toBe(0);
    expect(readFileSync(join(folder, "cwd"), "utf8")).toBe("/\n");
  });

  it("shows the head and tail of long output without known diagnostics, and how to see the rest", () => {
    const { stdout, status } = shell(print('"row " + i + " " + "word ".repeat(20)'));
    expect(status).toBe(0);
    expect(stdout).toContain("row 1 ");
    expect(stdout).toContain("row 400 ");
    const [, run] = /pith logs (\w+) --lines \d+-/.exec(stdout) ?? [];
    const log = spawnSync(process.execPath, [BINARY, "logs", run ?? "", "--lines", "200-200"], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    expect(log.stdout).toContain("row 200 ");
  });

  it("runs the command even if Pith itself cannot work", () => {
    const broken = spawnSync(process.execPath, [BINARY, "shell", "--", "node -e 'console.log(7)'; exit 4"], {
      cwd: folder,
      env: { ...env, PITH_DATA_DIR: "/dev/null/x" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(broken).toMatchObject({ stdout: "7\n", status: 4 });
  });

  it("passes input to a hook, so that it can block", () => {
    const guard = `node -e '
      let asked = "";
      process.stdin.on("data", (chunk) => (asked += chunk)).on("end", () => {
        if (JSON.parse(asked).tool_input.command.includes("rm -rf")) { console.error("blocked"); process.exit(2); }
      });'`;
    const ask = (command: string) =>
      spawnSync(process.execPath, [BINARY, "shell", "--", guard], {
        cwd: folder,
        env,
        input: JSON.stringify({ tool_input: { command } }),
        encoding: "utf8",
      });
    expect(ask("rm -rf /")).toMatchObject({ status: 2, stderr: "blocked\n", stdout: "" });
    expect(ask("ls")).toMatchObject({ status: 0, stderr: "", stdout: "" });
  });

  it("keeps an MCP server connected that is started through it", async () => {
    const client = new Client({ name: "second", version: "1" });
    const server = `${process.execPath} ${BINARY} serve --toolsets files`;
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [BINARY, "shell", "--", server],
        cwd: folder,
        env,
      }),
    );
    // More output than the buffer holds.
    await writeFile(join(folder, "large.txt"), "a line of text\n".repeat(2_000));
    for (let call = 0; call < 3; call++) {
      const { content } = await client.callTool({
        name: "read",
        arguments: { file_path: "large.txt", max_tokens: 9_000 },
      });
      expect(JSON.stringify(content).length).toBeGreaterThan(10_000);
    }
    await client.close();
  });

  it("shows the output of a program that waits, and ends with it", { timeout: 30_000 }, async () => {
    const server = `node -e 'console.log("ready"); setInterval(() => {}, 1000)'`;
    const child = spawn(process.execPath, [BINARY, "shell", "--", server], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [first] = await once(child.stdout, "data");
    expect(String(first)).toBe("ready\n");
    child.kill("SIGTERM");
    const [code] = await once(child, "close");
    expect(code).toBe(143);
  });
});
