import { PithError, errnoOf } from "../../kernel/errors.ts";
import { showPlace, type StorePlace } from "./store-url.ts";

/** A driver's error as one that a caller can act on. It names the place, and never the password. */
export function postgresError(error: unknown, place: StorePlace): PithError {
  if (error instanceof PithError) return error;
  const state = errnoOf(error) ?? "";
  const message = error instanceof Error ? error.message : String(error);
  const known = Object.entries(BY_STATE).find(([start]) => state.startsWith(start))?.[1];
  const code = known?.code ?? (isConnectionTrouble(state, message) ? "store_unavailable" : "internal_error");
  const suggestion = known?.suggestion ?? (code === "store_unavailable" ? AWAY : undefined);
  return new PithError(
    code,
    `PostgreSQL at ${showPlace(place)}: ${reasonOf(message, error)}`,
    { ...(suggestion !== undefined && { suggestion }), ...(state !== "" && { state }) },
    { cause: error },
  );
}

const AWAY = "Check that the server runs and can be reached; Pith goes on locally until it is back.";

/** By SQLSTATE, or the beginning of it. */
const BY_STATE: Readonly<
  Record<string, { readonly code: "store_unavailable" | "permission_denied"; readonly suggestion: string }>
> = {
  "28": { code: "store_unavailable", suggestion: "Check the user and password of the store's URL." },
  "3D000": { code: "store_unavailable", suggestion: "Create the database, or correct its name in the URL." },
  "42501": {
    code: "permission_denied",
    suggestion: "Connect with a role that may do this; pith store roles shows what each role may do.",
  },
  "42P01": {
    code: "store_unavailable",
    suggestion: "Run pith store migrate with the owner of the database.",
  },
  "3F000": {
    code: "store_unavailable",
    suggestion: "Run pith store migrate with the owner of the database.",
  },
  "57014": {
    code: "store_unavailable",
    suggestion: "The server is slow or busy: look at its load and try again.",
  },
};

/** Classes of SQLSTATE: connection, resources, operator's intervention, system errors. */
const TROUBLE = /^(?:08|53|57|58)/;
const SYSTEM_ERRORS: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
]);
/** What the driver says itself has no code. */
const DRIVER_TROUBLE = /terminat|timeout|not support SSL|not queryable|connection|certificate|closed/i;

function isConnectionTrouble(state: string, message: string): boolean {
  if (TROUBLE.test(state) || SYSTEM_ERRORS.has(state)) return true;
  return !/^[0-9A-Z]{5}$/.test(state) && DRIVER_TROUBLE.test(message);
}

/** Several addresses that all refuse come as one error without a text. */
function reasonOf(message: string, error: unknown): string {
  if (message !== "") return message;
  return error instanceof AggregateError
    ? error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join("; ")
    : "no reason given";
}
