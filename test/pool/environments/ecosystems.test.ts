import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { detectEnvironments, type PrepareSpec } from "../../../src/pool/environments/detect.ts";
import { textOf } from "../../../src/pool/environments/ecosystem.ts";
import { layerKey } from "../../../src/pool/environments/layer-key.ts";
import { compareText } from "../../../src/kernel/nearest.ts";
import { makeFolder } from "../../support/folder.ts";

const SPEC: PrepareSpec = {
  detect: true,
  programs: ["make"],
  folders: [],
  commands: [],
  files: [],
  timeoutMs: 60_000,
};

interface Place extends Partial<PrepareSpec> {
  readonly cwd?: string;
}

async function detect(files: Readonly<Record<string, string>>, { cwd = "", ...spec }: Place = {}) {
  const root = makeFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return detectEnvironments(
    { ...SPEC, ...spec },
    { root, cwd, listFiles: () => Promise.resolve(Object.keys(files)) },
  );
}

async function namesIn(files: Readonly<Record<string, string>>, place: Place = {}): Promise<string[]> {
  return (await detect(files, place)).map(({ ecosystem, folder }) => `${ecosystem.id} ${folder}`.trim());
}

describe("what a job needs installed", () => {
  it.each([
    ["pnpm-lock.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["bun.lock", "bun"],
    ["package-lock.json", "npm"],
    ["uv.lock", "uv"],
    ["poetry.lock", "poetry"],
    ["requirements.txt", "pip"],
    ["requirements-dev.txt", "pip"],
    ["Cargo.lock", "cargo"],
    ["go.sum", "go"],
    ["Gemfile.lock", "bundler"],
    ["composer.lock", "composer"],
    ["pom.xml", "maven"],
    ["build.gradle.kts", "gradle"],
  ])("is seen by %s", async (lock, name) => {
    expect(await namesIn({ [lock]: "" })).toEqual([name]);
  });

  it("is that of the nearest lock file of each kind, and of configured folders", async () => {
    const files = {
      "package-lock.json": "",
      "web/package-lock.json": "",
      "web/app/main.js": "",
      "api/requirements.txt": "",
      "examples/one/package-lock.json": "",
      "go.sum": "",
    };
    expect(await namesIn(files, { cwd: "web/app" })).toEqual(["npm web", "go"]);
    expect(await namesIn(files, { cwd: "web/app", programs: ["npm"] })).toEqual(["npm web"]);
    expect(await namesIn(files, { programs: ["go", "make"] })).toEqual(["npm", "go"]);
    expect(await namesIn(files, { programs: ["go"], folders: ["api"] })).toEqual(["go"]);
    expect(await namesIn(files, { programs: ["pytest"], folders: ["api"] })).toEqual(["pip api"]);
    expect(await namesIn(files, { detect: false })).toEqual([]);
  });

  it("is nothing if the dependencies are committed", async () => {
    expect(await namesIn({ "package-lock.json": "", "node_modules/a/index.js": "" })).toEqual([]);
    expect(await namesIn({ "go.sum": "", "vendor/modules.txt": "" })).toEqual([]);
    expect(await namesIn({ "Gemfile.lock": "", "vendor/bundle/ruby/3.1.0/a.rb": "" })).toEqual([]);
  });

  it("is installed from packages that are committed as archives", async () => {
    const [bundler] = await detect({ "Gemfile.lock": "", "vendor/cache/a-1.0.gem": "", "vendor/b.rb": "" });
    expect([...(bundler?.staged.keys() ?? [])]).toEqual(["Gemfile.lock", "vendor/cache/a-1.0.gem"]);
  });

  it("can be configured", async () => {
    const files = { "deps.txt": "a", "tools/x.sh": "", "main.c": "" };
    const [found] = await detect(files, { commands: ["make deps"], files: ["deps.txt", "tools/**"] });
    expect([...(found?.staged.keys() ?? [])]).toEqual(["deps.txt", "tools/x.sh"]);
    expect(found?.ecosystem.steps(found.staged)).toEqual([["sh", "-c", "make deps"]]);
  });
});

describe("the files that decide", () => {
  it("leave the scripts of a Node project to each job", async () => {
    const manifest = {
      name: "a",
      scripts: { test: "mocha", prepare: "tsc", postinstall: "node x.js" },
      dependencies: { b: "1" },
    };
    const files = {
      "package.json": JSON.stringify(manifest),
      "package-lock.json": "{}",
      "x.js": "",
      "lib/package.json": "{}",
    };
    const [npm] = await detect(files);
    expect([...(npm?.staged.keys() ?? [])]).toEqual(["package-lock.json", "package.json"]);
    expect(JSON.parse(textOf(npm?.staged ?? new Map(), "package.json"))).toEqual({
      name: "a",
      dependencies: { b: "1" },
    });
    expect(npm?.ecosystem.stepsPerJob?.(npm.inputs)).toEqual([
      ["npm", "run", "postinstall"],
      ["npm", "run", "prepare"],
    ]);
  });

  it("include the packages of a workspace, and their scripts run in each job too", async () => {
    const files = {
      "package.json": '{"workspaces":["packages/*"],"scripts":{"install":"make"}}',
      "package-lock.json": "{}",
      "packages/a/package.json": '{"scripts":{"prepare":"tsc"}}',
    };
    const [npm] = await detect(files);
    expect(npm?.staged.has("packages/a/package.json")).toBe(true);
    expect(npm?.ecosystem.stepsPerJob?.(npm.inputs)).toEqual([
      ["npm", "run", "prepare", "--workspaces", "--if-present"],
      ["npm", "run", "install"],
    ]);
  });

  it("are left as they are if a package file cannot be parsed", async () => {
    const [npm] = await detect({ "package.json": "{", "package-lock.json": "{}" });
    expect(textOf(npm?.staged ?? new Map(), "package.json")).toBe("{");
    expect(npm?.ecosystem.stepsPerJob?.(npm.inputs)).toEqual([]);
  });

  it("leave the Python project itself to each job", async () => {
    const requirements = "attrs==23\n-e .[dev]\n./wheels/a.whl\n.\n-r requirements/base.txt\n";
    const [pip] = await detect({
      "requirements.txt": requirements,
      "requirements/base.txt": "six\n",
      "a/requirements.py": "",
    });
    expect(textOf(pip?.staged ?? new Map(), "requirements.txt")).toBe(
      "attrs==23\n./wheels/a.whl\n-r requirements/base.txt\n",
    );
    expect(pip?.ecosystem.steps(pip.staged)).toHaveLength(2);
    expect(pip?.ecosystem.stepsPerJob?.(pip.inputs).map((argv) => argv.slice(6))).toEqual([
      ["-e", ".[dev]"],
      ["."],
    ]);
  });

  it("have empty targets in a Rust project, whose own packages are not kept", async () => {
    const files = {
      "Cargo.lock": "",
      "Cargo.toml":
        '[workspace]\nmembers = ["core"]\n[package]\nname = "app"\n[[bin]]\nname = "tool"\npath = "cli/tool.rs"\n',
      "src/main.rs": "secret",
      "src/other.rs": "secret",
      "cli/tool.rs": "secret",
      "core/Cargo.toml": '[package]\nname = "app-core"\n',
      "core/src/lib.rs": "secret",
      "core/tests/all.rs": "secret",
    };
    const [cargo] = await detect(files);
    const staged = cargo?.staged ?? new Map();
    expect([...staged.keys()].filter((path) => path.endsWith(".rs")).toSorted(compareText)).toEqual([
      "cli/tool.rs",
      "core/src/lib.rs",
      "core/tests/all.rs",
      "src/main.rs",
    ]);
    expect([...staged.keys()].map((path) => textOf(staged, path)).join("")).not.toContain("secret");
    const print = "target/debug/.fingerprint";
    const made = ["app-0123456789abcdef", "app-core-0123456789abcdef", "app-core-macros-0123456789abcdef"];
    expect(
      cargo?.ecosystem.leftovers?.(
        [...made.map((name) => `${print}/${name}`), "target/debug/incremental"],
        staged,
      ),
    ).toEqual([
      `${print}/app-0123456789abcdef`,
      `${print}/app-core-0123456789abcdef`,
      "target/debug/incremental",
    ]);
  });

  it("decide the key with the versions of the tools, and nothing else does", async () => {
    const lock = { "package-lock.json": "{}", "package.json": '{"name":"a","scripts":{"test":"a"}}' };
    const env = { PATH: process.env["PATH"] ?? "" };
    const keyOf = async (files: Readonly<Record<string, string>>, variables = env) => {
      const [found] = await detect(files);
      return found && layerKey(found, variables, "/job");
    };
    const key = await keyOf(lock);
    expect(key).toMatchObject({ key: expect.stringMatching(/^npm-[0-9a-f]{40}$/) });
    expect(
      await keyOf({ ...lock, "package.json": '{"name":"a","scripts":{"test":"b"}}', "a.js": "" }),
    ).toEqual(key);
    expect(await keyOf({ ...lock, "package-lock.json": "{ }" })).not.toEqual(key);
    expect(await keyOf(lock, { PATH: makeFolder() })).toEqual({
      missing: "node is not installed or not on PATH",
    });
  });
});
