import { setTimeout as delay } from "node:timers/promises";
import { PithError } from "../../kernel/errors.ts";
import { withTimeout } from "../../kernel/with-timeout.ts";
import { encodeKey, signedHeaders } from "./aws-signature.ts";
import type { ObjectCredentials, ObjectStore } from "./object-store.ts";

interface S3Options {
  readonly bucket: string;
  /** Empty, or a path that ends with a slash. */
  readonly prefix: string;
  readonly region: string;
  /** The URL of a server other than that of AWS. */
  readonly endpoint?: string;
  readonly credentials: ObjectCredentials;
}

/** An object has a few megabytes, which a slow connection must transfer in this time. */
const TIMEOUT_MS = 60_000;
/** Delays before a request is repeated that failed for a reason which may pass. */
const RETRY_DELAYS_MS: readonly number[] = [200, 1_000];
const MAX_REASON_LENGTH = 200;

/** Stores objects in a bucket of S3, or of a server that speaks its protocol. A request stores all of an object or nothing. */
export function createS3Store({ bucket, prefix, region, endpoint, credentials }: S3Options): ObjectStore {
  // Other servers seldom have a host name for each bucket.
  const base =
    endpoint === undefined
      ? `https://${bucket}.s3.${region}.amazonaws.com/`
      : `${endpoint.replace(/\/+$/, "")}/${encodeKey(bucket)}/`;
  const place = `s3://${bucket}/${prefix}`;
  const once = (method: string, key: string, body: Uint8Array): Promise<Answer> => {
    const url = new URL(`${base}${encodeKey(prefix + key)}`);
    const headers = signedHeaders({ method, url, body, region, now: new Date() }, credentials);
    return withTimeout(TIMEOUT_MS, async (signal) => {
      const sent = method === "PUT" ? { body: Buffer.from(body) } : {};
      const response = await fetch(url, { method, headers, ...sent, redirect: "error", signal });
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    });
  };
  const send = async (method: string, key: string, body: Uint8Array = new Uint8Array()): Promise<Answer> => {
    for (let tries = 0; ; tries++) {
      const delayMs = RETRY_DELAYS_MS[tries];
      try {
        const answer = await once(method, key, body);
        const mayPass = answer.status >= 500 || answer.status === 429;
        if (delayMs === undefined || !mayPass) return answer;
      } catch (error) {
        if (delayMs === undefined) throw failed(place, error);
      }
      await delay(delayMs);
    }
  };
  return {
    place,
    async put(key, bytes) {
      const answer = await send("PUT", key, bytes);
      if (answer.status !== 200) throw refused(place, answer);
    },
    async get(key) {
      const answer = await send("GET", key);
      if (answer.status === 200) return answer.bytes;
      if (answer.status === 404 && !/NoSuchBucket/.test(answer.bytes.toString("latin1"))) return undefined;
      throw refused(place, answer);
    },
    async remove(key) {
      const answer = await send("DELETE", key);
      if (![200, 204, 404].includes(answer.status)) throw refused(place, answer);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly bytes: Buffer;
}

function failed(place: string, error: unknown): PithError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PithError("store_unavailable", `Object store ${place}: ${reason}`, {}, { cause: error });
}

/** Tells what the server answered: its error code, without the request that it may repeat. */
function refused(place: string, { status, bytes }: Answer): PithError {
  const code = /<Code>([^<]*)<\/Code>/.exec(bytes.toString("latin1"))?.[1] ?? "";
  const reason = `HTTP ${status}${code === "" ? "" : ` ${code.slice(0, MAX_REASON_LENGTH)}`}`;
  return new PithError("store_unavailable", `Object store ${place}: ${reason}`, {
    suggestion:
      status === 401 || status === 403
        ? "Check PITH_STORE_ACCESS_KEY and PITH_STORE_SECRET_KEY, and what they may do in the bucket."
        : "Check the bucket and the endpoint in [store] objects.",
  });
}
