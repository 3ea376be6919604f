import type { Config } from "../config/keys.ts";
import type { ObjectSettings } from "../storage/objects/object-store.ts";
import { openObjectStore } from "../storage/objects/open-object-store.ts";

/** Returns the object store that the configuration names for large logs and snapshots; undefined if there is none. */
export function objectSettings(
  { store }: Config,
  onFailure: ObjectSettings["onFailure"],
): ObjectSettings | undefined {
  if (store.objects === "") return undefined;
  const { access_key: accessKey, secret_key: secretKey, session_token: sessionToken } = store;
  const credentials = { accessKey, secretKey, sessionToken };
  return { store: openObjectStore(store.objects, credentials), minBytes: store.object_bytes, onFailure };
}
