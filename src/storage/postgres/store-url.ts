import { PithError } from "../../kernel/errors.ts";
import { takeTls, type StoreTls } from "./tls.ts";

/** The address of a team's database, without secrets. */
export interface StorePlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/** A validated database URL, split into the part for the driver and the part that may be shown to people. */
export interface StoreUrl {
  readonly connectionString: string;
  readonly place: StorePlace;
  readonly tls: StoreTls;
  /**
   * The server itself, if the URL is that of a connection pooler which gives each transaction another connection.
   * Notifications are only received on a connection to the server.
   */
  readonly listen?: { readonly host: string; readonly port: number };
  /**
   * Where to look up the password; undefined if the URL contains the password. Without `path`, it is the default file.
   */
  readonly passwordFile?: { readonly path?: string };
}

const DEFAULT_PORT = 5432;

/** Parses the URL of a team's database. Error messages do not repeat the URL, because it may contain a password. */
export function parseStoreUrl(text: string): StoreUrl {
  const url = parse(text);
  const host = url.searchParams.get("host") ?? decode(url.hostname);
  const user = decode(url.username);
  const place: StorePlace = {
    host: host === "" ? "localhost" : host.replaceAll(/^\[|\]$/g, ""),
    port: Number(url.port === "" ? DEFAULT_PORT : url.port),
    database: decode(url.pathname.slice(1)) || user,
    user,
  };
  const listen = takeListen(url.searchParams);
  const tls = takeTls(url.searchParams, isLocal(place.host));
  const path = url.searchParams.get("passfile") ?? "";
  url.searchParams.delete("passfile");
  const passwordFile = path === "" ? {} : { path };
  return {
    connectionString: url.href,
    place,
    tls,
    ...(listen && { listen }),
    ...(url.password === "" && { passwordFile }),
  };
}

/** Takes `listen=HOST` or `listen=HOST:PORT` from the parameters of a URL. */
function takeListen(parameters: URLSearchParams): StoreUrl["listen"] {
  const text = parameters.get("listen");
  parameters.delete("listen");
  if (text === null) return undefined;
  const address = `postgres://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hostname === "" || url.host !== text.toLowerCase())
    throw new PithError("config_invalid", "listen in server.store is not HOST or HOST:PORT", {
      suggestion: "Name the database server itself: postgres://USER@POOLER:6432/DATABASE?listen=SERVER:5432.",
    });
  const host = url.hostname.replaceAll(/^\[|\]$/g, "");
  return { host, port: Number(url.port === "" ? DEFAULT_PORT : url.port) };
}

/** Returns the database URL with the password filled in. */
export function withPassword(connectionString: string, password: string): string {
  const url = new URL(connectionString);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** Formats the database address for people. */
export function showPlace({ host, port, database }: StorePlace): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${name}${port === DEFAULT_PORT ? "" : `:${port}`}/${database}`;
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ["postgres:", "postgresql:"].includes(url.protocol) && isDecodable(url))
    return url;
  throw new PithError("config_invalid", "server.store is not a postgres:// or postgresql:// URL", {
    suggestion:
      "Write it as postgres://USER:PASSWORD@HOST/DATABASE, special characters of the password as %XX.",
  });
}

function isDecodable({ username, password, pathname }: URL): boolean {
  return [username, password, pathname].every((part) => !/%(?![0-9a-f]{2})/i.test(part));
}

function decode(part: string): string {
  return decodeURIComponent(part);
}

function isLocal(host: string): boolean {
  return host.startsWith("/") || ["localhost", "127.0.0.1", "::1"].includes(host);
}
