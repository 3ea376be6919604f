import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createConnection, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { CONNECTION_TIMEOUTS, limitConnections } from "../../src/http/connections.ts";

async function serve(max: number): Promise<{ http: Server; port: number; connect: () => Promise<Socket> }> {
  const http = createServer(CONNECTION_TIMEOUTS, (_, response) => response.end("answer"));
  limitConnections(http, max);
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  const connect = async (): Promise<Socket> => {
    const socket = createConnection(port, "127.0.0.1").on("error", () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return socket;
  };
  return { http, port, connect };
}

const REQUEST = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

it("closes the connection that has been silent longest if half of all are silent", async () => {
  const { connect } = await serve(8);
  const sockets: Socket[] = [];
  for (let i = 0; i < 4; i++) sockets.push(await connect());
  const [first, second] = sockets;
  if (first === undefined || second === undefined) throw new Error("no socket");
  const closed = once(first, "close");
  first.resume();
  sockets.push(await connect());
  await closed;
  second.write(REQUEST);
  const [answer] = await once(second, "data");
  expect(String(answer)).toContain("200 OK");
});

it("answers a crowd that connects and asks while the server is busy", async () => {
  const { connect, http } = await serve(100);
  let accepted = 0;
  http.on("connection", () => accepted++);
  const sockets = await Promise.all(Array.from({ length: 80 }, connect));
  const answers = sockets.map(async (socket) => String((await once(socket, "data"))[0]));
  for (const socket of sockets) socket.write(REQUEST);
  // Nothing is read for a while, as on a busy machine.
  const until = performance.now() + 200;
  while (performance.now() < until);
  await nextTurn();
  expect((await Promise.all(answers)).filter((text) => text.includes("200 OK"))).toHaveLength(80);
  expect(accepted).toBe(80);
});
