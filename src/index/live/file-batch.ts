import { blobHash } from "../../workspace/git/git-objects.ts";
import { readContent, signatureOf } from "../../workspace/files/file-signature.ts";
import { contentOfFile, isBinaryName, type NewText } from "../store/content.ts";
import type { IndexContext } from "./index-context.ts";
import type { StoredRecord } from "../store/stored-record.ts";
import type { ManifestEntry } from "../store/store.ts";

/** A file that was read, with its index record if the store does not have one for this content. */
export interface IndexedFile {
  readonly entry: ManifestEntry;
  readonly record?: StoredRecord;
}

/** Reads files of a working tree and creates index records for contents that are not in the store. */
export async function readBatch(
  root: string,
  paths: readonly string[],
  context: IndexContext,
): Promise<{ readonly files: readonly IndexedFile[]; readonly gone: readonly string[] }> {
  const entries: ManifestEntry[] = [];
  const texts = new Map<string, NewText>();
  const gone: string[] = [];
  for (const path of paths) {
    const read = readFile(root, path, context);
    if (read === undefined) gone.push(path);
    else {
      entries.push(read.entry);
      if (read.newText !== undefined) texts.set(read.newText.key, read.newText);
    }
  }
  const records = await recordNewTexts([...texts.values()], context);
  const files = entries.map((entry) => {
    const record = entry.key === undefined ? undefined : records.get(entry.key);
    return record === undefined ? { entry } : { entry, record };
  });
  return { files, gone };
}

/** Creates index records for the texts whose record is neither in memory nor in the store. */
export async function recordNewTexts(
  texts: readonly NewText[],
  { store, pool, recorder, rebuild = false, ahead = texts.length }: IndexContext,
): Promise<ReadonlyMap<string, StoredRecord>> {
  const unloaded = rebuild ? texts : texts.filter(({ key }) => !pool.has(key));
  const known = rebuild ? new Set<string>() : await store.known(unloaded.map(({ key }) => key));
  const fresh = unloaded.filter(({ key }) => !known.has(key));
  const made = await recorder.record(fresh, ahead);
  const records = new Map<string, StoredRecord>();
  for (const [index, { key }] of fresh.entries()) {
    const record = made[index];
    // Records belong to the texts at the same positions, so a missing one would assign all that follow to wrong texts.
    if (record === undefined) throw new Error(`${made.length} records of ${fresh.length} texts`);
    records.set(key, record);
    pool.add(key, record.features);
  }
  return records;
}

function readFile(
  root: string,
  path: string,
  { objectFormat, maxFileBytes }: IndexContext,
): { entry: ManifestEntry; newText?: NewText } | undefined {
  if (isBinaryName(path)) {
    const signature = signatureOf(`${root}/${path}`);
    return signature === undefined ? undefined : { entry: { path, skipped: "binary", signature } };
  }
  const content = readContent(root, path, maxFileBytes);
  if (content === undefined) return undefined;
  if ("tooLarge" in content) return { entry: { path, skipped: "too_large", signature: content.tooLarge } };
  const { bytes, signature } = content;
  const file = contentOfFile(path, bytes, blobHash(bytes, objectFormat));
  if ("skipped" in file) return { entry: { path, skipped: file.skipped, signature } };
  return { entry: { path, key: file.key, signature }, newText: file };
}
