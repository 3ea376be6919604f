import { hostname } from "node:os";
import { errnoOf } from "../kernel/errors.ts";
import { randomId } from "../kernel/ids.ts";

/** A name for this process that is unique among all processes embedding into the same store. */
export function ownerName(): string {
  return `${hostname()} ${process.pid} ${randomId()}`;
}

/** True only if the named process certainly no longer runs; for processes of other machines this cannot be known. */
export function isGone(owner: string): boolean {
  const [host, pid] = owner.split(" ");
  if (host !== hostname() || pid === undefined || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // EPERM means that the process runs under another user.
    return errnoOf(error) === "ESRCH";
  }
}
