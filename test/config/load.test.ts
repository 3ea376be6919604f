import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Environment } from "../../src/config/environment.ts";
import { loadConfig } from "../../src/config/load.ts";
import type { LoadedConfig } from "../../src/config/load.ts";
import { makeFolder } from "../support/folder.ts";

interface Layers {
  readonly user?: string;
  readonly repository?: string;
  readonly variables?: Record<string, string>;
  readonly flags?: Record<string, unknown>;
}

function load({ user, repository, variables = {}, flags = {} }: Layers): LoadedConfig {
  const home = makeFolder(user === undefined ? {} : { ".config/pith/config.toml": user });
  const workspace = makeFolder(repository === undefined ? {} : { "pith.toml": repository });
  const environment: Environment = { variables, home, platform: "linux", cwd: workspace };
  return loadConfig(environment, workspace, flags);
}

describe("loadConfig", () => {
  it("has a value for every key without any file", () => {
    const { config, sources } = load({});
    expect(config.runs.keep).toBe(50);
    expect(config.server.toolsets).toEqual(["code", "run", "files"]);
    expect(sources.size).toBe(0);
  });

  it("prefers flags to environment, repository file, user file and defaults, in this order", () => {
    const user = "[runs]\nkeep = 1\ntimeout_ms = 1000\nmax_age_days = 3\n";
    const repository = "[runs]\nkeep = 1\ntimeout_ms = 200\n";
    const { config, sources } = load({ user, repository, variables: { PITH_RUNS_KEEP: "3" } });
    expect(config.runs).toMatchObject({ keep: 3, timeout_ms: 200, max_age_days: 3 });
    expect(sources.get("runs.keep")).toBe("environment");
    expect(sources.get("runs.max_age_days")).toBe("user file");
    expect(load({ repository, flags: { "runs.keep": 4 } }).config.runs.keep).toBe(4);
  });

  it.each([
    ["[runz]\nkeep = 1", /unknown key runz/, /Did you mean runs/],
    ["[runs]\nkeeep = 1", /unknown key runs.keeep/, /Did you mean runs.keep/],
    ["[search.semantics]\nmodel = 'x'", /unknown key search.semantics/, /search.semantic/],
    ["[pool.prepar]\nfolders = []", /unknown key pool.prepar/, /pool.prepare/],
    ["[runs]\nkeep = 0", /runs.keep .* is 0; allowed: 1 to 10000/, /./],
    ["[runs]\nkeep = 'many'", /runs.keep .* is "many"/, /./],
    ["[runs", /config.toml:1:\d+: not valid TOML/, /./],
    ["top = 1", /unknown key top/, /./],
  ])("refuses %j with the nearest name", (text, message, suggestion) => {
    expect(() => load({ user: text })).toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: expect.stringMatching(message),
        suggestion: expect.stringMatching(suggestion),
      }),
    );
    // A repository's file with the same mistake does not keep the server from starting.
    const user = "[runs]\nkeep = 7\n";
    const { config, refused } = load({ user, repository: `${text}\n[permissions]\ndeny = ['rm']\n` });
    expect(config.runs.keep).toBe(7);
    expect(config.permissions.deny).toEqual([]);
    expect(refused.join()).toMatch(suggestion);
    expect(refused.join()).toMatch(/pith\.toml is ignored: /);
  });

  it("lets a repository disable embeddings, and reads their key only from the environment", () => {
    const user = "[search.semantic]\nprovider = 'ollama'\nmodel = 'x'\n";
    const repository = "[search.semantic]\nprovider = 'off'\n";
    const pool = load({
      repository: "[pool]\nrequires = ['gpu']\n[pool.prepare]\nfolders = ['web']\n",
    }).config;
    expect([pool.pool.requires, pool["pool.prepare"].folders]).toEqual([["gpu"], ["web"]]);
    expect(load({ user }).config["search.semantic"].provider).toBe("ollama");
    expect(load({ user, repository }).config["search.semantic"].provider).toBe("off");
    const variables = { PITH_EMBEDDINGS_API_KEY: "key" };
    expect(load({ variables }).config["search.semantic"].api_key).toBe("key");
    expect(() => load({ user: "[search.semantic]\napi_key = 'key'\n" })).toThrow(
      /search.semantic.api_key is read only from the environment/,
    );
  });

  it("maps the deprecated ranking switch, and lets the current key override it", () => {
    expect(load({ user: "[debug]\nranking_reasons = true" }).config.query.ranking_explain_level).toBe("full");
    const both = "[query]\nranking_explain_level = 'basic'\n[debug]\nranking_reasons = true\n";
    expect(load({ user: both }).config.query.ranking_explain_level).toBe("basic");
  });

  it("reads a table of variables from the user's file or the environment", () => {
    const user = '[runs]\nenv = { CI = "1", LANG = "C" }\n';
    expect(load({ user }).config.runs.env).toEqual({ CI: "1", LANG: "C" });
    expect(load({ user, variables: { PITH_RUNS_ENV: "A=b=c, D=" } }).config.runs.env).toEqual({
      A: "b=c",
      D: "",
    });
    for (const table of ["{ 'A B' = '1' }", "{ A = 1 }", "['A']", "'A'"])
      expect(() => load({ user: `[runs]\nenv = ${table}\n` })).toThrow(/runs\.env/);
  });

  it("reports which file cannot be read", () => {
    const workspace = makeFolder({ "pith.toml/inner": "" });
    const environment: Environment = { variables: {}, home: workspace, platform: "linux", cwd: workspace };
    const { refused } = loadConfig(environment, workspace);
    expect(refused.join()).toContain(`${join(workspace, "pith.toml")} is not a regular file`);
  });
});
