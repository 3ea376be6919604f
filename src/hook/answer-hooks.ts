import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";
import { checkEditsOf } from "../app/edit-check.ts";
import type { Services } from "../app/services.ts";
import { makePrivateFolder } from "../kernel/make-folder.ts";
import type { EditedFile } from "../model/edits.ts";
import { readAll } from "./read-all.ts";
import { socketPath } from "./server-address.ts";
import { isWatchRequest, sendCalls } from "./watch-calls.ts";
import { fieldsOf, textOf } from "./work.ts";

/**
 * The delay before the socket is opened. Clients start a server twice to detect its protocol; the first of these
 * processes has ended by then.
 */
const DELAY_MS = 400;

/**
 * Answers the hooks of clients that work in the same folder, on a socket that only this user can open: a server has the
 * index in memory, which a hook would have to load for each edit. Returns a function that ends it.
 */
export function answerHooks(services: Services, workspace: string): () => void {
  const path = socketPath(services.dataFolder, workspace, process.pid);
  if (path === undefined) return () => undefined;
  const server = createServer(
    { allowHalfOpen: true },
    (socket) => void answerOne(socket, services, workspace),
  );
  const report = (error: unknown): void =>
    services.logger.event("hooks.not_answered", { message: String(error) }, "warn");
  server.on("error", report);
  const timer = setTimeout(() => void open(server, path).catch(report), DELAY_MS);
  timer.unref();
  return () => {
    clearTimeout(timer);
    server.close();
    try {
      rmSync(path, { force: true });
    } catch (error) {
      // The data folder cannot be used, so that there is no socket to remove either.
      report(error);
    }
  };
}

async function open(server: Server, path: string): Promise<void> {
  await makePrivateFolder(dirname(path));
  // The socket of an earlier process with the same number, which was killed, is in the way.
  rmSync(path, { force: true });
  server.listen(path, () => chmodSync(path, 0o600));
  // The process ends with its client, whoever may still ask.
  server.unref();
}

async function answerOne(socket: Socket, services: Services, workspace: string): Promise<void> {
  try {
    const question: unknown = JSON.parse(await readAll(socket));
    if (isWatchRequest(question)) return sendCalls(socket, services.calls);
    const files = filesIn(question);
    const note = await checkEditsOf(services, workspace, { files, withUses: true });
    socket.end(JSON.stringify({ note }));
  } catch (error) {
    services.logger.event("hooks.check_failed", { message: String(error) }, "warn");
    socket.destroy();
  }
}

function filesIn(question: unknown): readonly EditedFile[] {
  const { files } = fieldsOf(question);
  if (!Array.isArray(files)) return [];
  return files.map((file) => {
    const { path, before } = fieldsOf(file);
    return { path: textOf(path), ...(typeof before === "string" && { before }) };
  });
}
