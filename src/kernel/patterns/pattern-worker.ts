import { workerData } from "node:worker_threads";
import { SLOT, STATE, type ThreadMemory, type ThreadPattern } from "./pattern-thread.ts";

/** Answers the calls of a PatternThread until it is ended. The cast is safe, because only PatternThread starts this file. */
const { numbers, text, patterns } = workerData as ThreadMemory & {
  readonly patterns: readonly ThreadPattern[];
};
const expressions = patterns.map(({ source, flags }) => new RegExp(source, `${flags}d`));

for (let state: number = STATE.idle; ;) {
  Atomics.store(numbers, SLOT.state, state);
  Atomics.notify(numbers, SLOT.state);
  while (Atomics.load(numbers, SLOT.state) !== STATE.asked) Atomics.wait(numbers, SLOT.state, state);
  const letters = text.slice(0, numbers[SLOT.textLength]);
  const line = Buffer.from(letters.buffer, 0, letters.byteLength).toString("utf16le");
  const places = expressions[numbers[SLOT.pattern] ?? -1]?.exec(line)?.indices ?? [];
  const room = numbers.length - SLOT.answer;
  const answer = places.slice(0, Math.floor(room / 2)).flatMap((place) => place ?? [-1, -1]);
  numbers.set(answer, SLOT.answer);
  numbers[SLOT.answerLength] = answer.length;
  state = STATE.answered;
}
