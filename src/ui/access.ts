import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { HttpError } from "../http/body.ts";

/** Upper bound on open sessions; the oldest one ends when a new one exceeds it. */
const MAX_SESSIONS = 256;
const TOKEN_BYTES = 24;
/** A host name that only this machine can mean, so that no name of a foreign site can be rebound to it. */
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/** Decides who may ask. A link carries a token; the page exchanges it for the key of a session, which ends with this process. */
export interface Access {
  /** Returns a token that opens one session, for a link that other users of the machine may see for a moment. */
  singleUseToken(): string;
  /** Opens a session for a token of a link, and returns its key. */
  openSession(token: unknown): string;
  /** Throws unless the request has the key of a session, or the token itself. */
  authorize(request: IncomingMessage): void;
}

export function createAccess(token: string): Access {
  // Only hashes are compared, so that the time of a comparison says nothing about a token.
  const permanent = digest(token);
  const singleUse = new Set<string>();
  const sessions = new Set<string>();
  return {
    singleUseToken() {
      const one = randomToken();
      singleUse.add(digest(one));
      return one;
    },
    openSession(given) {
      const hash = digest(typeof given === "string" ? given : "");
      if (hash !== permanent && !singleUse.delete(hash))
        throw new HttpError(401, "The link has expired: use the one that pith ui printed last");
      const [oldest] = sessions;
      if (sessions.size >= MAX_SESSIONS && oldest !== undefined) sessions.delete(oldest);
      const key = randomToken();
      sessions.add(digest(key));
      return key;
    },
    authorize({ headers }) {
      const [, given = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
      const hash = digest(given);
      if (hash !== permanent && !sessions.has(hash))
        throw new HttpError(401, "Open the link that pith ui printed");
    },
  };
}

export function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Refuses requests that another site sent through the user's browser: under another host name (DNS rebinding), from
 * another origin, or from another port of this machine.
 */
export function checkOrigin({ headers }: IncomingMessage): void {
  const host = headers.host ?? "";
  if (!LOCAL_HOST.test(host)) throw new HttpError(403, "This page is served on localhost only");
  if (headers.origin !== undefined && headers.origin !== `http://${host}`)
    throw new HttpError(403, "Requests of other origins are refused");
  const site = headers["sec-fetch-site"];
  // A link in a mail or a chat is followed as a navigation, which reads nothing by itself.
  const isNavigation = headers["sec-fetch-mode"] === "navigate";
  if (site !== undefined && site !== "same-origin" && site !== "none" && !isNavigation)
    throw new HttpError(403, "Requests of other sites are refused");
}
