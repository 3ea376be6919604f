import type { ServerResponse } from "node:http";
import { HttpError } from "../http/body.ts";
import { assetPath } from "../kernel/assets.ts";
import { readSmallFile } from "../kernel/files/small-file.ts";
import { COMMON_HEADERS } from "./respond.ts";

/** Everything comes from this server, and no script or style can stand in the HTML itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const TYPES: Readonly<Record<string, string>> = {
  "page.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** Sends a file of the page. Every other path is a view of the page, so it gets the HTML. */
export function sendAsset(response: ServerResponse, path: string): void {
  const name = path.replace(/^\//, "");
  const type = TYPES[name];
  if (type === undefined && /\.[a-z]{1,5}$/.test(name)) throw new HttpError(404, "Not found");
  const file = readSmallFile(assetPath(`ui/${type === undefined ? "index.html" : name}`));
  if (!("bytes" in file))
    throw new HttpError(500, "The page is not in this installation: install Pith again");
  response.writeHead(200, {
    ...COMMON_HEADERS,
    "Content-Type": type ?? "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
  });
  response.end(file.bytes);
}
