import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { readReply } from "../judge.ts";

const OUTSIDE = "line-from-outside";

/** Replaces `work/sub` by a link that leads out of the workspace, and puts it back, as fast as it can. */
const SWAPPER = `
const { renameSync, symlinkSync, rmSync } = require("node:fs");
const [sub, kept, outside] = process.argv.slice(1);
process.stdout.write("ready");
for (;;) {
  renameSync(sub, kept); symlinkSync(outside, sub);
  for (let i = 0; i < 2e5; i++);
  rmSync(sub); renameSync(kept, sub);
  for (let i = 0; i < 2e5; i++);
}`;

/** Checks that no text from outside the workspace is read through a folder that is a link for an instant. */
export const linkRace: Attack = {
  name: "link-race",
  about:
    "a folder of the workspace that is a link to another folder for instants, while it is read, searched and indexed",
  async round(trial) {
    const outside = join(trial.folder, "outside");
    const sub = join(trial.folder, "work", "sub");
    for (const [folder, text] of [
      [outside, OUTSIDE],
      [sub, "line-from-inside"],
    ] as const) {
      mkdirSync(folder, { recursive: true });
      for (let i = 0; i < 5; i++)
        writeFileSync(join(folder, `f${i}.ts`), `export const shared_name_${i} = "${text}";\n`);
    }
    const swapper = spawn(process.execPath, [
      "-e",
      SWAPPER,
      sub,
      join(trial.folder, "work", "kept"),
      outside,
    ]);
    trial.afterwards(() => void swapper.kill("SIGKILL"));
    await new Promise((resolve) => swapper.stdout.once("data", resolve));
    const peer = await trial.serve();
    const until = Date.now() + 700;
    while (Date.now() < until) {
      const path = `sub/f${trial.random.int(0, 4)}.ts`;
      const answers = await Promise.all(
        [
          ["grep", { pattern: "shared_name" }],
          ["grep", { pattern: "shared_name", path: "sub" }],
          ["read", { file_path: path }],
          ["get_file_outline", { path }],
          ["search_code", { query: "shared_name" }],
        ].map(([name, args]) => peer.request("tools/call", { name, arguments: args })),
      );
      for (const answer of answers)
        if (readReply(answer).text.includes(OUTSIDE))
          trial.found("wrong line", "a line from outside the workspace");
      trial.tried("calls during swaps", answers.length);
      await delay(1);
    }
  },
};
