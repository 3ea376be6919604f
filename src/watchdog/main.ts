import { cleanUpSession } from "../pool/worker-home.ts";

/**
 * The watchdog process waits for the end of a worker, which holds the other end of its stdin. A worker that writes
 * something before it exits has cleaned up itself; after a killed worker, its processes are ended and its files removed.
 */
const [folder, session] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const hasCleanedUp = Buffer.concat(chunks).length > 0;
if (!hasCleanedUp && folder !== undefined && session !== undefined) await cleanUpSession(folder, session);
