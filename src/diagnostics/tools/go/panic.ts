import type { Place } from "../../../model/diagnostic.ts";
import { firstOwnGoFrame } from "../../traces/go-frames.ts";

const TEST = /(?:^|[./])(?:[\w*()]+\.)*((?:Test|Fuzz|Example|Benchmark)\w*)(?:\.func\d+(?:\.\d+)*)?\(/;

/** A panic, fatal error or data race as Go's runtime prints it. */
export interface Crash {
  readonly message: string;
  readonly place: Place | undefined;
  /** The name of the test function in the stack, if there is one. */
  readonly test: string | undefined;
}

const HEAD =
  /^(?:panic: |fatal error: |unexpected fault address|runtime: goroutine stack exceeds|SIGQUIT: quit|\*\*\* Test killed)/;

/** Returns whether a crash starts with the line. */
export function isCrash(text: string): boolean {
  return HEAD.test(text);
}

/** Returns whether the line can belong to a crash that has started. */
export function continuesCrash(text: string): boolean {
  return (
    text.trim() === "" ||
    /^\s/.test(text) ||
    /^(?:goroutine \d+|\[signal |created by |exit status \d|running tests:|panic\(|runtime[.:]|testing\.|main\.|[^\s(]+\(.*\)(?:$| )|rax |r\d|\.\.\.)/.test(
      text,
    )
  );
}

/** Reads the lines of one crash. */
export function readCrash(lines: readonly string[]): Crash {
  const first = lines[0] ?? "";
  const again = lines.findLast((line) => line.startsWith("	panic: "));
  const message = (again?.trim() ?? first)
    .replace(/^(?:panic|fatal error): /, "")
    .replace(/ \[recovered(?:, repanicked)?\]$/, "");
  const named = /^\s+((?:Test|Fuzz|Example)\S*) \([\d.]+m?s\)$/;
  const running = lines.map((line) => named.exec(line)?.[1]).find((name) => name !== undefined);
  const stack = lines.map((line) => TEST.exec(line)?.[1]).find((name) => name !== undefined);
  return {
    message,
    place: firstOwnGoFrame(lines),
    test: running ?? stack,
  };
}
