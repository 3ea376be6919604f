import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { call, WITH_INDEX_TOOLS } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

const CANARY = "canary_4c1f77";

/** The calls that read a repository without running anything in it. */
const LOOKS = [
  ["search_code", { query: "answer" }],
  ["search_code", { query: "answer", ref: "main" }],
  ["search_code", { query: "canary", ref: "HEAD" }],
  ["locate_symbol", { name: "answer" }],
  ["locate_symbol", { name: "answer", ref: "HEAD" }],
  ["get_file_outline", { path: "a.py" }],
  ["get_file_outline", { path: "b.py", ref: "main" }],
  ["read", { file_path: "a.py" }],
  ["grep", { pattern: "answer|canary" }],
  ["index_repository", { force_reindex: true }],
  ["index_repository", { ref: "main" }],
  ["sync_repo", {}],
  ["index_status", {}],
  ["health_check", {}],
  ["build", { action: "list" }],
] as const;

async function lookAround(workspace: string): Promise<string> {
  const client = await connect(workspace, { args: WITH_INDEX_TOOLS });
  const replies: string[] = [];
  for (const [tool, args] of LOOKS) replies.push(await call(client, tool, args));
  return replies.join("\n");
}

function git(folder: string, ...args: string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...identity, ...args], { cwd: folder, stdio: "pipe" });
}

function makeRepository(): string {
  const work = makeFolder({
    "a.py": "def answer():\n    return 42\n",
    "b.py": "def other():\n    return answer()\n",
    ".gitattributes": "* filter=evil diff=evil merge=evil\n",
    ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c evil\n\tupdate = !evil\n',
  });
  git(work, "init", "-q", "-b", "main");
  git(work, "add", "-A");
  git(work, "commit", "-q", "-m", "first");
  return work;
}

/** Creates a program that leaves a mark file when it runs. */
function makeTrap(): { readonly program: string; readonly mark: string } {
  const folder = makeFolder({ "trap.sh": "" });
  const program = join(folder, "trap.sh");
  const mark = join(folder, "mark");
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${mark}\ncat > /dev/null\n`);
  chmodSync(program, 0o755);
  return { program, mark };
}

/** Sets every git setting that names a program. */
function configureTraps(folder: string, trap: string): void {
  const settings = {
    "core.fsmonitor": trap,
    "core.sshCommand": trap,
    "core.pager": trap,
    "core.editor": trap,
    "core.askPass": trap,
    "core.gitProxy": trap,
    "core.alternateRefsCommand": trap,
    "core.hooksPath": join(folder, "hooks"),
    "diff.external": trap,
    "diff.evil.command": trap,
    "diff.evil.textconv": trap,
    "merge.evil.driver": trap,
    "filter.evil.clean": trap,
    "filter.evil.smudge": trap,
    "filter.evil.process": trap,
    "filter.evil.required": "true",
    "credential.helper": `!${trap}`,
    "gpg.program": trap,
    "pager.log": trap,
    "alias.ls-files": `!${trap}`,
    "alias.cat-file": `!${trap}`,
    "uploadpack.packObjectsHook": trap,
    "protocol.ext.allow": "always",
  };
  for (const [name, value] of Object.entries(settings)) git(folder, "config", name, value);
  mkdirSync(join(folder, "hooks"));
  for (const hook of [
    "post-index-change",
    "post-checkout",
    "pre-commit",
    "fsmonitor-watchman",
    "reference-transaction",
  ]) {
    writeFileSync(join(folder, "hooks", hook), `#!/bin/sh\nexec ${trap} hook-${hook}\n`);
    chmodSync(join(folder, "hooks", hook), 0o755);
  }
}

it("starts no program that a repository's git configuration names", async () => {
  const work = makeRepository();
  const { program, mark } = makeTrap();
  configureTraps(work, program);
  writeFileSync(join(work, "b.py"), "def changed():\n    return 1\n");
  expect(await lookAround(work)).toContain("answer");
  expect(existsSync(mark)).toBe(false);
});

it.each(["evil", "e=vil"])("starts no filter %j to find what turned a run red", async (filter) => {
  const work = makeRepository();
  const { program, mark } = makeTrap();
  configureTraps(work, program);
  writeFileSync(join(work, ".gitattributes"), `* filter=${filter} diff=evil\n`);
  git(work, "config", `filter.${filter}.clean`, program);
  const client = await connect(work);
  const command = `node -e "process.exit(fs.readFileSync('b.py').includes('changed') ? 1 : 0)"`;
  expect(await call(client, "bash", { command })).toContain("exit 0");
  writeFileSync(join(work, "b.py"), "def changed():\n    return 1\n");
  expect(await call(client, "bash", { command })).toContain("FAIL exit 1");
  expect(existsSync(mark)).toBe(false);
});

it("fetches no missing objects of a partial clone", async () => {
  const work = makeRepository();
  const { program, mark } = makeTrap();
  const blob = execFileSync("git", ["rev-parse", "HEAD:b.py"], { cwd: work, encoding: "utf8" }).trim();
  rmSync(join(work, ".git", "objects", blob.slice(0, 2), blob.slice(2)), { force: true });
  for (const [url, ssh] of [
    ["ssh://host.invalid/x", program],
    [`ext::${program} %S`, ""],
  ] as const) {
    git(work, "config", "extensions.partialClone", "origin");
    git(work, "config", "core.repositoryFormatVersion", "1");
    git(work, "config", "remote.origin.url", url);
    git(work, "config", "remote.origin.promisor", "true");
    git(work, "config", "protocol.ext.allow", "always");
    if (ssh !== "") git(work, "config", "core.sshCommand", ssh);
    await lookAround(work);
    expect(existsSync(mark)).toBe(false);
  }
});

it("stays in the workspace if a repository claims that its files are elsewhere", async () => {
  const outside = makeFolder({ "secret.py": `def answer_${CANARY}():\n    return 1\n` });
  const work = makeRepository();
  git(work, "config", "core.worktree", outside);
  expect(await lookAround(work)).not.toContain(CANARY);
});

it("does not follow tracked links out of the workspace", async () => {
  const outside = makeFolder({ "a.py": `def answer_${CANARY}():\n    return 1\n` });
  const work = makeRepository();
  mkdirSync(join(work, "lib"));
  writeFileSync(join(work, "lib", "a.py"), "def answer_inside():\n    return 1\n");
  git(work, "add", "-A");
  git(work, "commit", "-q", "-m", "second");
  rmSync(join(work, "lib"), { recursive: true });
  symlinkSync(outside, join(work, "lib"));
  expect(await lookAround(work)).not.toContain(CANARY);
  rmSync(join(work, "lib"));
  writeFileSync(join(work, ".git", "index"), indexWith(`../${basename(outside)}/a.py`));
  expect(await lookAround(work)).not.toContain(CANARY);
});

/** Builds a git index of version 2 with one entry that git itself would refuse to write. */
function indexWith(path: string): Buffer {
  const head = Buffer.from("DIRC\0\0\0\u0002\0\0\0\u0001", "latin1");
  const entry = Buffer.alloc(62 + path.length + (8 - ((62 + path.length) % 8)));
  entry.writeUInt32BE(0o100644, 24);
  entry.fill(0x11, 40, 60);
  entry.writeUInt16BE(path.length, 60);
  entry.write(path, 62);
  const body = Buffer.concat([head, entry]);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

it("answers from the files even if the repository's own data is broken", async () => {
  for (const [path, content] of [
    [".git/index", "no index"],
    [".git/HEAD", "\0garbage"],
    [".git/HEAD", "ref: refs/heads/../../../../etc/passwd\n"],
    [".git/packed-refs", `${"x".repeat(100_000)}\n`],
    [".git/config", "[broken"],
    [".gitignore", "[\n!\n\\\n/**/**/**/\n"],
  ] as const) {
    const work = makeRepository();
    writeFileSync(join(work, path), content);
    const said = await lookAround(work);
    expect(said, path).toContain("return 42");
    expect(said, path).not.toContain("internal_error");
  }
});
