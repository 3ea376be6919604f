import { existsSync } from "node:fs";

/** The program of util-linux that sets the limits of a process, by a path that no workspace can change; undefined without it. */
export const PRLIMIT = ["/usr/bin/prlimit"].find((path) => process.platform === "linux" && existsSync(path));
