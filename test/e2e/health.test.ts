import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/storage/sqlite/driver.ts";
import {
  BINARY,
  call,
  connect as connectBinary,
  serverEnvironment,
  type ServerOptions,
} from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { temporaryFolder } from "../support/git-folder.ts";
import { connect } from "../support/inside.ts";

const TOOLSETS = ["--toolsets", "code,index"];
const LONG_MS = 120_000;

interface Project {
  readonly index_status: string;
  readonly freshness_status: string;
  readonly schema_status: string;
  readonly file_count: number;
  readonly pending_files: number;
}

interface Health {
  readonly status: string;
  readonly sqlite_ok: boolean;
  readonly prewarm_status: string;
  readonly interrupted_recovery_report: { readonly interrupted_jobs: number } | null;
  readonly workspace_warmset: { readonly members: readonly string[] };
  readonly startup_checks: { readonly index: { readonly status: string; readonly message?: string } };
  readonly projects: readonly Project[];
}

async function health(client: Client, args: Record<string, unknown> = {}): Promise<Health> {
  return JSON.parse(await call(client, "health_check", { ...args, response_format: "json" })) as Health;
}

/** Starts the built server, which loads its index ahead of the first question. */
function serve(root: string, options: ServerOptions): Promise<Client> {
  return connectBinary(root, { ...options, args: TOOLSETS });
}

function filesOf(count: number): Record<string, string> {
  const body = Array.from({ length: 20 }, (_, i) => `def f_${i}(a):\n    return a + ${i}\n`).join("\n");
  const files = Array.from({ length: count }, (_, i) => [
    `pkg${i % 20}/m${i}.py`,
    `class Thing${i}:\n    pass\n${body}`,
  ]);
  return Object.fromEntries(files);
}

describe("health_check and index_status with an unusable store", () => {
  const workspace = temporaryFolder(filesOf(120));
  let whole = "";

  beforeAll(async () => {
    const dataFolder = join(workspace.root, "..", `pith-health-${process.pid}`);
    mkdirSync(dataFolder, { recursive: true });
    execFileSync(process.execPath, [BINARY, "index"], {
      cwd: workspace.root,
      env: serverEnvironment({ dataFolder }),
    });
    whole = join(dataFolder, "data", "index.db");
    return () => {
      workspace.dispose();
      rmSync(dataFolder, { recursive: true, force: true });
    };
  }, LONG_MS);

  /** A data folder with a copy of the index. */
  function copied(): { dataFolder: string; database: string } {
    const dataFolder = makeFolder();
    mkdirSync(join(dataFolder, "data"));
    const database = join(dataFolder, "data", "index.db");
    copyFileSync(whole, database);
    return { dataFolder, database };
  }

  function spoil(path: string, from: number, to: number): void {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, from, Math.min(to, bytes.length)));
  }

  const PAGE = 4_096;
  const DAMAGES: Record<string, { damage: (path: string) => Promise<void> | void; expected: string }> = {
    "another header": { damage: (path) => spoil(path, 0, 100), expected: "corrupt_manifest" },
    "no content": { damage: (path) => truncateSync(path, 0), expected: "not_indexed" },
    "a part cut off": { damage: (path) => truncateSync(path, 10 * PAGE), expected: "corrupt_manifest" },
    "half of the pages damaged, in the middle": {
      damage: (path) => {
        const quarter = Math.floor(readFileSync(path).length / PAGE / 4);
        spoil(path, quarter * PAGE, 3 * quarter * PAGE);
      },
      expected: "corrupt_manifest",
    },
    "all pages but the first damaged": {
      damage: (path) => spoil(path, PAGE, Number.MAX_SAFE_INTEGER),
      expected: "corrupt_manifest",
    },
    "a newer schema": {
      damage: async (path) => {
        const database = await openDatabase(path);
        database.exec("PRAGMA user_version = 99");
        database.close();
      },
      expected: "reindex_required",
    },
    "another database": {
      damage: async (path) => {
        rmSync(path);
        const database = await openDatabase(path);
        database.exec("CREATE TABLE other (x); PRAGMA user_version = 2");
        database.close();
      },
      expected: "corrupt_manifest",
    },
    "a folder in its place": {
      damage: (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      expected: "corrupt_manifest",
    },
    "nothing in its place": { damage: (path) => rmSync(path), expected: "not_indexed" },
  };

  it.each(Object.entries(DAMAGES))(
    "%s",
    async (_name, { damage, expected }) => {
      const { dataFolder, database } = copied();
      await damage(database);
      const env = { PITH_INDEX_TIME_BUDGET_MS: "1" };
      const client = await connect(workspace.root, { dataFolder, args: TOOLSETS, env });
      const status = JSON.parse(await call(client, "index_status", { response_format: "json" })) as Health &
        Project;
      expect(status.startup_checks.index.status).toBe(expected);
      expect(status.schema_status).toBe(expected);
      const found = await health(client);
      const isBroken = expected !== "not_indexed";
      expect(found.status).toBe(isBroken ? "error" : "indexing");
      expect(found.sqlite_ok).toBe(!isBroken);
      expect(found.startup_checks.index.status).toBe(expected);
      if (!isBroken) return;
      expect(found.projects).toMatchObject([
        { index_status: "failed", schema_status: expected, file_count: 0 },
      ]);
      expect(found.startup_checks.index.message).toMatch(/pith index --force|newer Pith/);
      expect(await call(client, "health_check")).toMatch(/^error: .*\nFAILED index store: .*index\.db/);
      expect(await call(client, "index_status")).toMatch(new RegExp(`^failed, ${expected}: .*index\\.db`));
      // Searches report the same error, and a forced rebuild repairs the store.
      expect(await call(client, "search_code", { query: "Thing7" })).toContain("index_incompatible");
      const rebuilt = await call(client, "index_repository", { force_reindex: true });
      // An index that a newer Pith has written is not damaged, and its owner still needs it.
      if (expected === "reindex_required") expect(rebuilt).toContain("was written by a newer Pith");
      else expect(await health(client)).toMatchObject({ status: "ready", sqlite_ok: true });
    },
    LONG_MS,
  );

  it.runIf(process.platform === "linux" && process.getuid?.() === 0)(
    "report a file without read permission",
    async () => {
      const { dataFolder, database } = copied();
      chmodSync(database, 0o000);
      const ask = [
        {
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: {
            protocolVersion: "2025-06-18",
            capabilities: {},
            clientInfo: { name: "t", version: "1" },
          },
        },
        { jsonrpc: "2.0", method: "notifications/initialized" },
        {
          jsonrpc: "2.0",
          id: 2,
          method: "tools/call",
          params: { name: "health_check", arguments: { response_format: "json" } },
        },
      ];
      // Root can read every file, so the server runs without the capabilities of root.
      const args = ["--bounding-set=-all", "--inh-caps=-all", "--securebits=+noroot,+noroot_locked"];
      const server = spawn("setpriv", [...args, process.execPath, BINARY, "serve", ...TOOLSETS], {
        cwd: workspace.root,
        env: serverEnvironment({ dataFolder }),
        stdio: ["pipe", "pipe", "ignore"],
      });
      onTestFinished(() => void server.kill("SIGKILL"));
      server.stdin.write(ask.map((message) => `${JSON.stringify(message)}\n`).join(""));
      let reply = "{}";
      for await (const line of createInterface({ input: server.stdout }))
        if (line.includes('"id":2')) {
          reply = line;
          break;
        }
      const { result } = JSON.parse(reply) as { result: { content: [{ text: string }]; isError?: boolean } };
      expect(result.isError).toBeUndefined();
      const found = JSON.parse(result.content[0].text) as Health;
      expect(found).toMatchObject({ status: "error", sqlite_ok: false });
      expect(found.startup_checks.index).toMatchObject({
        status: "corrupt_manifest",
        message: expect.stringMatching(/index\.db cannot be read: permission denied\. .*pith index --force/),
      });
    },
    LONG_MS,
  );
});

describe("health_check reports ready only after all files are indexed", () => {
  it(
    "for a folder that was never indexed, and for one with many changes",
    async () => {
      const root = makeFolder(filesOf(400));
      const dataFolder = makeFolder();
      const client = await serve(root, { dataFolder, env: { PITH_INDEX_TIME_BUDGET_MS: "1" } });
      for (;;) {
        const found = await health(client);
        const [project] = found.projects;
        if (found.status === "ready") {
          expect(project).toMatchObject({
            index_status: "ready",
            freshness_status: "fresh",
            file_count: 400,
          });
          expect(found).toMatchObject({
            prewarm_status: "complete",
            startup_checks: { index: { status: "compatible" } },
          });
          break;
        }
        expect(found.status).toBe(found.prewarm_status === "complete" ? "indexing" : "warming");
        await delay(5);
      }
      for (const [path, text] of Object.entries(filesOf(200)))
        writeFileSync(join(root, path), `${text}# more\n`);
      const seen = new Set<string>();
      for (let pending = 1; pending > 0;) {
        const found = await health(client);
        pending = found.projects[0]?.pending_files ?? 0;
        seen.add(found.status);
        if (found.status === "ready")
          expect(found.projects[0]).toMatchObject({ freshness_status: "fresh", pending_files: 0 });
        else expect(found.status).toBe("indexing");
      }
      expect(seen).toContain("indexing");
    },
    LONG_MS,
  );

  it(
    "and reports an error before warming, for a damaged store that is being loaded",
    async () => {
      const dataFolder = makeFolder();
      mkdirSync(join(dataFolder, "data"));
      writeFileSync(join(dataFolder, "data", "index.db"), "no database ".repeat(1_000));
      const client = await serve(makeFolder({ "a.py": "x = 1\n" }), { dataFolder });
      expect(await health(client)).toMatchObject({ status: "error" });
    },
    LONG_MS,
  );
});

describe("an indexing job that was interrupted", () => {
  it.each(["the client goes", "the server is killed"])(
    "is reported once and resumed: %s",
    async (how) => {
      const root = makeFolder(filesOf(600));
      const dataFolder = makeFolder();
      const first = await serve(root, { dataFolder, env: { PITH_INDEX_WORKERS: "1" } });
      for (;;) {
        const { projects } = await health(first);
        if ((projects[0]?.file_count ?? 0) > 0) break;
        await delay(5);
      }
      const { transport } = first;
      const pid = transport !== undefined && "pid" in transport ? Number(transport.pid) : 0;
      if (how === "the server is killed") process.kill(pid, "SIGKILL");
      await first.close();

      const second = await serve(root, { dataFolder });
      const found = await health(second);
      expect(found.interrupted_recovery_report).toMatchObject({ interrupted_jobs: 1 });
      expect(["indexing", "warming"]).toContain(found.status);
      expect(found.projects).toMatchObject([{ index_status: "indexing" }]);
      for (;;) {
        const later = await health(second);
        expect(later.interrupted_recovery_report).toBeNull();
        if (later.status === "ready") break;
        await delay(20);
        expect(later.projects[0]?.index_status).not.toMatch(/failed|not_indexed/);
      }
      expect(await call(second, "locate_symbol", { name: "Thing599" })).toContain("pkg19/m599.py:1");
    },
    LONG_MS,
  );
});

describe("recently used workspaces", () => {
  it(
    "are known after a restart, and starting alone writes nothing to the store",
    async () => {
      const roots = [1, 2, 3, 4].map((i) => makeFolder({ [`f${i}.py`]: `def only_${i}():\n    pass\n` }));
      const dataFolder = makeFolder();
      const env = { PITH_SERVER_ROOTS: roots.join(",") };
      const home = roots[0] ?? "";
      const first = await serve(home, { dataFolder, env });
      for (const root of [roots[3], roots[1], roots[2]])
        await call(first, "search_code", { query: "only", workspace: root });
      expect((await health(first)).workspace_warmset.members).toEqual([home, roots[2], roots[1]]);
      await first.close();

      const database = join(dataFolder, "data", "index.db");
      const before = await lastUses(database);
      const idle = await serve(home, { dataFolder, env });
      await delay(1_500);
      await idle.close();
      expect(await lastUses(database)).toEqual(before);

      const second = await serve(home, { dataFolder, env });
      await until(async () => (await health(second)).prewarm_status === "complete");
      expect((await health(second)).workspace_warmset.members).toEqual([home, roots[2], roots[1]]);
      // A server does not report workspaces that it may not serve.
      const alone = await serve(home, { dataFolder });
      expect((await health(alone)).workspace_warmset.members).toEqual([home]);
    },
    LONG_MS,
  );

  it(
    "are empty without a store, and a server without calls creates none",
    async () => {
      const dataFolder = makeFolder();
      const client = await serve(makeFolder({ "a.py": "x = 1\n" }), { dataFolder });
      await client.listTools();
      await delay(1_000);
      expect(existsSync(join(dataFolder, "data")) ? readdirSync(join(dataFolder, "data")) : []).not.toContain(
        "index.db",
      );
    },
    LONG_MS,
  );
});

async function lastUses(database: string): Promise<unknown> {
  const db = await openDatabase(database, { readOnly: true });
  try {
    return db.prepare("SELECT root, last_used FROM project ORDER BY root").all();
  } finally {
    db.close();
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(50);
}

describe("an unknown project", () => {
  it(
    "has another error than a folder that may not be served",
    async () => {
      const client = await connect(makeFolder({ "a.py": "def a():\n    pass\n" }), { args: TOOLSETS });
      const code = async (args: Record<string, unknown>): Promise<string> => {
        const text = await call(client, "search_code", { query: "a", ...args });
        return (JSON.parse(text) as { error: { code: string } }).error.code;
      };
      expect(await code({ workspace: "a1b2c3d4e5f6" })).toBe("project_not_found");
      expect(await code({ project_id: "frontend" })).toBe("project_not_found");
      expect(await code({ repository_id: "nothing" })).toBe("project_not_found");
      expect(await code({ workspace: "frontend" })).toBe("workspace_not_registered");
      expect(await code({ workspace: "../other" })).toBe("workspace_not_registered");
      expect(await code({ workspace: "/usr" })).toBe("workspace_not_allowed");
    },
    LONG_MS,
  );
});
