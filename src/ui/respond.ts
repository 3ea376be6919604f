import type { ServerResponse } from "node:http";
import { HttpError } from "../http/body.ts";
import type { ErrorCode, PithError } from "../kernel/errors.ts";

/** Headers of every response: nothing is cached, framed, sniffed, or used by another site. */
export const COMMON_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
} as const;

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { ...COMMON_HEADERS, "Content-Type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(value));
}

export function sendError(response: ServerResponse, error: PithError | HttpError): void {
  const isHttp = error instanceof HttpError;
  const body = { code: isHttp ? "refused" : error.code, message: error.message };
  sendJson(response, { error: body }, isHttp ? error.status : (STATUS[error.code] ?? 500));
}

const STATUS: Partial<Record<ErrorCode, number>> = {
  invalid_input: 400,
  not_text: 400,
  workspace_not_allowed: 403,
  permission_denied: 403,
  permission_required: 403,
  run_not_found: 404,
  file_not_found: 404,
  symbol_not_found: 404,
  workspace_not_registered: 404,
  project_not_found: 404,
  pool_unavailable: 503,
  store_unavailable: 503,
};
