import { describe, expect, it } from "vitest";
import { folderFacts } from "../../../src/runs/plan/folder-facts.ts";
import { planLine, planTool } from "../../../src/runs/plan/plan.ts";
import { planTests } from "../../../src/runs/plan/test-plan.ts";
import { listTools } from "../../../src/runs/plan/tool-list.ts";
import { makeFolder } from "../../support/folder.ts";

const PACKAGE = JSON.stringify({
  name: "demo",
  packageManager: "npm@10.0.0",
  scripts: { build: "tsc", test: "vitest run" },
  devDependencies: { vitest: "^4.0.0" },
});

async function planned(files: Record<string, string>, tool: string, args: string[] = []) {
  const folder = makeFolder(files);
  return planTool(tool, args, await folderFacts(folder, folder));
}

describe("planTool", () => {
  it("runs named tools as the folder requires", async () => {
    expect(await planned({ "package.json": PACKAGE }, "npm.build")).toMatchObject({
      argv: ["npm", "run", "build"],
      tool: "npm.build",
    });
    expect(await planned({ "Cargo.toml": "[package]\n" }, "cargo.test", ["--release"])).toMatchObject({
      argv: ["cargo", "test", "--release"],
      isTest: true,
      expected: ["cargo-test"],
    });
  });

  it("prevents npm from interpreting a script's options", async () => {
    const files = { "package.json": PACKAGE };
    expect(await planned(files, "npm.test", ["--watch"])).toMatchObject({
      argv: ["npm", "test", "--", "--watch"],
    });
    expect(await planned(files, "npm.test", ["--", "-t", "x"])).toMatchObject({
      argv: ["npm", "test", "--", "-t", "x"],
    });
    expect(await planned(files, "npm.install", ["left-pad"])).toMatchObject({
      argv: ["npm", "install", "left-pad"],
    });
  });

  it("distinguishes a tool's name from a command line", async () => {
    expect(await planned({}, "npm.biuld")).toMatchObject({
      unknown: "npm.biuld",
      nearest: expect.arrayContaining(["npm.build"]),
    });
    expect(await planned({}, "./build.sh")).toMatchObject({ argv: ["./build.sh"] });
    expect(await planned({}, "make check")).toMatchObject({ argv: ["make", "check"] });
    expect(await planned({}, "python3.11 -m pytest")).toMatchObject({
      argv: ["python3.11", "-m", "pytest"],
      isTest: true,
    });
  });

  it("resolves a bare word that names a script or a kind of tool", async () => {
    const scripts = { test: "vitest run", typecheck: "tsc" };
    const files = { "package.json": JSON.stringify({ name: "demo", scripts }), "Cargo.toml": "[package]\n" };
    expect(await planned(files, "test")).toEqual({ unknown: "test", nearest: ["cargo.test", "npm.test"] });
    expect(await planned(files, "typecheck")).toMatchObject({ nearest: ["npm run typecheck"] });
    expect(await planned({}, "test")).toMatchObject({ argv: ["test"] });
    expect(await planned(files, "test", ["-f", "x"])).toMatchObject({ argv: ["test", "-f", "x"] });
    expect(await planned(files, "cargo")).toMatchObject({ argv: ["cargo"] });
  });

  it("uses a shell only if needed, and passes arguments to it as words", async () => {
    const plan = planLine("tsc --noEmit && eslint .", ["; rm -rf x"]);
    expect(plan.argv.slice(1)).toEqual(["-c", 'tsc --noEmit && eslint . "$@"', plan.argv[0], "; rm -rf x"]);
    expect(planLine("eslint 'a b' .").argv).toEqual(["eslint", "a b", "."]);
  });

  it.each([
    ["npm test", true],
    ["npx vitest run", true],
    ["node --test", true],
    ["cargo test --release", true],
    ["npm run test:unit", true],
    ["python -m unittest", true],
    ["npm run build && npm test", true],
    ["npm run build", false],
    ["cat vitest.log", false],
    ["test -f x", false],
    ["grep test src", false],
    ["git commit -m test", false],
  ])("recognises commands that run tests: %s", (line, isTest) => {
    expect(planLine(line).isTest).toBe(isTest);
  });
});

describe("folderFacts", () => {
  it("finds the nearest manifest and the package manager", async () => {
    const root = makeFolder({
      "pnpm-lock.yaml": "",
      "package.json": "{}",
      "packages/a/package.json": JSON.stringify({ scripts: { test: "x" }, dependencies: { b: "1" } }),
      "packages/a/src/x.ts": "",
    });
    const facts = await folderFacts(`${root}/packages/a/src`, root);
    expect(facts.packageJson).toEqual({
      scripts: { test: "x" },
      dependencies: { b: "1" },
      packageManager: "pnpm",
    });
    expect(facts.has("x.ts")).toBe(true);
    expect(facts.has("*.ts")).toBe(true);
    expect(facts.has("package.json")).toBe(false);
    expect(facts.nearest("pnpm-lock.yaml")).toBe("");
  });

  it("ignores broken and unusual manifests", async () => {
    for (const text of ["{", "[]", "null", '"x"', "\u0000", '{"scripts": [1], "dependencies": "x"}']) {
      const facts = await folderFacts(makeFolder({ "package.json": text }), "/");
      expect(facts.has("package.json")).toBe(true);
    }
  });
});

describe("listTools", () => {
  it("lists the targets that files of the folder define", async () => {
    const root = makeFolder({
      Makefile:
        "CC := gcc\nVERSION ?= 1\n.PHONY: all\nall: build\nbuild test: dep.o\n\tcc\ndep.o: dep.c\n%.o: %.c\nlint-all::\n\tx: y\n",
      justfile:
        'set shell := ["bash"]\nalias b := build\nversion := "1"\n@default: check\ncheck:\n  x: y\nbuild target="all" *args: check\n  echo\n_private:\n  echo\n',
      "Taskfile.yml":
        "version: '3'\nvars:\n  A: 1\ntasks:\n  build:\n    desc: x\n    cmds:\n      - echo\n  # test:\n  'docs:serve':\n    cmds: []\nsilent: true\n",
      "composer.json": '{"scripts":{"cs":"phpcs"}}',
      "deno.json": "{ // broken\n",
    });
    const list = await listTools(await folderFacts(root, root), {
      tools: [],
      cwd: root,
      workspace: root,
      path: "",
    });
    expect(list.targets).toEqual([
      { command: "composer run", names: ["cs"] },
      { command: "make", names: ["all", "build", "test", "lint-all"] },
      { command: "just", names: ["default", "check", "build"] },
      { command: "task", names: ["build", "docs:serve"] },
    ]);
  });

  it("lists fitting tools first with the reason, and the packages of a monorepo", async () => {
    const root = makeFolder({
      "package.json": PACKAGE,
      "packages/web/package.json": "{}",
      "services/api/go.mod": "module x\n",
      "node_modules/dep/package.json": "{}",
    });
    const list = await listTools(await folderFacts(root, root), {
      tools: [],
      cwd: root,
      workspace: root,
      path: "",
    });
    expect(list.detected.map((tool) => tool.name)).toEqual(expect.arrayContaining(["npm.build", "npm.test"]));
    for (const tool of list.detected) expect(tool.why).not.toBe("");
    expect(list.others).toContain("cargo.build");
    expect(list.packages).toEqual([
      { folder: "packages/web", manifest: "package.json" },
      { folder: "services/api", manifest: "go.mod" },
    ]);
  });
});

describe("planTests", () => {
  const plan = async (
    files: Record<string, string>,
    request: { filter?: string; package?: string; args?: string[] },
  ) => {
    const folder = makeFolder(files);
    return (await planTests({ args: [], ...request }, await folderFacts(folder, folder))).argv;
  };

  it("finds a package's tests from a root without tests", async () => {
    const root = { "package.json": '{"name":"root","workspaces":["packages/*"]}', "pnpm-lock.yaml": "" };
    expect(await plan(root, { package: "@demo/core" })).toEqual(["pnpm", "--filter", "@demo/core", "test"]);
    await expect(plan(root, {})).rejects.toThrow(/no test tool fits/);
  });

  it("runs the package's own tests with a filter in the runner's syntax", async () => {
    expect(await plan({ "package.json": PACKAGE }, {})).toEqual(["npm", "test"]);
    expect(await plan({ "package.json": PACKAGE }, { filter: "adds up" })).toEqual([
      "npm",
      "test",
      "--",
      "-t",
      "adds up",
    ]);
    expect(await plan({ "package.json": PACKAGE }, { package: "core", filter: "x" })).toEqual([
      "npm",
      "-w",
      "core",
      "test",
      "--",
      "-t",
      "x",
    ]);
    expect(await plan({ "Cargo.toml": "[package]\n" }, { filter: "adds", package: "core" })).toEqual([
      "cargo",
      "test",
      "-p",
      "core",
      "adds",
    ]);
  });

  it("puts a filter before the paths of a runner that takes options only there", async () => {
    const script = (test: string) => ({ "package.json": JSON.stringify({ scripts: { test } }) });
    const filter = { filter: "adds" };
    const words = ["--test-name-pattern", "adds"];
    expect(await plan(script("node --test test/"), filter)).toEqual(["node", ...words, "--test", "test/"]);
    expect(await plan(script("node --test"), filter)).toEqual(["npm", "test", "--", ...words]);
  });

  it("explains an unsupported request", async () => {
    await expect(plan({}, {})).rejects.toThrow(expect.objectContaining({ code: "invalid_input" }));
    const make = { "package.json": JSON.stringify({ scripts: { test: "./run-them.sh" } }) };
    await expect(plan(make, { filter: "x" })).rejects.toThrow(
      expect.objectContaining({ code: "invalid_input" }),
    );
  });
});
