import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../attack.ts";
import { randomShot, shotBeforeGreeting } from "../messages.ts";
import { ERAS } from "../peer.ts";

const SHOTS = 60;
const FIRST_ID = 1;

/** Checks that every valid request is answered, whatever comes before, between and after it. */
export const protocolStdio: Attack = {
  name: "protocol-stdio",
  about: "broken, unusual, huge, split and mixed-up messages on stdin, in both protocol versions",
  async round(trial) {
    const { random } = trial;
    writeFileSync(join(trial.folder, "work", "hello.txt"), "hello\n");
    const era = random.pick(ERAS);
    const mute = random.chance(0.3);
    const peer = await trial.serve({ era, mute });
    const owed = new Set<number>();
    const seen = new Map<number, number>();
    peer.onMessage = ({ id }) => {
      if (typeof id === "number") seen.set(id, (seen.get(id) ?? 0) + 1);
    };
    for (let i = 0; i < trial.times(SHOTS); i++) {
      const shot = (mute ? shotBeforeGreeting : randomShot)(random, FIRST_ID + i, era);
      // Before the handshake the protocol requires no responses.
      if (shot.owed !== undefined && !mute) owed.add(shot.owed);
      const line = Buffer.concat([shot.bytes, Buffer.from(random.pick(["\n", "\n", "\n", "\r\n"]))]);
      for (let at = 0; at < line.length;) {
        const piece = line.subarray(at, at + random.size(line.length) + 1);
        peer.write(piece);
        at += piece.length;
        // Two writes in separate turns of the event loop arrive as two reads.
        if (random.chance(0.2)) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    trial.tried("messages", trial.times(SHOTS));
    if (mute) await peer.greet();
    const list = await peer.request("tools/list");
    if (list["result"] === undefined)
      trial.found("lost", `no tool list after the noise (${era}): ${JSON.stringify(list).slice(0, 300)}`);
    // Responses may come in any order; a final call of the slowest kind waits for the others.
    for (let tries = 0; tries < 200 && [...owed].some((id) => !seen.has(id)); tries++)
      await peer.request("tools/list");
    for (const id of owed) if (!seen.has(id)) trial.found("lost", `request ${id} got no answer (${era})`);
    for (const id of owed)
      if ((seen.get(id) ?? 0) > 1) trial.found("bad reply", `request ${id} got two answers`);
    trial.tried("requests answered", owed.size);
  },
};
