import { readFile } from "node:fs/promises";
import type { ConnectionOptions } from "node:tls";
import { errnoOf, PithError } from "../../kernel/errors.ts";

/** Encryption and certificate checks of a connection, in the terms of PostgreSQL's own clients. */
export interface StoreTls {
  readonly mode: "disable" | "prefer" | "require" | "verify-ca" | "verify-full";
  /** A file with the trusted certificate authorities; default: those that Node trusts. */
  readonly rootCert?: string;
  /** Files of the client's own certificate and key. */
  readonly cert?: string;
  readonly key?: string;
}

const MODES: Readonly<Record<string, StoreTls["mode"]>> = {
  disable: "disable",
  allow: "prefer",
  prefer: "prefer",
  require: "require",
  "no-verify": "require",
  "verify-ca": "verify-ca",
  "verify-full": "verify-full",
};

/** Reads and removes the TLS settings from a URL's parameters. */
export function takeTls(parameters: URLSearchParams, isLocal: boolean): StoreTls {
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? "";
    parameters.delete(name);
    return value === "" ? undefined : value;
  };
  const asked = take("sslmode") ?? modeOfFlag(take("ssl"));
  // `system` means the system's certificate authorities, as in libpq since version 16.
  const root = take("sslrootcert");
  const rootCert = root === "system" ? undefined : root;
  const [cert, key] = [take("sslcert"), take("sslkey")];
  const files = {
    ...(rootCert !== undefined && { rootCert }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  // A user who names a root certificate without a TLS mode wants the server to be verified against it.
  if (asked === undefined)
    return { mode: root !== undefined ? "verify-full" : isLocal ? "disable" : "prefer", ...files };
  const mode = MODES[asked];
  if (mode === undefined)
    throw invalid("unknown sslmode in server.store", `Use one of ${Object.keys(MODES).join(", ")}.`);
  if (mode === "verify-ca" && rootCert === undefined)
    throw invalid(
      "sslmode=verify-ca of server.store needs sslrootcert",
      "Add sslrootcert=/path/to/ca.crt, or use verify-full for a certificate of a public authority.",
    );
  // PostgreSQL's own clients treat `require` with a root certificate like `verify-ca`.
  return { mode: mode === "require" && rootCert !== undefined ? "verify-ca" : mode, ...files };
}

/** Returns the driver's options for an encrypted connection. */
export async function tlsOptions({ mode, rootCert, cert, key }: StoreTls): Promise<ConnectionOptions> {
  const [ca, ownCert, ownKey] = await Promise.all([
    readPem("sslrootcert", rootCert),
    readPem("sslcert", cert),
    readPem("sslkey", key),
  ]);
  return {
    ...(ca !== undefined && { ca }),
    ...(ownCert !== undefined && { cert: ownCert }),
    ...(ownKey !== undefined && { key: ownKey }),
    // The modes "prefer" and "require" protect against eavesdropping but not against a man in the middle, so the
    // certificate is not checked.
    rejectUnauthorized: mode === "verify-ca" || mode === "verify-full",
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
  };
}

function modeOfFlag(flag: string | undefined): string | undefined {
  if (flag === undefined) return undefined;
  return ["true", "1"].includes(flag) ? "verify-full" : ["false", "0"].includes(flag) ? "disable" : flag;
}

async function readPem(name: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, "latin1").catch((error: unknown) => {
    throw invalid(
      `${name} of server.store, ${path}, cannot be read (${errnoOf(error) ?? String(error)})`,
      "Name a file that this user can read, with its whole path.",
    );
  });
  if (text.includes("-----BEGIN ")) return text;
  throw invalid(
    `${name} of server.store, ${path}, is not a PEM file`,
    "Convert it with openssl -outform PEM.",
  );
}

function invalid(message: string, suggestion: string): PithError {
  return new PithError("config_invalid", message, { suggestion });
}
