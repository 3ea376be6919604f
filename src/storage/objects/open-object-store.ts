import { fileURLToPath } from "node:url";
import { PithError } from "../../kernel/errors.ts";
import { createFolderStore } from "./folder-store.ts";
import type { ObjectCredentials, ObjectStore } from "./object-store.ts";
import { createS3Store } from "./s3-store.ts";

const DEFAULT_REGION = "us-east-1";

/** Opens the object store of a URL, s3://BUCKET/PREFIX?endpoint=URL&region=NAME or file:///FOLDER. Nothing is read or written yet. */
export function openObjectStore(text: string, credentials: ObjectCredentials): ObjectStore {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "file:" && url.host === "" && url.search === "")
    return createFolderStore(fileURLToPath(url));
  if (url?.protocol !== "s3:" || url.host === "" || url.username !== "" || url.password !== "")
    throw invalid("is not s3://BUCKET/PREFIX?endpoint=URL or file:///FOLDER, without credentials");
  const { endpoint, region, ...unknown } = Object.fromEntries(url.searchParams);
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw invalid(`has an unknown parameter, ${name}`);
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)))
    throw invalid("has an endpoint that is not an http:// or https:// URL");
  if (credentials.accessKey === "" || credentials.secretKey === "")
    throw invalid(
      "needs credentials",
      "Set PITH_STORE_ACCESS_KEY and PITH_STORE_SECRET_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
    );
  return createS3Store({
    bucket: url.host,
    prefix: url.pathname.replace(/^\/+/, "").replace(/([^/])$/, "$1/"),
    region: region ?? DEFAULT_REGION,
    ...(endpoint !== undefined && { endpoint }),
    credentials,
  });
}

function invalid(
  problem: string,
  suggestion = "Write s3://BUCKET/PREFIX?endpoint=https://HOST&region=NAME, or file:///FOLDER on a shared disk.",
): PithError {
  return new PithError("config_invalid", `store.objects ${problem}`, { suggestion });
}
