import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PithError } from "../../../src/kernel/errors.ts";
import { openPostgres } from "../../../src/storage/postgres/database.ts";
import { parseStoreUrl } from "../../../src/storage/postgres/store-url.ts";
import { makeAuthority } from "../../support/certificates.ts";
import { type PostgresServer, startPostgres } from "../../support/postgres-process.ts";
import { runSql } from "../../support/postgres.ts";

const folder = mkdtempSync(join(tmpdir(), "pith-tls-"));
const authority = makeAuthority("The team's authority");
let server: PostgresServer;
/** Timeout for a server that reloads its files on a busy machine. */
const SLOW_MACHINE = { timeout: 60_000 } as const;

beforeAll(async () => {
  const { cert, key } = authority.issue(["localhost"]);
  server = await startPostgres({ pem: file("server.pem", key + cert) });
  file("ca.crt", authority.cert);
  file("other-ca.crt", makeAuthority("Somebody else").cert);
  file("ca.der", "binary");
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

interface Place {
  readonly host?: string;
  readonly sslmode?: string;
  readonly sslrootcert?: string;
  readonly url?: string;
}

function urlOf({ host = "localhost", sslmode, sslrootcert, url = server.url }: Place): string {
  const place = new URL(url);
  place.hostname = host;
  if (sslmode !== undefined) place.searchParams.set("sslmode", sslmode);
  if (sslrootcert !== undefined) place.searchParams.set("sslrootcert", join(folder, sslrootcert));
  return place.href;
}

/** Returns true if the server reports an encrypted connection. */
async function isEncrypted(place: Place): Promise<boolean> {
  const store = await openPostgres(urlOf(place));
  try {
    const [row] = await store.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    return row?.["ssl"] === true;
  } finally {
    await store.close();
  }
}

/** Returns why a connection failed, after checking that the password does not appear in it. */
async function refusal(place: Place): Promise<string> {
  const error: unknown = await isEncrypted(place).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PithError)) throw new Error(`no refusal: ${String(error)}`);
  const told = `${error.code}: ${error.message}. ${error.suggestion}`;
  expect(told + String(error.stack) + JSON.stringify(error.data)).not.toContain(new URL(server.url).password);
  return told;
}

describe("an encrypted connection", () => {
  it("is made in every mode that requests one, and verified as the mode requires", async () => {
    const sslrootcert = "ca.crt";
    expect(await isEncrypted({ sslmode: "disable" })).toBe(false);
    expect(await isEncrypted({})).toBe(false);
    expect(await isEncrypted({ sslmode: "prefer" })).toBe(true);
    expect(await isEncrypted({ sslmode: "require" })).toBe(true);
    expect(await isEncrypted({ sslmode: "require", host: "127.0.0.1", sslrootcert })).toBe(true);
    expect(await isEncrypted({ sslmode: "verify-ca", host: "127.0.0.1", sslrootcert })).toBe(true);
    expect(await isEncrypted({ sslmode: "verify-full", sslrootcert })).toBe(true);
    expect(await isEncrypted({ sslrootcert })).toBe(true);
  });

  it("is refused if the server's name is not in its certificate", async () => {
    const told = await refusal({ sslmode: "verify-full", host: "127.0.0.1", sslrootcert: "ca.crt" });
    expect(told).toMatch(/^store_unavailable: PostgreSQL at 127\.0\.0\.1:\d+\/postgres: .*altnames/);
    expect(told).toContain("Connect to the name that the server's certificate is for");
  });

  it("is refused if no trusted authority signed the certificate", async () => {
    const advice = "needs sslrootcert=/path/to/ca.crt with";
    expect(await refusal({ sslmode: "verify-full" })).toContain(advice);
    for (const sslmode of ["require", "verify-ca", "verify-full"])
      expect(await refusal({ sslmode, sslrootcert: "other-ca.crt" })).toContain(advice);
  });

  it("is refused with a file that is missing or holds no certificate", async () => {
    expect(await refusal({ sslmode: "verify-full", sslrootcert: "gone.crt" })).toMatch(
      /^config_invalid: sslrootcert of server\.store, .*gone\.crt, cannot be read \(ENOENT\)/,
    );
    expect(await refusal({ sslmode: "verify-full", sslrootcert: "ca.der" })).toContain("is not a PEM file");
    file("broken.crt", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    expect(await refusal({ sslmode: "verify-full", sslrootcert: "broken.crt" })).toMatch(/^store_unavail/);
  });

  it("is refused after the certificate has expired", async () => {
    const { cert, key } = authority.issue(["localhost"], new Date("2021-01-01T00:00:00Z"));
    await writeOnServer("ssl_cert_file", key + cert);
    await expect
      .poll(() => refusal({ sslmode: "verify-full", sslrootcert: "ca.crt" }).catch(String), SLOW_MACHINE)
      .toMatch(/expired.*Look at the dates/);
  });

  it("is requested by a server that accepts no other", async () => {
    await writeOnServer("hba_file", "hostssl all all all scram-sha-256");
    await expect
      .poll(() => refusal({ sslmode: "disable" }).catch(String), SLOW_MACHINE)
      .toContain("set sslmode=verify-full");
    expect(await isEncrypted({ sslmode: "require" })).toBe(true);
  });

  it("is not available from a server without a certificate", async () => {
    const plain = createServer((socket) => socket.once("data", () => socket.end("N")));
    plain.listen(0, "127.0.0.1");
    await once(plain, "listening");
    const { port } = plain.address() as AddressInfo;
    try {
      const told = await refusal({ sslmode: "require", url: `postgres://a:b@localhost:${port}/team` });
      expect(told).toContain("Set ssl = on");
    } finally {
      plain.close();
    }
  });
});

/** Writes a text into a file that a setting of the server names, and makes the server reload its files. */
async function writeOnServer(setting: string, text: string): Promise<void> {
  const name = `current_setting('${setting}')`;
  const [place] = await runSql(
    server.url,
    `SELECT CASE WHEN ${name} LIKE '/%' THEN ${name} ELSE current_setting('data_directory') || '/' || ${name} END AS path`,
  );
  const path = String(place?.rows[0]?.path);
  const lines = `SELECT unnest(string_to_array('${text}', E'\\n'))`;
  await runSql(server.url, `COPY (${lines}) TO '${path}'`, "SELECT pg_reload_conf()");
}

describe("a store's URL", () => {
  const tls = (query: string, host = "db") => parseStoreUrl(`postgres://a@${host}/team${query}`).tls;

  it("requests encryption as PostgreSQL's own clients do", () => {
    expect(tls("")).toEqual({ mode: "prefer" });
    expect(tls("", "127.0.0.1")).toEqual({ mode: "disable" });
    expect(tls("?sslmode=allow")).toEqual({ mode: "prefer" });
    expect(tls("?sslmode=disable")).toEqual({ mode: "disable" });
    expect(tls("?sslmode=require&sslrootcert=/c")).toEqual({ mode: "verify-ca", rootCert: "/c" });
    expect(tls("?sslrootcert=/c", "127.0.0.1")).toEqual({ mode: "verify-full", rootCert: "/c" });
    expect(tls("?sslrootcert=system")).toEqual({ mode: "verify-full" });
    expect(tls("?ssl=true&sslcert=/a&sslkey=/b")).toEqual({ mode: "verify-full", cert: "/a", key: "/b" });
  });

  it("is rejected with an unknown mode, or with one that verifies nothing", () => {
    expect(() => tls("?sslmode=verify_full")).toThrow("unknown sslmode in server.store");
    expect(() => tls("?sslmode=verify-ca")).toThrow("needs sslrootcert");
  });
});
