import { dirname, extname, join } from "node:path";
import { outlineOf } from "../../languages/outline.ts";
import { languageById } from "../../languages/registry.ts";
import type { BrokenFile, EditReport } from "../../model/edits.ts";
import { readContent } from "../../workspace/files/file-signature.ts";
import { readFolder } from "../../workspace/files/folder-files.ts";
import { committedTexts } from "../../workspace/git/git-objects.ts";
import { findRepository } from "../../workspace/git/git-repository.ts";
import type { IndexCore } from "../core.ts";
import { contentOfFile, decode } from "../store/content.ts";
import type { EditedVersions, EditRequest } from "./edited-versions.ts";
import { findStaleUses } from "./stale-uses.ts";

/** Checks what an edit probably broke: files that no longer parse, and users of definitions with another signature. */
export async function checkEdits(core: IndexCore, request: EditRequest): Promise<EditReport> {
  const files = await readEdited(core, request);
  const broken: BrokenFile[] = [];
  for (const file of files) {
    if (!file.is.outline.hasErrors || !(await parsedBefore(file, request.root))) continue;
    const line = file.is.outline.errorLine;
    broken.push({ path: file.path, ...(line !== undefined && { line }), ...editedLines(file) });
  }
  // The definitions of a file that does not parse are guesses.
  const readable = files.filter(({ is, was }) => !is.outline.hasErrors && was?.outline.hasErrors === false);
  const changes = request.withUses ? await findStaleUses(core, readable, request) : [];
  return { broken, changes };
}

async function readEdited(
  { settings }: Pick<IndexCore, "settings">,
  { root, files }: EditRequest,
): Promise<readonly EditedVersions[]> {
  const unknown = files.filter(({ before }) => before === undefined).map(({ path }) => path);
  const repository = unknown.length === 0 ? undefined : await findRepository(root);
  const committed =
    repository === undefined ? new Map<string, Buffer>() : await committedTexts(repository, unknown);
  const read: EditedVersions[] = [];
  for (const { path, before } of files) {
    const is = await versionOnDisk(root, path, settings.maxFileBytes);
    const was = before ?? decode(committed.get(path) ?? Buffer.alloc(0));
    // A file that had no text was created by this edit.
    if (is === undefined || was === is.text) continue;
    const outline = was === undefined || was === "" ? undefined : await outlineOf(was, is.outline.language);
    read.push({
      path,
      is,
      ...(outline !== undefined && was !== undefined && { was: { text: was, outline } }),
    });
  }
  return read;
}

/** Reads and parses a file; undefined if it is missing, no text, too large, or in a language without a grammar. */
async function versionOnDisk(
  root: string,
  path: string,
  maxBytes: number,
): Promise<EditedVersions["is"] | undefined> {
  const content = readContent(root, path, maxBytes);
  if (content === undefined || "tooLarge" in content) return undefined;
  const file = contentOfFile(path, content.bytes, "");
  const text = decode(content.bytes);
  if ("skipped" in file || text === undefined || languageById(file.language) === undefined) return undefined;
  return { text, outline: await outlineOf(text, file.language) };
}

/** Files beside a new one that are parsed to see whether the grammar knows their dialect. */
const MAX_NEIGHBOURS = 3;
const MAX_NEIGHBOUR_BYTES = 100_000;

/**
 * True if the parser could read the file before the edit, so that its errors are new. For a new file its neighbours
 * decide: a dialect that the grammar does not know, such as Flow, shows there too, and must not be called an error.
 */
async function parsedBefore({ path, was }: EditedVersions, root: string): Promise<boolean> {
  if (was !== undefined) return !was.outline.hasErrors;
  const folder = dirname(path);
  const neighbours = readFolder(join(root, folder), root)
    .names.map((name) => join(folder, name))
    .filter((other) => other !== path && extname(other) === extname(path))
    .slice(0, MAX_NEIGHBOURS);
  for (const other of neighbours) {
    const version = await versionOnDisk(root, other, MAX_NEIGHBOUR_BYTES);
    if (version?.outline.hasErrors === true) return false;
  }
  return neighbours.length > 0;
}

/** Returns the lines of the new text that differ from the old one, from the first to the last. */
function editedLines({ was, is }: EditedVersions): Pick<BrokenFile, "editedFrom" | "editedTo"> {
  const [old, now] = [was?.text.split("\n") ?? [], is.text.split("\n")];
  let from = 0;
  while (from < now.length - 1 && old[from] === now[from]) from++;
  let same = 0;
  while (same < now.length - from - 1 && same < old.length - from && old.at(-1 - same) === now.at(-1 - same))
    same++;
  return { editedFrom: from + 1, editedTo: now.length - same };
}
