import { outlineOf } from "../../languages/outline.ts";
import { languageById } from "../../languages/registry.ts";
import { type ChangedFile, ON_DISK } from "../../workspace/git/changed-files.ts";
import { blobHash, readBlobs } from "../../workspace/git/git-objects.ts";
import type { GitRepository } from "../../workspace/git/git-repository.ts";
import { readContent } from "../../workspace/files/file-signature.ts";
import type { IndexSettings } from "../core.ts";
import { contentOfFile, decode, isBinaryName } from "../store/content.ts";
import type { IndexStore } from "../store/store.ts";
import { storedOutline } from "../store/stored-record.ts";
import type { FileVersions, Version } from "./file-versions.ts";

interface Sources {
  readonly repository: GitRepository;
  readonly store: IndexStore;
  readonly settings: Pick<IndexSettings, "maxFileBytes">;
}

/** Contents per call of git, because all of them are in memory at once. */
const BLOBS_PER_CALL = 256;

/** Returns a function that reads both versions of changed files. What the index has parsed before is not parsed again. */
export function createVersionReader(
  sources: Sources,
): (files: readonly ChangedFile[]) => Promise<readonly FileVersions[]> {
  return async (files) => {
    const read: FileVersions[] = [];
    for (let at = 0; at < files.length; at += BLOBS_PER_CALL) {
      const part = files.slice(at, at + BLOBS_PER_CALL);
      const blobs = await readBlobs(sources.repository, blobsOf(part));
      for (const file of part) read.push(await versionsOf(file, blobs, sources));
    }
    return read;
  };
}

function blobsOf(files: readonly ChangedFile[]): string[] {
  const all = files.flatMap(({ path, before, after, special }) =>
    isBinaryName(path) || special !== undefined ? [] : [before, after],
  );
  return [...new Set(all.filter((blob): blob is string => blob !== undefined && blob !== ON_DISK))];
}

async function versionsOf(
  file: ChangedFile,
  blobs: ReadonlyMap<string, Buffer>,
  sources: Sources,
): Promise<FileVersions> {
  const { path, oldPath = path, before, after, isOnDisk, special } = file;
  if (special !== undefined)
    return { ...file, ...(before !== undefined && { was: {} }), ...(after !== undefined && { is: {} }) };
  const was = before === undefined ? undefined : await committed(oldPath, before, blobs, sources);
  const is =
    after === undefined
      ? undefined
      : isOnDisk === true && !blobs.has(after)
        ? await onDisk(path, sources)
        : await committed(path, after, blobs, sources);
  return { ...file, ...(was !== undefined && { was }), ...(is !== undefined && { is }) };
}

function committed(
  path: string,
  hash: string,
  blobs: ReadonlyMap<string, Buffer>,
  sources: Sources,
): Promise<Version> | Version {
  const bytes = blobs.get(hash);
  if (bytes === undefined) return { skipped: isBinaryName(path) ? "binary" : "unreadable" };
  return versionIn(path, bytes, hash, sources);
}

async function onDisk(path: string, sources: Sources): Promise<Version> {
  const { repository, settings } = sources;
  if (isBinaryName(path)) return { skipped: "binary" };
  const content = readContent(repository.folder, path, settings.maxFileBytes);
  if (content === undefined) return { skipped: "unreadable" };
  if ("tooLarge" in content) return { skipped: "too_large" };
  return versionIn(path, content.bytes, blobHash(content.bytes, repository.objectFormat), sources);
}

async function versionIn(
  path: string,
  bytes: Uint8Array,
  hash: string,
  { store, settings }: Sources,
): Promise<Version> {
  if (bytes.length > settings.maxFileBytes) return { skipped: "too_large" };
  const file = contentOfFile(path, bytes, hash);
  if ("skipped" in file) return { skipped: file.skipped };
  const text = decode(bytes) ?? "";
  const stored = await store.outline(file.key);
  const language = languageById(file.language)?.id;
  const outline =
    stored !== undefined
      ? storedOutline(stored)
      : language === undefined
        ? undefined
        : await outlineOf(text, language);
  return { text, ...(outline !== undefined && { outline }) };
}
