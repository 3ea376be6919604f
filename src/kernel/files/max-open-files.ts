import { readSmallText } from "./small-file.ts";

/** The limit that is assumed if the system does not show it; Node raises its own limit to the highest allowed. */
const USUAL_LIMIT = 4_096;

let known: number | undefined;

/** Returns how many files, pipes and sockets this process may have open at the same time. */
export function maxOpenFiles(): number {
  known ??= readLimit() ?? USUAL_LIMIT;
  return known;
}

/** The line is `Max open files            1024                 4096                 files`. */
function readLimit(): number | undefined {
  const found = /^Max open files\s+(\d+)/m.exec(readSmallText("/proc/self/limits") ?? "")?.[1];
  return found === undefined ? undefined : Number(found);
}
