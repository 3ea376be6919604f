import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { Redactor } from "../../../src/security/redactor.ts";
import { isVariablesFile } from "../../../src/security/secrets/environment.ts";

/** A line that masking changes. */
export interface ChangedLine {
  readonly path: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

export interface MaskedFolder {
  readonly files: number;
  readonly lines: number;
  readonly changed: readonly ChangedLine[];
}

const CHUNK = 64 * 1024;
/** Number of bytes in which git looks for a zero byte to detect binary files. */
const SNIFFED = 8_000;

/** Masks all text files of a folder as the read tool does, and returns the changed lines. */
export function maskFolder(root: string): MaskedFolder {
  const changed: ChangedLine[] = [];
  let files = 0;
  let lines = 0;
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const place = join(root, name);
    if (!lstatSync(place).isFile()) continue;
    const bytes = readFileSync(place);
    if (bytes.subarray(0, SNIFFED).includes(0)) continue;
    const path = name.split(sep).join("/");
    const before = bytes.toString("latin1").split("\n");
    const after = masked(bytes, path).toString("latin1").split("\n");
    if (after.length !== before.length)
      throw new Error(`${place}: ${after.length} lines of ${before.length}`);
    files++;
    lines += before.length;
    for (const [index, text] of before.entries())
      if (after[index] !== text)
        changed.push({ path, line: index + 1, before: text, after: after[index] ?? "" });
  }
  return { files, lines, changed };
}

function masked(bytes: Buffer, path: string): Buffer {
  const redactor = new Redactor({ isVariablesFile: isVariablesFile(path) });
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) out.push(redactor.push(bytes.subarray(at, at + CHUNK)));
  out.push(redactor.end());
  return Buffer.concat(out);
}
