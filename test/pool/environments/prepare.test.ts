import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { processIdentity } from "../../../src/exec/process-identity.ts";
import type { PrepareSpec } from "../../../src/pool/environments/detect.ts";
import { LayerCopies } from "../../../src/pool/environments/layer-copies.ts";
import { sealLayer } from "../../../src/pool/environments/layer-files.ts";
import { Layers } from "../../../src/pool/environments/layers.ts";
import { prepareFolder } from "../../../src/pool/environments/prepare.ts";
import { pruneLayers } from "../../../src/pool/environments/prune-layers.ts";
import type { Step, StepRunner } from "../../../src/pool/environments/step.ts";
import { compareText } from "../../../src/kernel/nearest.ts";
import { makeFolder } from "../../support/folder.ts";

const SPEC: PrepareSpec = {
  detect: true,
  programs: [],
  folders: [],
  commands: [],
  files: [],
  timeoutMs: 60_000,
};
const OPTIONS = { signal: new AbortController().signal, timeoutMs: 60_000 };

/** Runs a step as a process without the rest of a worker. */
const run: StepRunner = async ({ argv, cwd, variables }) => {
  const { status, stdout, stderr } = spawnSync(argv[0], argv.slice(1), {
    cwd,
    env: { ...process.env, ...variables },
  });
  const log = { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 };
  const ending = { endedAt: Date.now(), end: { cause: "exit", exitCode: status ?? 1 }, log } as const;
  return {
    ending,
    output: [
      { stream: "stdout", bytes: stdout },
      { stream: "stderr", bytes: stderr },
    ],
  };
};

function jobFolder(files: Readonly<Record<string, string>>): string {
  const root = makeFolder();
  mkdirSync(join(root, ".git/info"), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  return root;
}

const CHECKSUM = "0".repeat(64);

/** A package with one vendored crate. */
function rustFolder(): string {
  const source = 'source = "registry+https://github.com/rust-lang/crates.io-index"';
  const files = {
    "Cargo.toml":
      '[package]\nname = "app"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\ntiny = "1"\n',
    "Cargo.lock": `version = 4\n\n[[package]]\nname = "app"\nversion = "1.0.0"\ndependencies = [\n "tiny",\n]\n
[[package]]\nname = "tiny"\nversion = "1.0.0"\n${source}\nchecksum = "${CHECKSUM}"\n`,
    ".cargo/config.toml":
      '[source.crates-io]\nreplace-with = "vendored-sources"\n[source.vendored-sources]\ndirectory = "vendor"\n',
    "src/lib.rs": "pub fn two() -> u32 { tiny::one() * 2 }\n",
    "vendor/tiny/Cargo.toml": '[package]\nname = "tiny"\nversion = "1.0.0"\nedition = "2021"\n',
    "vendor/tiny/src/lib.rs": "pub fn one() -> u32 { 1 }\n",
    "vendor/tiny/.cargo-checksum.json": `{"files":{},"package":"${CHECKSUM}"}`,
  };
  const root = makeFolder(files);
  mkdirSync(join(root, ".git/info"), { recursive: true });
  return root;
}

async function prepare(
  layers: Layers,
  root: string,
  spec: Partial<PrepareSpec>,
  runner = run,
  files: readonly string[] = readdirSync(root).filter((name) => name !== ".git"),
) {
  return prepareFolder({
    spec: { ...SPEC, ...spec },
    root,
    cwd: "",
    listFiles: () => Promise.resolve(files),
    layers,
    copies: new LayerCopies(makeFolder(), 1),
    run: runner,
    env: { PATH: process.env["PATH"] ?? "" },
    signal: OPTIONS.signal,
  });
}

const MAKE = {
  commands: ["mkdir deps && cat deps.txt > deps/a && ls > deps/seen && date +%N > deps/when"],
  files: ["deps.txt"],
};

describe("preparing a folder", () => {
  it("runs the commands once, on the named files only, and gives each job its own copy", async () => {
    const layers = new Layers(makeFolder());
    const [first, second] = [jobFolder({ "deps.txt": "1", "main.c": "" }), jobFolder({ "deps.txt": "1" })];
    const made = await prepare(layers, first, MAKE);
    expect(made.reports).toMatchObject([{ name: "configured", folder: "", outcome: "made" }]);
    expect(readFileSync(join(first, "deps/seen"), "utf8")).toBe("deps\ndeps.txt\n");
    expect(readFileSync(join(first, ".git/info/exclude"), "utf8")).toBe("/deps\n");
    // The job changes what was prepared in place, which a hard link would pass on.
    const when = readFileSync(join(first, "deps/when"), "utf8");
    chmodSync(join(first, "deps/a"), 0o600);
    writeFileSync(join(first, "deps/a"), "changed", { flag: "r+" });
    expect((await prepare(layers, second, MAKE)).reports).toMatchObject([{ outcome: "hit" }]);
    expect(readFileSync(join(second, "deps/a"), "utf8")).toBe("1");
    expect(readFileSync(join(second, "deps/when"), "utf8")).toBe(when);
    const third = jobFolder({ "deps.txt": "2" });
    expect((await prepare(layers, third, MAKE)).reports).toMatchObject([{ outcome: "made" }]);
    expect(readFileSync(join(third, "deps/a"), "utf8")).toBe("2");
  });

  const hasCargo = spawnSync("cargo", ["--version"]).status === 0;
  it.skipIf(!hasCargo)(
    "compiles vendored crates once for each folder, where cargo looks for them",
    async () => {
      const layers = new Layers(makeFolder());
      const [first, other] = [rustFolder(), rustFolder()];
      const paths = readdirSync(first, { recursive: true, encoding: "utf8" });
      const files = paths.filter((path) => !path.startsWith(".git"));
      const prepareRust = (root: string) => prepare(layers, root, { programs: ["cargo"] }, run, files);
      const cargo = (root: string) =>
        spawnSync("cargo", ["build", "--locked"], { cwd: root, encoding: "utf8" });
      const own = statSync(join(first, "vendor/tiny/src/lib.rs"));
      expect((await prepareRust(first)).reports).toMatchObject([{ name: "cargo", outcome: "made" }]);
      // The job's own files are back, and cargo compiles only the job's own package.
      expect(statSync(join(first, "vendor/tiny/src/lib.rs"))).toMatchObject({
        mtimeMs: own.mtimeMs,
        ino: own.ino,
      });
      expect(readFileSync(join(first, "src/lib.rs"), "utf8")).toContain("tiny::one()");
      const built = cargo(first);
      expect(built).toMatchObject({ status: 0 });
      expect(built.stderr).toContain("Compiling app");
      expect(built.stderr).not.toContain("Compiling tiny");
      rmSync(join(first, "target"), { recursive: true });
      expect((await prepareRust(first)).reports).toMatchObject([{ outcome: "hit" }]);
      expect(cargo(first).stderr).not.toContain("Compiling tiny");
      // In another folder cargo would compile them again, so that folder gets its own.
      expect((await prepareRust(other)).reports).toMatchObject([{ outcome: "made" }]);
      writeFileSync(join(other, "vendor/tiny/.cargo-checksum.json"), `{"files":{}, "package":"${CHECKSUM}"}`);
      expect((await prepareRust(other)).reports).toMatchObject([{ outcome: "made" }]);
      expect(readdirSync(dirname(first))).not.toContain(`${basename(first)}.aside`);
    },
  );

  it("is done by one of several jobs that begin together", async () => {
    const layers = new Layers(makeFolder());
    const outcomes: string[] = await Promise.all(
      Array.from(
        { length: 4 },
        async () => (await prepare(layers, jobFolder({ "deps.txt": "1" }), MAKE)).reports[0]?.outcome ?? "",
      ),
    );
    expect(outcomes.toSorted(compareText)).toEqual(["hit", "hit", "hit", "made"]);
  });

  it("keeps nothing of a failure, and reports the command", async () => {
    const folder = makeFolder();
    const layers = new Layers(folder);
    const root = jobFolder({ "deps.txt": "1" });
    const failing = { ...MAKE, commands: ["mkdir deps && echo broken >&2 && exit 7"] };
    const { failure, reports } = await prepare(layers, root, failing);
    expect(failure?.message).toBe("mkdir deps && echo broken >&2 && exit 7 exited 7");
    expect(Buffer.concat(failure?.output.map(({ bytes }) => bytes) ?? []).toString()).toBe("broken\n");
    expect(reports).toMatchObject([{ outcome: "failed" }]);
    expect(existsSync(join(root, "deps"))).toBe(false);
    expect(readdirSync(folder)).toEqual(["locks"]);
    expect(readdirSync(join(folder, "locks"))).toEqual([]);
  });

  it("installs for a job alone what needs more than the staged files, and leaves out a script that fails", async () => {
    const [folder, layers] = [makeFolder(), new Layers(makeFolder())];
    // npm finds this archive by a name that nothing else tells.
    const manifest =
      '{"name":"a","scripts":{"prepare":"exit 5"},"dependencies":{"greet":"file:greet.tar.gz"}}';
    const lock =
      '{"name":"a","lockfileVersion":3,"packages":{"":{"name":"a","dependencies":{"greet":"file:greet.tar.gz"}},"node_modules/greet":{"version":"1.0.0","resolved":"file:greet.tar.gz"}}}';
    const root = jobFolder({ "package.json": manifest, "package-lock.json": lock });
    mkdirSync(join(folder, "package"));
    writeFileSync(join(folder, "package/package.json"), '{"name":"greet","version":"1.0.0"}');
    spawnSync("tar", ["-czf", join(root, "greet.tar.gz"), "package"], { cwd: folder });
    const commands: string[] = [];
    const runner: StepRunner = (step) => {
      commands.push(step.argv.slice(0, 3).join(" "));
      return run(step);
    };
    for (const expected of [
      ["npm ci --no-audit", "npm ci --no-audit", "npm run prepare"],
      ["npm ci --no-audit", "npm run prepare"],
    ]) {
      const { reports, failure, identity } = await prepare(layers, root, { programs: ["npm"] }, runner);
      expect(failure).toBeUndefined();
      expect(identity).toBeUndefined();
      expect(reports).toMatchObject([
        {
          outcome: "made",
          detail: expect.stringMatching(
            /^for this job only, because with the lock files alone npm ci exited \d+: /,
          ),
          failedScript: expect.stringContaining("npm run prepare exited 5"),
        },
      ]);
      expect(commands.splice(0)).toEqual(expected);
      expect(readFileSync(join(root, "node_modules/greet/package.json"), "utf8")).toContain("greet");
      expect(readFileSync(join(root, "package.json"), "utf8")).toBe(manifest);
      expect(readdirSync(root)).not.toContain("package.json.aside");
      expect(readFileSync(join(root, ".git/info/exclude"), "utf8")).toMatch(/^(?:\/node_modules\n)+$/);
      rmSync(join(root, "node_modules"), { recursive: true });
    }
  });

  it.skipIf(!hasCargo)(
    "does not repeat what failed and is not needed, until its time is over or the worker starts again",
    async () => {
      const folder = makeFolder();
      const layers = new Layers(folder);
      const root = jobFolder({ "Cargo.toml": "[package", "Cargo.lock": "version = 4\n" });
      let runs = 0;
      const runner: StepRunner = (step) => {
        runs++;
        return run(step);
      };
      const reason = "cargo test --no-run --locked exited 101";
      const failed = { outcome: "failed", detail: expect.stringMatching(`^${reason}`) };
      const tried = "tried 0 min before, again in 30 min or when the worker starts: ";
      const earlier = { outcome: "failed", detail: expect.stringMatching(`^${tried}${reason}`) };
      for (const expected of [failed, earlier]) {
        const { reports, failure } = await prepare(layers, root, { programs: ["cargo"] }, runner);
        expect(failure).toBeUndefined();
        expect(reports).toMatchObject([expected]);
        expect(runs).toBe(1);
      }
      const [key = ""] = readdirSync(folder).filter((name) => name.startsWith("cargo-"));
      const note = join(folder, key, "layer.json");
      const { failed: old, ...info } = JSON.parse(readFileSync(note, "utf8")) as { readonly failed: object };
      writeFileSync(note, JSON.stringify({ ...info, failed: { ...old, at: Date.now() - 31 * 60_000 } }));
      expect((await prepare(layers, root, { programs: ["cargo"] }, runner)).reports).toMatchObject([failed]);
      expect(runs).toBe(2);
      await sleep(2);
      const ofNewWorker = new Layers(folder);
      expect((await prepare(ofNewWorker, root, { programs: ["cargo"] }, runner)).reports).toMatchObject([
        failed,
      ]);
      expect(runs).toBe(3);
    },
  );

  it("gives pnpm in a sandbox its usual store, from which it copies, and the job the same settings", async () => {
    const root = jobFolder({ "pnpm-lock.yaml": "", "package.json": "{}" });
    const programs = makeFolder();
    for (const name of ["node", "pnpm"])
      writeFileSync(join(programs, name), "#!/bin/sh\necho 1\n", { mode: 0o755 });
    const steps: Step[] = [];
    const prepareIn = async (isolation?: "bubblewrap") =>
      prepareFolder({
        spec: { ...SPEC, programs: ["pnpm"] },
        root,
        cwd: "",
        layers: new Layers(makeFolder()),
        copies: new LayerCopies(makeFolder(), 1),
        run: async (step) => {
          steps.push(step);
          return run({ ...step, argv: ["true"] });
        },
        isolation,
        signal: OPTIONS.signal,
        env: { PATH: `${programs}:${process.env["PATH"]}`, HOME: "/home/ada" },
        listFiles: () => Promise.resolve(["pnpm-lock.yaml", "package.json"]),
      });
    const copies = {
      npm_config_package_import_method: "clone-or-copy",
      pnpm_config_package_import_method: "clone-or-copy",
    };
    expect((await prepareIn()).variables).toEqual(copies);
    const store = "/home/ada/.local/share/pnpm/store";
    const inSandbox = { ...copies, npm_config_store_dir: store, pnpm_config_store_dir: store };
    expect((await prepareIn("bubblewrap")).variables).toEqual(inSandbox);
    expect(steps.map(({ variables }) => variables)).toEqual([copies, inSandbox]);
  });

  it("leaves a job without a package manager that is not installed, and says so", async () => {
    const root = jobFolder({ "package-lock.json": "{}" });
    const layers = new Layers(makeFolder());
    const spec = { ...SPEC, programs: ["npm"] };
    const { reports, failure } = await prepareFolder({
      spec,
      root,
      cwd: "",
      layers,
      copies: new LayerCopies(makeFolder(), 1),
      run,
      signal: OPTIONS.signal,
      env: { PATH: makeFolder() },
      listFiles: () => Promise.resolve(["package-lock.json"]),
    });
    expect(failure).toBeUndefined();
    expect(reports).toMatchObject([{ outcome: "skipped", detail: "node is not installed or not on PATH" }]);
  });
});

describe("a layer", () => {
  it("is made again if its maker was killed", async () => {
    const folder = makeFolder();
    const layers = new Layers(folder);
    const maker = spawn("sleep", ["60"]);
    const owner = { pid: maker.pid ?? 0, identity: await processIdentity(maker.pid ?? 0), session: "dead" };
    mkdirSync(join(folder, "locks"));
    writeFileSync(join(folder, "locks/key"), JSON.stringify(owner));
    mkdirSync(join(folder, "making-key-abcdef/tree/half"), { recursive: true });
    let isDead = false;
    const obtained = layers.obtain(
      "key",
      async (_, tree) => {
        expect(isDead).toBe(true);
        writeFileSync(join(tree, "whole"), "");
        return { ms: 1, bytes: 0, entries: ["whole"], madeIn: tree, relocated: [] };
      },
      OPTIONS,
    );
    isDead = maker.kill("SIGKILL");
    await once(maker, "exit");
    expect(await obtained).toMatchObject({ isNew: true, layer: { key: "key" } });
    expect(readdirSync(folder).toSorted(compareText)).toEqual(["key", "locks"]);
    expect(readdirSync(join(folder, "locks"))).toEqual([]);
  });

  it("leaves nothing if its maker was killed and nobody asks for it again, but is left to a maker that lives", async () => {
    const folder = makeFolder();
    const layers = new Layers(folder);
    const limits = { maxBytes: 1e9, maxAgeMs: 1e9 };
    mkdirSync(join(folder, "making-npm-0123-abcdef/tree"), { recursive: true });
    await layers.obtain(
      "npm-4567",
      async (making, tree) => {
        await pruneLayers(layers, limits);
        expect(readdirSync(folder).filter((name) => name.startsWith("making-"))).toEqual([basename(making)]);
        return { ms: 1, bytes: 0, entries: [], madeIn: tree, relocated: [] };
      },
      OPTIONS,
    );
    expect(readdirSync(folder).toSorted(compareText)).toEqual(["locks", "npm-4567"]);
    expect(readdirSync(join(folder, "locks"))).toEqual([]);
  });

  it("never replaces files of the job, and names the job's folder where its own path was", async () => {
    const layers = new Layers(makeFolder());
    const ecosystem = {
      id: "x",
      group: "x",
      locks: [],
      programs: [],
      isInput: () => false,
      versions: [],
      steps: () => [],
      relocated: ["bin"],
    };
    const { layer } = await layers.obtain(
      "key",
      async (_, tree) => {
        mkdirSync(join(tree, "bin"));
        writeFileSync(join(tree, "bin/tool"), `#!${tree}/bin/python\n`, { mode: 0o755 });
        writeFileSync(join(tree, "mine"), "layer");
        return { ...(await sealLayer(tree, new Map(), ecosystem)), ms: 1 };
      },
      OPTIONS,
    );
    const root = jobFolder({ mine: "job" });
    const copies = new LayerCopies(makeFolder(), 1);
    const placed = await copies.place(layer, root);
    expect(placed.entries).toEqual(["bin"]);
    expect(readFileSync(join(root, "mine"), "utf8")).toBe("job");
    expect(readFileSync(join(root, "bin/tool"), "utf8")).toBe(`#!${root}/bin/python\n`);
    expect(spawnSync("test", ["-x", join(root, "bin/tool")]).status).toBe(0);
    await copies.takeBack(placed);
    const next = jobFolder({ mine: "job" });
    await copies.place(layer, next);
    expect(readFileSync(join(next, "bin/tool"), "utf8")).toBe(`#!${next}/bin/python\n`);
  });

  it("is removed when it is old, or when the more recently used ones need the room", async () => {
    const layers = new Layers(makeFolder());
    const info = { ms: 1, bytes: 40, entries: [], relocated: [], madeIn: "" };
    for (const [key, hoursAgo] of [
      ["new", 0],
      ["used", 1],
      ["large", 2],
      ["old", 100],
    ] as const) {
      const { layer } = await layers.obtain(key, () => Promise.resolve(info), OPTIONS);
      const at = Date.now() / 1000 - hoursAgo * 3600;
      utimesSync(join(layer.folder, "layer.json"), at, at);
    }
    await pruneLayers(layers, { maxBytes: 1_000, maxAgeMs: 50 * 3_600_000 });
    expect((await layers.list()).map(({ key }) => key).toSorted(compareText)).toEqual([
      "large",
      "new",
      "used",
    ]);
    await pruneLayers(layers, { maxBytes: 80, maxAgeMs: 50 * 3_600_000 });
    expect((await layers.list()).map(({ key }) => key).toSorted(compareText)).toEqual(["new", "used"]);
    await pruneLayers(layers, { maxBytes: 10, maxAgeMs: 50 * 3_600_000 });
    expect((await layers.list()).map(({ key }) => key)).toEqual(["new"]);
  });

  it("keeps what a tool has for itself in its folder, and only that, if jobs are not isolated", async () => {
    const [layers, copies] = [new Layers(makeFolder()), new LayerCopies(makeFolder(), 2)];
    const { layer } = await layers.obtain("key", makeDeps, OPTIONS);
    const [one, other] = [jobFolder({}), jobFolder({})];
    const place = (root: string) => copies.place(layer, root, /^deps\/[^/]+\/cache(?:\/|$)/);
    const inBoth = [await place(one), await place(other)];
    // The folder above the cache is not in the layer.
    for (const root of [one, other])
      spawnSync(
        "sh",
        ["-c", `mkdir -p deps/new/cache; echo ${root} > deps/new/cache/c; touch deps/new/x deps/y`],
        {
          cwd: root,
        },
      );
    for (const copy of inBoth) await copies.takeBack(copy);
    for (let round = 1; round <= 2; round++) {
      const copy = await place(one);
      expect(readFileSync(join(one, "deps/new/cache/c"), "utf8")).toContain(`${one}\n`);
      expect(readdirSync(join(one, "deps/new"))).toEqual(["cache"]);
      expect(existsSync(join(one, "deps/y"))).toBe(false);
      // The next job of the folder gets the same copy, although the tool has changed its cache and the job a package.
      writeFileSync(join(one, "deps/new/cache/c"), `${one}\nround ${round}`);
      writeFileSync(join(one, "deps/a"), "changed");
      await copies.takeBack(copy);
    }
    await copies.place(layer, one);
    expect(readFileSync(join(one, "deps/new/cache/c"), "utf8")).toContain("round 2");
    expect(readFileSync(join(one, "deps/a"), "utf8")).toBe("A");
    const isolated = new LayerCopies(makeFolder(), 1);
    const copy = await isolated.place(layer, jobFolder({}));
    mkdirSync(join(copy.folder, "deps/new/cache"), { recursive: true });
    await isolated.takeBack(copy);
    const next = await isolated.place(layer, jobFolder({}));
    expect(existsSync(join(next.folder, "deps/new"))).toBe(false);
  });

  it("goes from job to job as the same copy, with everything undone that a job did to it", async () => {
    const idle = makeFolder();
    const [layers, copies] = [new Layers(makeFolder()), new LayerCopies(idle, 1)];
    const { layer } = await layers.obtain("key", makeDeps, OPTIONS);
    const first = jobFolder({});
    const placed = await copies.place(layer, first);
    const shapeOf = (root: string) =>
      spawnSync("find", ["deps", "-printf", "%p %y %m %s %l\\n"], { cwd: root })
        .stdout.toString()
        .split("\n")
        .toSorted(compareText);
    const before = shapeOf(first);
    const inode = statSync(join(first, "deps/kept")).ino;
    const { atime, mtime } = statSync(join(first, "deps/a"));
    writeFileSync(join(first, "deps/a"), "B", { flag: "r+" });
    utimesSync(join(first, "deps/a"), atime, mtime);
    chmodSync(join(first, "deps/sub"), 0o700);
    spawnSync(
      "sh",
      [
        "-c",
        "rm -r deps/gone; ln -sfn /etc deps/link; touch deps/new; mkdir deps/more; mv deps/sub/x deps/y; rm deps/z; mkdir deps/z",
      ],
      { cwd: first },
    );
    await copies.takeBack(placed);
    expect(existsSync(join(first, "deps"))).toBe(false);
    const second = jobFolder({});
    const again = await copies.place(layer, second);
    expect(shapeOf(second)).toEqual(before);
    expect(readFileSync(join(second, "deps/a"), "utf8")).toBe("A");
    // A file that the job left alone was not copied again.
    expect(statSync(join(second, "deps/kept")).ino).toBe(inode);
    // A second copy is for a job that runs at the same time; only one is kept.
    const third = jobFolder({});
    const other = await copies.place(layer, third);
    expect(shapeOf(third)).toEqual(before);
    spawnSync("rm", ["-r", join(third, "deps")]);
    await copies.takeBack(other);
    expect(readdirSync(idle)).toEqual([]);
    await copies.takeBack(again);
    expect(readdirSync(idle)).toHaveLength(1);
  });
});

async function makeDeps(_: string, tree: string) {
  for (const folder of ["sub", "gone/deep"])
    mkdirSync(join(tree, "deps", folder), { recursive: true, mode: 0o755 });
  for (const file of ["a", "kept", "sub/x", "gone/deep/x", "z"]) writeFileSync(join(tree, "deps", file), "A");
  symlinkSync("sub/x", join(tree, "deps/link"));
  return { ms: 1, bytes: 0, entries: ["deps"], madeIn: tree, relocated: [] };
}
