import { gunzipSync } from "node:zlib";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { runSql } from "../support/postgres.ts";
import { folderAt, type GitFolder, temporaryFolder, temporaryRepository } from "../support/git-folder.ts";
import { callJson, connectServer, LONG_MS, usePool } from "../support/pool.ts";
import { checkVariables } from "../support/checked-repository.ts";
import { call } from "../support/client.ts";
import { INLINE, seenIn } from "../support/secret-files.ts";
import { randomNumbers } from "../pool/chaos/attack.ts";

vi.setConfig({ testTimeout: LONG_MS });

const REUSE = { PITH_POOL_REUSE: "checks", PITH_POOL_FALLBACK: "false" };
/** A checker whose package is committed. It complains about each line with the word that is configured as bad. */
const CHECKER = `#!/bin/sh
code=0
for file in src/*.ts; do
  grep -n "$(cat bad-word)" "$PWD/$file" | while IFS=: read line text; do
    echo "$PWD/$file($line,1): error TS1001: $text"
  done
  grep -q "$(cat bad-word)" "$file" && code=2
done
exit $code
`;

const pool = usePool((home) => ({ env: checkVariables(home) }));

function project(): GitFolder {
  const folder = temporaryRepository({
    "node_modules/.bin/tsc": CHECKER,
    ".gitignore": "generated\nsrc/ignored.ts\n",
    "bad-word": "bad",
    "src/a.ts": "bad one\n",
    "src/b.ts": "good\n",
  });
  onTestFinished(() => folder.dispose());
  chmodSync(join(folder.root, "node_modules/.bin/tsc"), 0o755);
  folder.git("add", "-f", "-A");
  folder.git("commit", "-q", "-m", "checker");
  return folder;
}

/** The same commit in another folder, as on the machine of somebody else. */
function cloneOf(folder: GitFolder): GitFolder {
  const parent = temporaryFolder();
  onTestFinished(() => parent.dispose());
  const root = join(parent.root, "elsewhere");
  folder.git("clone", "-q", folder.root, root);
  return folderAt(root, {});
}

const check = (client: Client, force = false) =>
  callJson(client, "run_command", { command: "tsc --noEmit", ...(force && { force }) });

/** What a reply says about the files, without what differs from run to run. */
function answerOf({ exit_code, success, errors, summary }: Record<string, unknown>): unknown {
  return { exit_code, success, errors, summary };
}

it("answers a check that somebody else has run, in the words of the asker, until something changes", async () => {
  const ada = project();
  const clone = cloneOf(ada);
  const { url } = pool();
  const [first, second] = await Promise.all([
    connectServer(ada.root, url, { ...REUSE, PITH_POOL_SUBMITTER: "ada@desk" }),
    connectServer(clone.root, url, { ...REUSE, PITH_POOL_SUBMITTER: "bob@desk" }),
  ]);
  const ran = await check(first);
  expect(ran).toMatchObject({ success: false, exit_code: 2, worker: expect.any(String) });
  expect(ran).not.toHaveProperty("reused");
  const same = await check(second);
  expect(same).toMatchObject({
    reused: { run: ran["job_id"], by: "ada@desk" },
    queued_ms: expect.any(Number),
  });
  expect(answerOf(same)).toEqual(answerOf(ran));
  // It is a run of its own, with the log, and names the folder of the one who asked.
  expect(same["job_id"]).not.toBe(ran["job_id"]);
  const log = await call(second, "get_job_logs", { job_id: String(same["job_id"]) });
  expect(log).toContain(`${clone.root}/src/a.ts(1,1): error TS1001: bad one`);
  expect(await call(second, "run_command", { command: "tsc --noEmit" })).toMatch(
    /^same tree as run r\w+ of ada@desk \d+ s before: its answer; force=true runs again\n/,
  );
  expect(await check(second, true)).not.toHaveProperty("reused");
  // The newest run of the same check answers.
  expect(await check(first)).toMatchObject({ reused: { by: "bob@desk" } });

  clone.write("src/b.ts", `also bad\n${INLINE.map(({ line }) => `bad ${line}\n`).join("")}`);
  const changed = await check(second);
  expect(changed).not.toHaveProperty("reused");
  expect(JSON.stringify(changed["errors"])).toContain("also bad");
  const [kept] = await runSql(url, "SELECT answer FROM pith.check_answer");
  const answers = (kept?.rows ?? []).map(({ answer }) => gunzipSync(answer as Buffer).toString("utf8"));
  expect(answers.filter((answer) => answer.includes("also bad"))).toHaveLength(1);
  expect(seenIn(new Map([["an answer that is kept for others", answers.join("\n")]]))).toEqual([]);
  const off = await connectServer(clone.root, url, { PITH_POOL_FALLBACK: "false" });
  expect(await check(off)).not.toHaveProperty("reused");
});

it("never answers otherwise than a new run would, whatever changes", async () => {
  const ada = project();
  const clone = cloneOf(ada);
  const { url } = pool();
  const clients = await Promise.all([ada, clone].map(({ root }) => connectServer(root, url, REUSE)));
  const random = randomNumbers(Number(process.env["PITH_CHAOS_SEED"] ?? 1));
  const changes: ((folder: GitFolder) => void)[] = [
    (folder) => folder.write("src/a.ts", `${random(2) === 0 ? "bad" : "worse"} one\n`),
    (folder) => folder.write("src/b.ts", random(2) === 0 ? "good\n" : "bad two\n"),
    (folder) => folder.write("src/untracked.ts", random(2) === 0 ? "bad three\n" : "worse\n"),
    (folder) => rmSync(join(folder.root, "src/untracked.ts"), { force: true }),
    // The worker does not get ignored files.
    (folder) => folder.write("src/ignored.ts", "bad four\n"),
    (folder) => folder.write("bad-word", random(2) === 0 ? "bad" : "worse"),
    // Another version of the checker.
    (folder) => folder.write("node_modules/.bin/tsc", CHECKER.replace("TS1001", `TS100${random(3)}`)),
    (folder) => chmodSync(join(folder.root, "node_modules/.bin/tsc"), 0o755),
  ];
  let reused = 0;
  for (let round = 0; round < 14; round++) {
    const at = random(2);
    const [folder, client] = [[ada, clone][at], clients[at]];
    if (folder === undefined || client === undefined) throw new Error("no such folder");
    changes[random(changes.length)]?.(folder);
    const given = await check(client);
    const complaints = (given["errors"] as Complaint[] | undefined) ?? [];
    const seen = complaints.map(({ file, line, code, message }) => `${file}(${line}) ${code}: ${message}`);
    expect(seen.toSorted(), `round ${round}`).toEqual(complaintsAbout(folder));
    expect(given["exit_code"]).toBe(complaints.length === 0 ? 0 : 2);
    if ("reused" in given) reused++;
  }
  expect(reused).toBeGreaterThan(0);
});

interface Complaint {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

/** What the checker says about the files of a folder that are sent to a worker. */
function complaintsAbout({ root }: GitFolder): string[] {
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");
  const code = /error (TS\d+)/.exec(read("node_modules/.bin/tsc"))?.[1];
  return ["src/a.ts", "src/b.ts", "src/untracked.ts"].flatMap((path) => {
    const lines = read(path).split("\n");
    return lines.flatMap((text, at) =>
      text.includes(read("bad-word")) ? [`${path}(${at + 1}) ${code}: ${text}`] : [],
    );
  });
}

it("trusts no answer of a login that is no worker, and none of a check that answers differently", async () => {
  const folder = project();
  const { url } = pool();
  const client = await connectServer(folder.root, url, REUSE);
  await check(client);
  expect(await check(client)).toHaveProperty("reused");
  await runSql(url, "UPDATE pith.check_answer SET trusted_for = 'mallory'");
  expect(await check(client)).not.toHaveProperty("reused");
  expect(await check(client)).toHaveProperty("reused");
  await runSql(url, "UPDATE pith.check_answer SET exit_code = 0");
  expect(await check(client, true)).not.toHaveProperty("reused");
  expect(await check(client)).not.toHaveProperty("reused");
});
