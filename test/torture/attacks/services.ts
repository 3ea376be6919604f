import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Attack, Trial } from "../attack.ts";
import { editOnce, plant } from "../edits.ts";
import { askOne, refusing } from "../oracle.ts";
import type { Random } from "../random.ts";
import { Tree } from "../tree.ts";

/** Checks that calls are answered whatever the team store, the pruner and the embedding service return. */
export const services: Attack = {
  name: "services",
  about:
    "a team store, a pruner and an embedding service that hang, are slow, close connections or send garbage",
  async round(trial) {
    const { random } = trial;
    const tree = new Tree(join(trial.folder, "work"), random.fork("tree"));
    plant(tree, random, random.size(30) + 3);
    const port = await listen(trial);
    const env: Record<string, string> = {
      PITH_PRUNER_TIMEOUT_MS: "500",
      ...(random.chance(0.6) && { PITH_PRUNER_ENDPOINT: `http://127.0.0.1:${port}/prune` }),
      ...(random.chance(0.6) && { PITH_STORE: `postgres://u:p@127.0.0.1:${port}/team` }),
      ...(random.chance(0.5) && {
        PITH_SEARCH_SEMANTIC_PROVIDER: random.pick(["ollama", "openai"]),
        PITH_SEARCH_SEMANTIC_ENDPOINT: `http://127.0.0.1:${port}`,
        PITH_SEARCH_SEMANTIC_MODEL: "m",
        PITH_SEARCH_SEMANTIC_TIMEOUT_MS: "500",
        PITH_SEARCH_SEMANTIC_QUERY_TIMEOUT_MS: "200",
        PITH_EMBEDDINGS_API_KEY: "k",
      }),
    };
    const peer = await trial.serve({ env });
    for (let i = 0; i < 6; i++) {
      if (random.chance(0.5)) editOnce(tree, random);
      await askOne(trial, tree, refusing(peer), random);
    }
    const [path = ""] = tree.files().keys();
    const focused = await peer.call("read", {
      file_path: path,
      context_focus_question: "where is fn_x defined?",
    });
    if (focused.error !== undefined) trial.found("lost", `a focused read: ${focused.text.slice(0, 300)}`);
    const ran = await peer.call("bash", { command: "echo here", context_focus_question: "what is here?" });
    if (!ran.text.includes("here")) trial.found("lost", `bash: ${ran.text.slice(0, 300)}`);
    await peer.call("health_check");
    trial.tried("calls", 9);
  },
};

/** Starts one misbehaving server that plays all of these services. */
async function listen(trial: Trial): Promise<number> {
  const random = trial.random.fork("server");
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
    answer(socket, random);
    trial.tried("connections");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  trial.afterwards(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function answer(socket: Socket, random: Random): void {
  const http = (status: number, body: string | Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`),
      Buffer.from(body),
    ]);
  const way = random.pick<() => void>([
    // The service never answers.
    () => undefined,
    () => socket.destroy(),
    () => socket.end(random.bytes(random.size(5_000))),
    () => socket.end(http(500, "no")),
    () => socket.end(http(200, "{")),
    () => socket.end(http(200, "null")),
    () =>
      socket.end(http(200, JSON.stringify({ kept_frags: [[-5, 1e9], "x"], pruned_code: 7, content: null }))),
    () =>
      socket.end(
        http(200, JSON.stringify({ embeddings: [[1, "x", null]], data: [{ embedding: [1e300, "1"] }] })),
      ),
    () => socket.end(http(200, random.bytes(random.size(200_000)))),
    () => socket.end(http(302, "")),
    // The service announces a length and sends less.
    () => socket.write("HTTP/1.1 200 X\r\nContent-Length: 999999\r\n\r\n{"),
    // These imitate PostgreSQL: a refusal of encryption, then broken authentication messages.
    () => socket.write("N"),
    () =>
      socket.write(
        Buffer.concat([Buffer.from("R"), Buffer.from([0, 0, 0, 8, 0, 0, 0, 0]), random.bytes(40)]),
      ),
    () => socket.write(Buffer.from([0x45, 0x7f, 0xff, 0xff, 0xff])),
  ]);
  socket.once("data", way);
}
