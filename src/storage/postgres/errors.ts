import { PithError, errnoOf } from "../../kernel/errors.ts";
import { showPlace, type StorePlace } from "./store-url.ts";

/**
 * Converts a driver error to an error that a caller can act on. The new error names the database, and never the
 * password.
 */
export function postgresError(error: unknown, place: StorePlace): PithError {
  if (error instanceof PithError) return error;
  const state = errnoOf(error) ?? "";
  const message = error instanceof Error ? error.message : String(error);
  const known =
    knownByMessage(message) ?? Object.entries(BY_STATE).find(([start]) => state.startsWith(start))?.[1];
  const code = known?.code ?? (isConnectionError(state, message) ? "store_unavailable" : "internal_error");
  const suggestion = known?.suggestion ?? (code === "store_unavailable" ? UNAVAILABLE_ADVICE : undefined);
  return new PithError(
    code,
    `PostgreSQL at ${showPlace(place)}: ${reasonOf(message, error)}`,
    { ...(suggestion !== undefined && { suggestion }), ...(state !== "" && { state }) },
    { cause: error },
  );
}

type Known = { readonly code: "store_unavailable" | "permission_denied"; readonly suggestion: string };

const UNAVAILABLE_ADVICE =
  "Check that the server runs and can be reached; Pith continues locally until it is back.";

const UNTRUSTED: Known = {
  code: "store_unavailable",
  suggestion:
    "The store's URL needs sslrootcert=/path/to/ca.crt with the certificate of the authority that signed the server's.",
};

/** Known errors by their code (an SQLSTATE or a code of Node), or by the first characters of that code. */
const BY_STATE: Readonly<Record<string, Known>> = {
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
  // The next entries are codes by which Node reports failed certificate checks.
  ERR_TLS_CERT_ALTNAME_INVALID: {
    code: "store_unavailable",
    suggestion:
      "Connect to the name that the server's certificate is for; sslmode=verify-ca accepts any name of a trusted authority.",
  },
  CERT_: {
    code: "store_unavailable",
    suggestion: "Look at the dates of the server's certificate and at the clock here.",
  },
  ...Object.fromEntries(
    [
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "UNABLE_TO_GET_ISSUER_CERT",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ].map((code) => [code, UNTRUSTED]),
  ),
};

/**
 * Matches the SQLSTATE classes for connection, resource, operator and system errors, and Node's codes for TLS failures.
 */
const CONNECTION_STATES = /^(?:08|53|57|58|EPROTO|ERR_(?:SSL|OSSL|TLS)_)/;
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
/** Matches messages about lost connections that the driver itself reports, without an error code. */
const DRIVER_CONNECTION_ERRORS =
  /terminat|timeout|not support SSL|not queryable|connection|certificate|closed/i;

function isConnectionError(state: string, message: string): boolean {
  if (CONNECTION_STATES.test(state) || SYSTEM_ERRORS.has(state)) return true;
  return !/^[0-9A-Z]{5}$/.test(state) && DRIVER_CONNECTION_ERRORS.test(message);
}

const NO_PASSWORD =
  "The server asks for a password: put it into the store's URL, or as HOST:PORT:DATABASE:USER:PASSWORD into ~/.pgpass, which only you may read (chmod 600).";

/** Recognizes errors of the server and the driver that are identified only by their message. */
function knownByMessage(message: string): Known | undefined {
  const suggestion = message.includes("does not support SSL")
    ? "Set ssl = on and a certificate on the server; sslmode=disable goes without, where the network is trusted."
    : message.includes("no encryption")
      ? "The server asks for encryption: set sslmode=verify-full in the store's URL."
      : message.includes("valid client certificate")
        ? "The server asks for a certificate: add sslcert=/path/client.crt and sslkey=/path/client.key to the URL."
        : message.includes("client password must be")
          ? NO_PASSWORD
          : message.includes("no partition of relation")
            ? "No server or worker has made partitions for these days yet: connect one, or run pith store migrate."
            : undefined;
  return suggestion === undefined ? undefined : { code: "store_unavailable", suggestion };
}

/**
 * Returns a reason even if the message is empty: if several addresses refuse a connection, Node reports one
 * AggregateError without a message.
 */
function reasonOf(message: string, error: unknown): string {
  if (message !== "") return message;
  return error instanceof AggregateError
    ? error.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one))).join("; ")
    : "no reason given";
}
