import type { BytePath } from "./byte-path.ts";

export interface TreeEntry {
  readonly path: BytePath;
  readonly mode: string;
  readonly id: string;
}

interface Folder {
  readonly files: Map<string, TreeEntry>;
  readonly folders: Map<string, Folder>;
}

/**
 * Builds the git tree objects for a list of paths, innermost folders first; `write` stores each object and returns its
 * id.
 */
export async function writeTrees(
  entries: Iterable<TreeEntry>,
  write: (content: Buffer) => Promise<string>,
): Promise<string> {
  const top: Folder = { files: new Map(), folders: new Map() };
  for (const entry of entries) addEntry(top, entry);
  return writeFolder(top, write);
}

function addEntry(top: Folder, entry: TreeEntry): void {
  const parts = entry.path.split("/");
  const name = parts.pop() ?? "";
  let folder = top;
  for (const part of parts) {
    let next = folder.folders.get(part);
    if (next === undefined) folder.folders.set(part, (next = { files: new Map(), folders: new Map() }));
    folder = next;
  }
  folder.files.set(name, entry);
}

async function writeFolder(folder: Folder, write: (content: Buffer) => Promise<string>): Promise<string> {
  const lines: { key: string; name: string; mode: string; id: string }[] = [];
  for (const [name, inner] of folder.folders)
    // Git sorts a folder as if its name ended with a slash.
    lines.push({ key: `${name}/`, name, mode: "40000", id: await writeFolder(inner, write) });
  for (const [name, { mode, id }] of folder.files)
    // If a path is listed both as a file and as a folder, it became a folder while the paths were listed, and the
    // folder is the newer state.
    if (!folder.folders.has(name)) lines.push({ key: name, name, mode, id });
  lines.sort((a, b) => (a.key < b.key ? -1 : 1));
  return write(
    Buffer.concat(
      lines.flatMap(({ mode, name, id }) => [
        Buffer.from(`${mode} ${name}\0`, "latin1"),
        Buffer.from(id, "hex"),
      ]),
    ),
  );
}
