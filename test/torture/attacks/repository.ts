import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../attack.ts";
import { damage } from "../damage.ts";
import { editOnce, plant } from "../edits.ts";
import { askOne } from "../oracle.ts";
import { Tree } from "../tree.ts";

/** Checks that the working tree is answered for whatever the state of git's own files. */
export const repository: Attack = {
  name: "repository",
  about: "damage in .git, while the server runs and before it starts",
  async round(trial) {
    const { random } = trial;
    const root = join(trial.folder, "work");
    const tree = new Tree(root, random.fork("tree"));
    plant(tree, random, random.size(40) + 3);
    if (!existsSync(join(root, ".git"))) execFileSync("git", ["init", "-q"], { cwd: root });
    const live = random.chance(0.5);
    const before = live ? await trial.serve() : undefined;
    if (random.chance(0.5)) await before?.call("sync_repo");
    for (let i = random.int(1, 3); i > 0; i--) trial.tried(damage(random, join(root, ".git")).way);
    const peer = before ?? (await trial.serve());
    for (let i = 0; i < 6; i++) {
      if (random.chance(0.4)) editOnce(tree, random);
      await askOne(trial, tree, peer, random);
    }
    for (const ref of ["HEAD", "main", "HEAD~1"]) await peer.call("search_code", { query: "fn_x", ref });
    await peer.call("index_status");
  },
};
