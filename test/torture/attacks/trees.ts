import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { commitAll, editOnce, goBackTo, plant } from "../edits.ts";
import { askOne } from "../oracle.ts";
import { ERAS } from "../peer.ts";
import { Tree } from "../tree.ts";

const EDITS = 30;

/** Checks that while files change, every reported line existed or is marked stale. */
export const trees: Attack = {
  name: "trees",
  about: "random trees and edits during concurrent queries of two servers, compared with a scan of the files",
  async round(trial) {
    const { random } = trial;
    const tree = new Tree(join(trial.folder, "work"), random.fork("tree"));
    plant(tree, random, random.size(120) + 3);
    const servers = await Promise.all(
      ERAS.slice(0, random.int(1, 2)).map((era) => trial.serve({ era, args: ["--log-level", "error"] })),
    );
    if (random.chance(0.8)) await servers[0]?.call("sync_repo");
    const editing = new AbortController();
    const edits = (async () => {
      const edit = random.fork("edit");
      for (let i = 0; i < trial.times(EDITS); i++) {
        editOnce(tree, edit);
        if (edit.chance(0.6)) await askOne(trial, tree, edit.pick(servers), edit);
        else if (edit.chance(0.5)) await delay(edit.size(60));
      }
      editing.abort();
    })();
    const lane = async (name: string): Promise<void> => {
      const ask = random.fork(name);
      while (!editing.signal.aborted) await askOne(trial, tree, ask.pick(servers), ask);
    };
    await Promise.all([edits, lane("a"), lane("b")]);
    trial.tried("edits", trial.times(EDITS));
    await switchCommits(tree, async (name) => {
      const ask = random.fork(name);
      for (let i = 0; i < 6; i++) await askOne(trial, tree, ask.pick(servers), ask);
    });
  },
};

/** Checks out two commits alternately, with queries right after each checkout. */
async function switchCommits(tree: Tree, ask: (name: string) => Promise<void>): Promise<void> {
  if (!isRepository(tree.root)) return ask("plain");
  const first = commitAll(tree);
  const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: tree.root, encoding: "utf8" }).trim();
  await ask("committed");
  for (const path of [...first.keys()].slice(0, 5))
    tree.write(path, tree.randomSource(path.slice(path.lastIndexOf(".") + 1)));
  commitAll(tree);
  await ask("changed");
  goBackTo(tree, head, first);
  await ask("back");
}

function isRepository(folder: string): boolean {
  try {
    execFileSync("git", ["rev-parse", "HEAD"], { cwd: folder, stdio: "ignore" });
    return true;
  } catch {
    // This is a plain folder or a repository without a commit.
    return false;
  }
}
