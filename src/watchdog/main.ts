import { leaveNothing } from "../pool/worker-home.ts";

/**
 * Waits for the end of a worker, which holds the other end of its stdin. A worker that says goodbye has cleared its
 * place itself; after one that was killed, its processes are ended and its files removed, whoever else is there or not.
 */
const [folder, session] = process.argv.slice(2);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const saidGoodbye = Buffer.concat(chunks).length > 0;
if (!saidGoodbye && folder !== undefined && session !== undefined) await leaveNothing(folder, session);
