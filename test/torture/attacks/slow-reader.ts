import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { readReply } from "../judge.ts";
import { ERAS } from "../peer.ts";

/** Checks that a client that reads late and slowly gets every response completely. */
export const slowReader: Attack = {
  name: "slow-reader",
  about: "a client on stdio that sends much and reads late, a little at a time",
  async round(trial) {
    const { random } = trial;
    const lines = Array.from({ length: 400 }, (_, i) => `line ${i + 1} ${random.word(60)}`);
    writeFileSync(join(trial.folder, "work", "big.txt"), lines.map((line) => `${line}\n`).join(""));
    const peer = await trial.serve({ era: random.pick(ERAS) });
    const wanted = (await peer.call("read", { file_path: "big.txt", max_tokens: 9_000 })).text;
    peer.stdout.pause();
    const count = random.int(20, 150);
    const answers = Array.from({ length: count }, () =>
      peer.request("tools/call", { name: "read", arguments: { file_path: "big.txt", max_tokens: 9_000 } }),
    );
    await delay(random.size(800));
    const trickle = setInterval(
      () => (peer.stdout.isPaused() ? peer.stdout.resume() : peer.stdout.pause()),
      7,
    );
    const whole = (await Promise.all(answers)).filter((answer) => readReply(answer).text === wanted);
    clearInterval(trickle);
    peer.stdout.resume();
    if (whole.length !== count)
      trial.found("lost", `${count - whole.length} of ${count} answers are not whole`);
    trial.tried("answers read slowly", count);
  },
};
