import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Returns the content of a folder by path: kind, executable bit and content. Names are bytes, as latin1 text. */
export function treeOf(
  root: string,
  options: { readonly ignoring?: readonly string[] } = {},
): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, place } of entriesOf(root, options.ignoring ?? [".git"])) {
    const stats = lstatSync(place);
    if (stats.isSymbolicLink()) found.set(path, `link ${readlinkSync(place, "buffer").toString("latin1")}`);
    else if (stats.isFile())
      found.set(path, `${(stats.mode & 0o100) === 0 ? "file" : "program"} ${hashOf(readFileSync(place))}`);
  }
  return found;
}

/** Returns everything about a folder that a program could notice: contents, modes, inodes, modification and change times. */
export function fingerprintOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, place } of entriesOf(root, [])) {
    const { mode, ino, size, mtimeNs, ctimeNs, nlink } = lstatSync(place, { bigint: true });
    const content = lstatSync(place).isFile() ? hashOf(readFileSync(place)) : "";
    found.set(path, [mode, ino, size, nlink, mtimeNs, ctimeNs, content].join(" "));
  }
  return found;
}

function* entriesOf(
  root: string,
  ignoring: readonly string[],
): Generator<{ readonly path: string; readonly place: Buffer }> {
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const at = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(folder, "latin1")]);
    for (const entry of readdirSync(at, { encoding: "buffer", withFileTypes: true })) {
      const name = Buffer.from(entry.name).toString("latin1");
      if (ignoring.includes(name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      yield { path, place: Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]) };
      if (entry.isDirectory()) pending.push(path);
    }
  }
}

function hashOf(bytes: Buffer): string {
  return createHash("sha1").update(bytes).digest("hex");
}
