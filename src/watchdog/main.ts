import { cleanUpSession } from "../pool/worker-home.ts";

/**
 * The watchdog process waits until a worker ends, which it notices because the worker holds the other end of its stdin.
 * A worker that exits regularly writes something first and has cleaned up itself; after a killed worker, the watchdog
 * ends the worker's processes and removes its files.
 */
const [folder, session] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const hasCleanedUp = Buffer.concat(chunks).length > 0;
if (!hasCleanedUp && folder !== undefined && session !== undefined) await cleanUpSession(folder, session);
