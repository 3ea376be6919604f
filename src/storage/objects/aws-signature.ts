import { createHash, createHmac } from "node:crypto";
import type { ObjectCredentials } from "./object-store.ts";

export interface UnsignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: Uint8Array;
  readonly region: string;
  readonly now: Date;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * Returns the headers that sign a request by Signature Version 4 of AWS, which S3-compatible servers share. The path of the URL must be
 * encoded already, as `encodeKey` does it, and the URL has no parameters.
 */
export function signedHeaders(
  { method, url, body, region, now }: UnsignedRequest,
  { accessKey, secretKey, sessionToken }: ObjectCredentials,
): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    host: url.host,
    "x-amz-content-sha256": sha256(body),
    "x-amz-date": time,
    ...(sessionToken !== "" && { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(headers).toSorted();
  const request = [
    method,
    url.pathname,
    "",
    ...names.map((name) => `${name}:${headers[name]}`),
    "",
    names.join(";"),
    headers["x-amz-content-sha256"],
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(request)].join("\n")).toString("hex");
  const { host: _host, ...sent } = headers;
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${accessKey}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}

/** Encodes the key of an object for a URL: everything but unreserved characters and slashes. */
export function encodeKey(key: string): string {
  return key
    .split("/")
    .map((part) =>
      encodeURIComponent(part).replaceAll(
        /[!'()*]/g,
        (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
