import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";
import { INLINE, LINES, SECRET_FILES, seenIn } from "../support/secret-files.ts";
import { startUi } from "../support/ui.ts";

const MANY = { max_tokens: 9_000 };

function filesBelow(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = names.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [`file ${path.slice(folder.length)}`, readFileSync(path, "latin1")]));
}

it(
  "shows no kind of secret in any reply, log, stored record, page or event",
  { timeout: 180_000 },
  async () => {
    const workspace = makeFolder(SECRET_FILES);
    const dataFolder = makeFolder();
    const events: Record<string, unknown>[] = [];
    const client = await connect(workspace, {
      dataFolder,
      events,
      args: ["--toolsets", "code,run,files,jobs"],
    });
    const texts = new Map<string, string>();
    const ask = async (tool: string, args: Record<string, unknown>): Promise<string> => {
      const key = `${tool} ${JSON.stringify(args).slice(0, 120)}`;
      const progress: string[] = [];
      const onprogress = (said: unknown): void => void progress.push(JSON.stringify(said));
      const reply = await client.callTool({ name: tool, arguments: { ...MANY, ...args } }, { onprogress });
      texts.set(key, JSON.stringify(reply));
      texts.set(`progress of ${key}`, progress.join("\n"));
      return JSON.stringify(reply);
    };
    const pages = Array.from({ length: Math.ceil(LINES.length / 60) }, (_, page) => page * 60 + 1);
    const runs: string[] = [];
    for (const response_format of ["text", "json"]) {
      for (const start_line of pages)
        await ask("read", {
          file_path: "secrets.txt",
          start_line,
          end_line: start_line + 59,
          response_format,
        });
      for (const pattern of ["using", "[Tt]oken", "[Kk]ey", "//", "="])
        await ask("grep", { pattern, path: "secrets.txt", response_format });
      for (const tool of [
        "cat compiler.txt; exit 1",
        "cat tests.tap; exit 1",
        "cat secrets.txt >&2; exit 1",
      ]) {
        const reply = await ask("build", { action: "exec", tool, verbosity: "full", response_format });
        runs.push(/\br\d{6}\b/.exec(reply)?.[0] ?? "no run");
      }
      await ask("get_file_outline", { path: "code.py", response_format });
      await ask("search_code", {
        query: "function return",
        detail_level: "full",
        limit: 50,
        response_format,
      });
    }
    for (const runId of runs.slice(0, 3))
      for (const startLine of pages) await ask("build", { action: "log", runId, startLine, lineCount: 60 });
    await ask("bash", { command: "cat secrets.txt; sleep 1; cat compiler.txt; sleep 1" });
    // Commands and errors that themselves contain secrets.
    for (let from = 0; from < INLINE.length; from += 20) {
      const lines = INLINE.slice(from, from + 20).map(({ line }) => line);
      await ask("bash", {
        command: `: ${lines.map((line) => `'${line.replaceAll("'", "'\\''")}'`).join(" \\\n")}`,
      });
      // A path loses its double slashes before it is shown, so no shape with them can be found in it.
      await ask("read", { file_path: lines.find((line) => !line.includes("/")) ?? "" });
    }
    await ask("build", { action: "list" });
    await client.close();
    const env = serverEnvironment({ dataFolder });
    for (const argv of [
      ["parse", "report.xml"],
      ["parse", "tests.tap", "--json"],
      ["parse", "compiler.txt", "--json"],
      ["runs", "--limit", "100"],
      ["runs", "--json"],
      ["grep", "-o", "using.*", "secrets.txt"],
      ["stats"],
    ]) {
      const { stdout, stderr } = await pithInside(argv, workspace, env);
      texts.set(`pith ${argv.join(" ")}`, stdout + stderr);
    }
    const ui = await startUi(workspace, { dataFolder });
    try {
      const routes = [
        "runs",
        "history",
        "tokens",
        "calls",
        "code/source?path=code.py",
        "code/source?path=secrets.txt",
        "code/search?query=function",
      ];
      for (const route of [
        ...routes,
        ...runs
          .slice(0, 3)
          .flatMap((id) => [
            `run?id=${id}`,
            `log?id=${id}&start=1&count=500`,
            `log/search?id=${id}&grep=using`,
          ]),
      ]) {
        const response = await fetch(`${ui.origin}/ui/api/${route}`, {
          headers: { Authorization: `Bearer ${ui.token}` },
        });
        texts.set(`ui ${route} ${response.status}`, await response.text());
      }
    } finally {
      await ui.stop();
    }
    texts.set("events", JSON.stringify(events));
    expect([...seenIn(texts), ...seenIn(filesBelow(join(dataFolder, "data", "runs")))]).toEqual([]);
  },
);
