import type { Executor, RunOrder } from "./active-run.ts";

/** What a command printed that ran outside of Pith and exited with 0. */
export interface ObservedOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns the order for a command that is not executed. Its command line starts nothing, so that no stage is recorded. */
export function observedOrder(order: RunOrder): RunOrder {
  return { ...order, argv: ["observed"] };
}

/** Returns an executor that passes on output that exists already. */
export function replayOf({ stdout, stderr }: ObservedOutput): Executor {
  return async (_, { onOutput }) => {
    for (const [stream, text] of [
      ["stdout", stdout],
      ["stderr", stderr],
    ] as const)
      if (text !== "") await onOutput(stream, Buffer.from(text.endsWith("\n") ? text : `${text}\n`));
    return { cause: "exit", exitCode: 0 };
  };
}
