import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { buildTools } from "../../src/diagnostics/registry/build-tools.ts";
import { cacheKeys } from "../../src/pool/choice/cache-keys.ts";
import { projectNeeds } from "../../src/pool/choice/project-needs.ts";
import { detectEnvironments } from "../../src/pool/environments/detect.ts";
import { folderFacts } from "../../src/runs/plan/folder-facts.ts";
import { listTools } from "../../src/runs/plan/tool-list.ts";
import { nearestText } from "../../src/workspace/files/folder-files.ts";
import { createFileTree } from "../../src/workspace/files/file-tree.ts";
import { findRepository, readHead } from "../../src/workspace/git/git-repository.ts";
import { grep } from "../../src/workspace/grep/grep.ts";
import { createJail } from "../../src/workspace/jail.ts";
import { makeFolder } from "../support/folder.ts";
import { canMakeDevices, OUTSIDE_TEXT, putSpecial, SPECIAL_KINDS } from "../support/special-files.ts";

const kinds = [...Object.keys(SPECIAL_KINDS), ...(canMakeDevices() ? ["device"] : [])];

/**
 * Every file of a workspace that is read for its meaning, with the functions that read it. Those that are read whatever the others
 * are stand together in one workspace.
 */
const RULES = [
  [".ignore", ".pithignore", "sub/.pithignore", ".rgignore"],
  [".gitignore", "sub/.gitignore"],
];
const GIT_FILES = [
  [".gitattributes", ".gitmodules", ".git/info/exclude", ".git/info/attributes"],
  [".git/HEAD"],
  [".git/config"],
  [".git/index"],
  [".git/packed-refs"],
  [".git/refs/heads/main"],
  [".git/commondir"],
];
/** Each kind meets some of the files of git, and each file a third of the kinds; PITH_TEST_FULL=1 tries all pairs. */
function inTurn<T>(all: readonly T[], turn: number): readonly T[] {
  if (process.env["PITH_TEST_FULL"] === "1") return all;
  return all.filter((_, at) => (at + turn) % 3 === 0);
}
const NAMED =
  `package.json tsconfig.json Cargo.toml go.mod pyproject.toml setup.cfg Makefile CMakeLists.txt Gemfile uv.lock
  poetry.lock global.json pubspec.yaml .flake8 .clang-tidy package-lock.json pnpm-lock.yaml yarn.lock bun.lock`.split(
    /\s+/,
  );
const MANIFESTS = [...new Set([...NAMED, ...buildTools.flatMap(({ manifests = [] }) => manifests)])].filter(
  (name) => !name.includes("*"),
);

test.each(kinds)("%s in the place of pith.toml", async (kind) => {
  const { root, close } = await workspaceWith(["pith.toml"], kind);
  const environment = { variables: {}, home: makeFolder(), cwd: root, platform: process.platform };
  const message = loadConfig(environment, root).refused.join();
  close();
  // A link that leads nowhere is a missing file; root may read every file.
  const isAccepted = /dangling|itself/.test(kind) || (kind === "unreadable" && process.getuid?.() === 0);
  if (!isAccepted) expect(message).toMatch(/pith\.toml (?:is|cannot)/);
  expect(message).not.toContain(OUTSIDE_TEXT);
});

test.each(kinds)("%s in the place of each ignore file", async (kind) => {
  for (const files of RULES) {
    const isGit = files.includes(".gitignore");
    const { root, close } = await workspaceWith(files, kind, isGit);
    const repository = isGit ? await findRepository(root) : undefined;
    expect(await createFileTree(root, repository).list(), files.join()).toContain("a.txt");
    const found = await grep(await createJail([root]).resolve(".", root), { patterns: ["needle"] });
    expect(
      found.files.map(({ path }) => path),
      files.join(),
    ).toContain("a.txt");
    close();
  }
});

test.each(kinds)("%s in the place of files of git", async (kind) => {
  for (const files of inTurn(GIT_FILES, kinds.indexOf(kind))) {
    const { root, close } = await workspaceWith(files, kind, true);
    const repository = await findRepository(root);
    if (repository !== undefined) await readHead(repository);
    expect(await createFileTree(root, repository).list(), files.join()).toContain("a.txt");
    close();
  }
});

test.each(kinds)("%s in the place of the manifests of every tool", async (kind) => {
  const { root, close } = await workspaceWith([...MANIFESTS, ".vscode/tasks.json"], kind);
  const facts = await folderFacts(root, root);
  expect(await listTools(facts, { tools: [], cwd: root, workspace: root, path: "" })).toBeDefined();
  const texts = [...MANIFESTS, ".vscode/tasks.json"].map((name) => nearestText(root, root, name));
  close();
  expect(texts.join("\n")).not.toContain(OUTSIDE_TEXT);
});

/** The files by which the pool chooses workers and what they install. */
const VERSION_FILES =
  ".node-version .nvmrc .python-version rust-toolchain rust-toolchain.toml .ruby-version composer.json .java-version .tool-versions".split(
    " ",
  );

test.each(kinds)("%s in the place of each file that decides about a worker", async (kind) => {
  const { root, close } = await workspaceWith([...new Set([...VERSION_FILES, ...MANIFESTS])], kind);
  const programs = ["node", "python", "cargo", "go", "ruby", "php", "java", "some-program"];
  const needs = programs.flatMap((program) => projectNeeds(root, "", [program]));
  const keys = cacheKeys({ programs, folders: [""] }, { root, cwd: "" });
  const spec = { detect: true, programs, folders: [], commands: [], files: [], timeoutMs: 1 };
  const detected = await detectEnvironments(spec, {
    root,
    cwd: "",
    listFiles: () => Promise.resolve(["a.txt"]),
  }).catch(
    // A lock file that cannot be read is an error, which names it.
    (error: unknown) => String(error),
  );
  close();
  expect(JSON.stringify([needs, keys, detected])).not.toContain(OUTSIDE_TEXT);
  expect(needs).toEqual([]);
});

async function workspaceWith(files: readonly string[], kind: string, isGit = false) {
  const outside = join(makeFolder({ "secret.txt": `${OUTSIDE_TEXT}\n` }), "secret.txt");
  const root = makeFolder({ "a.txt": "needle\n", "sub/b.txt": "needle\n" });
  if (isGit) execFileSync("git", ["init", "-q", "-b", "main", "--template=", root]);
  const closers: (() => void)[] = [];
  for (const file of files) closers.push(await putSpecial(kind, join(root, file), outside));
  return { root, close: () => closers.forEach((close) => close()) };
}
