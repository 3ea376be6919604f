import { describe, expect, it } from "vitest";
import { stringify } from "smol-toml";
import type { Environment } from "../../src/config/environment.ts";
import { allKeys, loadConfig } from "../../src/config/load.ts";
import { makeFolder } from "../support/folder.ts";

/** What the user chose, what a repository may make of it, and what it may not. */
interface Move {
  readonly user: unknown;
  /** A repository's value, and what then applies. */
  readonly taken?: readonly [asked: unknown, applies: unknown];
  readonly refused: readonly unknown[];
}

const limit = (user: number, floor: number): Move => ({
  user,
  taken: [floor, floor],
  refused: [user + 1, user * 2],
});
const userOnly = (user: unknown, ...refused: readonly unknown[]): Move => ({ user, refused });
const onlyOn: Move = { user: true, taken: [true, true], refused: [false] };
const onlyOff: Move = { user: false, taken: [false, false], refused: [true] };

/** Every key; a new one fails the test until it is listed here. */
const MOVES: Readonly<Record<string, Move>> = {
  "server.toolsets": userOnly(["code"], ["code", "run"], [], ["code"]),
  "server.slim": onlyOn,
  "server.read_only": onlyOn,
  "server.structured": onlyOff,
  "server.response_format": userOnly("text", "json", "markdown"),
  "server.roots": userOnly([], ["/"]),
  "server.answer_timeout_ms": limit(1_000, 50),
  "server.http_token": userOnly("mine", "", "theirs"),
  "server.log_level": userOnly("notice", "error", "debug"),
  "server.prewarm": onlyOff,
  "server.store": userOnly("", "postgres://elsewhere/db"),
  "server.data_dir": userOnly("/data", "/elsewhere", ""),
  "query.freshness_policy": { user: "balanced", taken: ["strict", "strict"], refused: ["best_effort"] },
  "query.ranking_explain_level": { user: "basic", taken: ["off", "off"], refused: ["full"] },
  "index.max_file_bytes": limit(5_000, 1_000),
  "index.time_budget_ms": limit(100, 0),
  "index.workers": userOnly(2, 1, 64, 0),
  "search.semantic.provider": { user: "ollama", taken: ["off", "off"], refused: ["openai", "ollama"] },
  "search.semantic.endpoint": userOnly("", "https://elsewhere"),
  "search.semantic.model": userOnly("", "other"),
  "search.semantic.api_key": userOnly(undefined, "theirs"),
  "search.semantic.dimensions": userOnly(8, 4, 16),
  "search.semantic.query_prefix": userOnly("", "x"),
  "search.semantic.document_prefix": userOnly("", "x"),
  "search.semantic.batch_size": userOnly(8, 1, 16),
  "search.semantic.concurrency": userOnly(2, 1, 32),
  "search.semantic.requests_per_minute": userOnly(10, 0, 100),
  "search.semantic.timeout_ms": userOnly(1_000, 100, 2_000),
  "search.semantic.query_timeout_ms": userOnly(1_000, 100, 2_000),
  "search.semantic.max_memory_mb": userOnly(64, 16, 128),
  "runs.keep": limit(10, 1),
  "runs.max_age_days": limit(10, 1),
  "runs.max_bytes": limit(2_000_000, 1_000_000),
  "runs.max_output_bytes": limit(2_000, 1_000),
  "runs.timeout_ms": limit(1_000, 100),
  "runs.reuse": { user: "checks", taken: ["off", "off"], refused: ["tests"] },
  "runs.reports": onlyOff,
  "runs.env": userOnly({ CI: "1" }, { LD_PRELOAD: "/tmp/x.so" }, {}),
  "runs.isolation": { user: "none", taken: ["bubblewrap", "bubblewrap"], refused: ["command"] },
  "runs.isolation_command": userOnly(["podman"], ["sh"], []),
  "runs.isolation_network": onlyOff,
  "runs.isolation_caches": userOnly(["/cache"], ["/"], []),
  "runs.isolation_tools": userOnly(["/tools"], ["/"], []),
  "permissions.allow": userOnly(["ls"], ["*"], ["rm"]),
  "permissions.ask": { user: ["git push"], taken: [["npm"], ["git push", "npm"]], refused: [] },
  "permissions.deny": { user: ["rm"], taken: [[], ["rm"]], refused: [] },
  "permissions.roots": userOnly([], ["/"]),
  "permissions.env": userOnly(["!TOKEN"], ["*"], []),
  "security.mask_files": onlyOn,
  "pool.jobs": onlyOff,
  "pool.submitter": userOnly("ada", "bob"),
  "pool.requires": { user: ["os=linux"], taken: [["gpu"], ["os=linux", "gpu"]], refused: [] },
  "pool.infer_needs": onlyOff,
  "pool.split": limit(4, 1),
  "pool.priority": { user: "normal", taken: ["low", "low"], refused: ["high"] },
  "pool.reuse": { user: "off", taken: ["off", "off"], refused: ["checks"] },
  "pool.fallback": onlyOff,
  "pool.slots": userOnly(2, 1, 100, 0),
  "pool.labels": userOnly([], ["gpu"]),
  "pool.lease_ms": userOnly(30_000, 500, 60_000),
  "pool.heartbeat_ms": userOnly(5_000, 50, 60_000),
  "pool.max_time_ms": userOnly(1_000, 0, 500, 2_000),
  "pool.max_memory_mb": userOnly(64, 0, 16, 128),
  "pool.max_processes": userOnly(10, 0, 5, 20),
  "pool.max_disk_mb": userOnly(100, 0, 50, 200),
  "pool.max_attempts": userOnly(3, 1, 100),
  "pool.prepare.detect": onlyOff,
  "pool.prepare.folders": { user: ["web"], taken: [["api"], ["web", "api"]], refused: [] },
  "pool.prepare.commands": { user: ["a"], taken: [["b"], ["a", "b"]], refused: [] },
  "pool.prepare.files": { user: ["a"], taken: [["b"], ["a", "b"]], refused: [] },
  "pool.prepare.timeout_ms": limit(60_000, 5_000),
  "store.objects": userOnly("", "s3://elsewhere", "file:///"),
  "store.object_bytes": userOnly(1_000, 0, 2_000),
  "store.access_key": userOnly(undefined, "theirs"),
  "store.secret_key": userOnly(undefined, "theirs"),
  "store.session_token": userOnly(undefined, "theirs"),
  "pruner.provider": { user: "builtin", taken: ["off", "off"], refused: ["auto", "http"] },
  "pruner.endpoint": userOnly("", "https://elsewhere"),
  "pruner.keep": userOnly(0.5, 0.1, 1),
  "pruner.threshold": userOnly(0.5, 0.1, 1),
  "pruner.timeout_ms": limit(1_000, 10),
  "pruner.max_prune_input_bytes": limit(5_000, 1_000),
};

describe("a repository's pith.toml", () => {
  const keys = [...allKeys()].map(([section, name]) => ({ section, name, full: `${section}.${name}` }));

  it("has a declared way for every key", () => {
    expect(Object.keys(MOVES).sort()).toEqual(keys.map(({ full }) => full).sort());
  });

  it.each(keys)("narrows $full and never widens it", ({ section, name, full }) => {
    const { user, taken, refused } = MOVES[full] ?? { user: undefined, refused: [] };
    const own = valueWith(section, name, { user }).value;
    for (const asked of refused) {
      const { value, messages } = valueWith(section, name, { user, repository: asked });
      expect(value, `asked for ${JSON.stringify(asked)}`).toEqual(own);
      expect(messages).toEqual([expect.stringContaining(`pith.toml sets ${full} to`)]);
    }
    if (taken === undefined) return;
    const narrowed = valueWith(section, name, { user, repository: taken[0] });
    expect(narrowed).toEqual({ value: taken[1], messages: [] });
  });

  it.each([
    ["bubblewrap", "none"],
    ["bubblewrap", "command"],
    ["command", "none"],
    ["command", "bubblewrap"],
  ])("cannot replace isolation by %s with %s", (user, repository) => {
    expect(valueWith("runs", "isolation", { user, repository })).toEqual({
      value: user,
      messages: [expect.stringContaining("pith.toml sets runs.isolation to")],
    });
  });

  it("is ignored only where it widens, and the user's own layers still decide", () => {
    const workspace = makeFolder({
      "pith.toml": "[runs]\ntimeout_ms = 7200000\nkeep = 5\n[server]\nslim = false\n",
    });
    const environment: Environment = { variables: {}, home: workspace, platform: "linux", cwd: workspace };
    const { config, refused, sources } = loadConfig(environment, workspace, { "server.slim": true });
    expect(config.runs).toMatchObject({ timeout_ms: 1_800_000, keep: 5 });
    expect(config.server.slim).toBe(true);
    expect(sources.get("runs.timeout_ms")).toBeUndefined();
    expect(refused).toEqual([
      "pith.toml sets server.slim to false, which is ignored: a repository may only set true.",
      "pith.toml sets runs.timeout_ms to 7200000, which is ignored: a repository may only lower it.",
    ]);
  });
});

function valueWith(
  section: string,
  name: string,
  { user, repository }: { readonly user: unknown; readonly repository?: unknown },
): { value: unknown; messages: readonly string[] } {
  const home = makeFolder(
    user === undefined ? {} : { ".config/pith/config.toml": fileWith(section, name, user) },
  );
  const workspace = makeFolder(
    repository === undefined ? {} : { "pith.toml": fileWith(section, name, repository) },
  );
  const environment: Environment = { variables: {}, home, platform: "linux", cwd: workspace };
  const { config, refused } = loadConfig(environment, workspace);
  const { tools: _tools, ...keyed } = config;
  const sections: Readonly<Record<string, Readonly<Record<string, unknown>>>> = keyed;
  return { value: sections[section]?.[name], messages: refused };
}

function fileWith(section: string, name: string, value: unknown): string {
  const table = section
    .split(".")
    .reduceRight<unknown>((inner, part) => ({ [part]: inner }), { [name]: value });
  return stringify(table);
}
