import type { IncomingMessage, ServerResponse } from "node:http";
import type { Services } from "../app/services.ts";
import { HttpError, readJson } from "../http/body.ts";
import { toPithError } from "../kernel/errors.ts";
import { maskError } from "../security/secrets/mask-error.ts";
import { type Access, checkOrigin } from "./access.ts";
import { sendAsset } from "./assets.ts";
import { API } from "./api/routes.ts";
import { readParameters } from "./parameters.ts";
import { sendError, sendJson } from "./respond.ts";
import { createUiContext, type UiContext } from "./context.ts";
import { streamEvents } from "./events.ts";

/** The path of the page; everything below it belongs to the page. */
export const UI_PATH = "/ui";

/** The page and the routes that it calls. */
export interface UiRoutes {
  isRoute(path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): void;
}

export interface UiOptions {
  readonly access: Access;
  /** True if the page is for a person at this machine, who may see all projects and the calls of all servers. */
  readonly showsAll: boolean;
}

/** Creates the routes. Nothing is read before the first request. */
export function createUiRoutes(services: Services, { access, showsAll }: UiOptions): UiRoutes {
  const context = createUiContext(services, showsAll);
  return {
    isRoute: (path) => path === UI_PATH || path.startsWith(`${UI_PATH}/`),
    async handle(request, response) {
      try {
        await route({ request, response, access, context });
      } catch (thrown) {
        if (response.headersSent) response.destroy();
        else sendError(response, thrown instanceof HttpError ? thrown : maskError(toPithError(thrown)).error);
      }
    },
    close: () => context.close(),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly access: Access;
  readonly context: UiContext;
}

async function route({ request, response, access, context }: Exchange): Promise<void> {
  checkOrigin(request);
  const url = new URL(request.url ?? "/", "http://localhost");
  const path = url.pathname.slice(UI_PATH.length);
  const { method = "GET" } = request;
  if (path === "") return redirect(response);
  if (!path.startsWith("/api/")) {
    if (method !== "GET") throw new HttpError(405, `No ${method} here`);
    return sendAsset(response, path);
  }
  if (path === "/api/session" && method === "POST") {
    const body = await readJson(request);
    const token = typeof body === "object" && body !== null && "token" in body ? body.token : undefined;
    return sendJson(response, { key: access.openSession(token) });
  }
  access.authorize(request);
  if (path === "/api/events" && method === "GET")
    return streamEvents(response, context, url.searchParams.get("run") ?? undefined);
  const name = path.slice("/api/".length);
  const handler = API[`${method} ${name}`];
  if (handler === undefined)
    throw Object.keys(API).some((key) => key.endsWith(` ${name}`))
      ? new HttpError(405, `No ${method} here`)
      : new HttpError(404, "Not found");
  const body = method === "POST" ? await readJson(request) : Object.fromEntries(url.searchParams);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  sendJson(response, await handler(readParameters(body), context, gone.signal));
}

/** The page lives in a folder, so that its links are relative to it. */
function redirect(response: ServerResponse): void {
  response.writeHead(302, { Location: `${UI_PATH}/` });
  response.end();
}
