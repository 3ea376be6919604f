import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface PruneRequestBody {
  readonly query: string;
  readonly code: string;
  readonly threshold: number;
}

export type Behaviour = (body: PruneRequestBody, response: ServerResponse, request: IncomingMessage) => void;

/** Starts a pruning service on loopback whose behaviour the test defines; it counts its calls. */
export async function startPrunerService(
  behave: Behaviour,
): Promise<{ url: string; calls(): number; bodies: PruneRequestBody[] }> {
  const bodies: PruneRequestBody[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => void (text += chunk));
    request.on("end", () => {
      const body = JSON.parse(text) as PruneRequestBody;
      bodies.push(body);
      behave(body, response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, calls: () => bodies.length, bodies };
}

/** Creates a behaviour that answers with JSON. */
export function json(value: unknown, status = 200): Behaviour {
  return (_body, response) => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(value));
  };
}
