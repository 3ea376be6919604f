import { hostname } from "node:os";
import { errnoOf } from "../kernel/errors.ts";
import { randomId } from "../kernel/ids.ts";

/** Names this process among those that embed into one store. */
export function ownerName(): string {
  return `${hostname()} ${process.pid} ${randomId()}`;
}

/** Whether the process of that name is gone for sure. Of another machine nobody here can tell. */
export function isGone(owner: string): boolean {
  const [host, pid] = owner.split(" ");
  if (host !== hostname() || pid === undefined || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return errnoOf(error) === "ESRCH";
  }
}
