import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Services } from "../app/services.ts";
import { CONNECTION_TIMEOUTS, limitConnections } from "../http/connections.ts";
import { type Access, createAccess, randomToken } from "./access.ts";
import { createUiRoutes, UI_PATH } from "./routes.ts";

const MAX_CONNECTIONS = 256;

/** The page on a port of its own. */
export interface UiServer {
  /** The link that a person opens, with the token. It can be opened again as long as the server runs. */
  readonly link: string;
  /** Returns a link that works once. */
  singleUseLink(): string;
  close(): Promise<void>;
}

/** Serves the page on the loopback interface, with a token that is new at each start. */
export async function serveUi(services: Services, port: number): Promise<UiServer> {
  const token = randomToken();
  const access: Access = createAccess(token);
  const routes = createUiRoutes(services, { access, showsAll: true });
  const http = createServer(CONNECTION_TIMEOUTS, (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (routes.isRoute(path)) void routes.handle(request, response);
    else {
      response.writeHead(path === "/" ? 302 : 404, path === "/" ? { Location: `${UI_PATH}/` } : {});
      response.end();
    }
  });
  limitConnections(http, MAX_CONNECTIONS);
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, "127.0.0.1", () => {
      http.off("error", reject);
      resolve();
    });
  });
  // Without a listener, a connection that cannot be accepted would end the process.
  http.on("error", (error) => services.logger.event("ui.error", { error: error.message }, "warn"));
  const base = `http://127.0.0.1:${addressOf(http.address()).port}${UI_PATH}/`;
  return {
    link: `${base}#token=${token}`,
    singleUseLink: () => `${base}#token=${access.singleUseToken()}`,
    async close() {
      routes.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address;
}
