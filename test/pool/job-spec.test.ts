import { describe, expect, it } from "vitest";
import { readLabels } from "../../src/pool/labels.ts";
import { describeOmissions } from "../../src/pool/submit/remote-runs.ts";
import { createJobSpec, resolveForWorker } from "../../src/pool/job-spec.ts";
import { pathTranslator, StreamTranslator } from "../../src/pool/path-translation.ts";
import { poolSettings } from "../../src/pool/settings.ts";
import { planLine } from "../../src/runs/plan/plan.ts";

const SNAPSHOT = { commit: "0".repeat(40), format: "sha1" } as const;
const REQUEST = {
  workspace: "/home/ada/repo",
  cwd: "/home/ada/repo/sub",
  plan: planLine("cat /home/ada/repo/a.txt /home/ada/repository/b"),
  env: { CONFIG: "/home/ada/repo/x.toml", TOKEN: "t" },
  timeoutMs: 1,
  maxOutputBytes: 1,
  reports: true,
  labels: [],
};

describe("a job spec", () => {
  it("replaces the submitter's paths by the worker's", () => {
    const order = createJobSpec(REQUEST, "/home/ada/repo", SNAPSHOT);
    expect(order.cwd).toBe("sub");
    expect(resolveForWorker(order, { root: "/w/t1", reportFile: "/w/r" })).toEqual({
      argv: ["cat", "/w/t1/a.txt", "/home/ada/repository/b"],
      env: { CONFIG: "/w/t1/x.toml", TOKEN: "t" },
    });
  });

  it("names the files that could not be sent", () => {
    expect(describeOmissions([])).toBeUndefined();
    const note = describeOmissions([
      { path: "lib", reason: "submodule" },
      { path: "big.bin", reason: "too_large", bytes: 200_000_000 },
      { path: "a.psd", reason: "lfs" },
      { path: "b.psd", reason: "lfs" },
    ]);
    expect(note).toBe(
      "The worker lacked files: lib (a submodule, as its commit alone), big.bin (untracked and too large), a.psd (in Git LFS, as its pointer) and 1 more.",
    );
    expect(createJobSpec(REQUEST, "/home/ada/repo", { ...SNAPSHOT, note }).note).toBe(note);
    expect(createJobSpec(REQUEST, "/home/ada/repo", SNAPSHOT)).not.toHaveProperty("note");
  });

  it("makes the command write its report to the worker's path", () => {
    const plan = {
      ...planLine("pytest"),
      report: (file: string) => ({ argv: ["pytest", `--junitxml=${file}`] }),
    };
    const order = createJobSpec({ ...REQUEST, plan }, "/home/ada/repo", SNAPSHOT);
    expect(order.hasReport).toBe(true);
    expect(resolveForWorker(order, { root: "/w/t1", reportFile: "/w/r$&.xml" }).argv).toEqual([
      "pytest",
      "--junitxml=/w/r$&.xml",
    ]);
  });
});

describe("paths", () => {
  it("are replaced only as whole names", () => {
    const translate = pathTranslator("/a/b", "/c");
    expect(translate("/a/b /a/b/x file:///a/b:3 (/a/b) '/a/b'")).toBe("/c /c/x file:///c:3 (/c) '/c'");
    expect(translate("/a/bc /x/a/b /a/b.old /a/b-2")).toBe("/a/bc /x/a/b /a/b.old /a/b-2");
    expect(pathTranslator("/", "/c")("/ /x")).toBe("/ /x");
  });

  it("are replaced in a stream wherever it is split", () => {
    const text = "at /tmp/tree-1/src/a.ts\n/tmp/tree-1\n/tmp/tree-\n/tmp/tmp/tree-1!";
    const wanted = text.replaceAll("/tmp/tree-1", "/home/me");
    for (let size = 1; size < text.length; size++) {
      const translator = new StreamTranslator("/tmp/tree-1", "/home/me");
      let out = "";
      for (let at = 0; at < text.length; at += size)
        out += translator.push(Buffer.from(text.slice(at, at + size))).toString();
      expect(out + translator.end().toString()).toBe(wanted);
    }
  });
});

describe("labels", () => {
  it("are names with or without a value", () => {
    expect(readLabels(["gpu", "os=linux", " gpu "], "x")).toEqual(["gpu", "os=linux"]);
    for (const bad of ["", "a b", "=x", "a=", "-x", "a,b", "x".repeat(200)])
      expect(() => readLabels([bad], "labels"), bad).toThrow(/labels: .* is no label/);
    expect(() =>
      readLabels(
        Array.from({ length: 40 }, (_, i) => `l${i}`),
        "labels",
      ),
    ).toThrow(/at most 32/);
  });
});

it("rejects a heartbeat that is too slow for its lease", () => {
  const section = {
    submitter: "",
    requires: [],
    infer_needs: true,
    priority: "normal" as const,
    reuse: "off" as const,
    slots: 0,
    labels: [],
    lease_ms: 1_000,
    heartbeat_ms: 600,
    max_attempts: 3,
    max_time_ms: 0,
    max_memory_mb: 0,
    max_processes: 0,
    max_disk_mb: 0,
    fallback: true,
  };
  const prepare = { detect: true, folders: [], files: [], commands: [], timeout_ms: 1_000 };
  const permissions = { allow: ["*"], ask: [], deny: [], env: ["*"] };
  const config = { pool: section, "pool.prepare": prepare, permissions };
  expect(() => poolSettings(config)).toThrow(/at most half/);
  const valid = { ...config, pool: { ...section, heartbeat_ms: 200 } };
  const settings = poolSettings(valid);
  expect(settings.submitter).toContain("@");
  expect(settings.slots).toBeGreaterThan(0);
  expect(settings.labels.some((label) => label.startsWith("os="))).toBe(true);
  for (const [bad, message] of [
    [{ folders: ["../other"] }, /is not a folder of the repository/],
    [{ commands: ["make deps"] }, /commands but no files/],
    [{ files: ["[a"] }, /is not a glob/],
  ] as const)
    expect(() => poolSettings({ ...valid, "pool.prepare": { ...prepare, ...bad } })).toThrow(message);
});
