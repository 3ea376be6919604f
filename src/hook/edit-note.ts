import { realpathSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { currentEnvironment, dataFolderOf } from "../config/environment.ts";
import { loadConfig } from "../config/load.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import { socketsFor } from "./server-address.ts";
import { type EditWork, fieldsOf, type HookReply } from "./work.ts";

/**
 * Checks files that the client's own tools have edited. A server that runs for the folder has the index in memory and
 * checks everything; without one, only the syntax is checked, by code that is loaded only then.
 */
export async function noteEdits({ cwd, files }: EditWork): Promise<HookReply | undefined> {
  const environment = currentEnvironment();
  const { config } = loadConfig(environment, await workspaceRootOf(cwd), {});
  const dataFolder = dataFolderOf(config, environment);
  const answer = await askServers(socketsFor(dataFolder, realpathSync(cwd)), JSON.stringify({ files }));
  const note = answer ?? (await (await import("./check-alone.ts")).checkAlone(cwd, files));
  return note === "" ? undefined : { note };
}

/** Returns the first answer of a running server; undefined if none answers. */
async function askServers(sockets: readonly string[], question: string): Promise<string | undefined> {
  for (const socket of sockets) {
    const { note } = fieldsOf(await ask(socket, question));
    if (typeof note === "string") return note;
  }
  return undefined;
}

function ask(path: string, question: string): Promise<unknown> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(path, () => void socket.end(question));
    socket.on("data", (chunk) => void chunks.push(Buffer.from(chunk)));
    socket.on("error", (error) => {
      // The socket of a server that was killed stays behind, and nobody else removes it.
      if ("code" in error && error.code === "ECONNREFUSED") rmSync(path, { force: true });
      resolve(undefined);
    });
    socket.on("close", () =>
      resolve(chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString("utf8"))),
    );
  });
}
