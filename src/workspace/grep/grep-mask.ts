import { resolve } from "node:path";
import type { FileMatches, GrepLine, GrepResult } from "../../model/grep-result.ts";
import { isVariablesFile } from "../../security/secrets/environment.ts";
import { LineMasker, MASK } from "../../security/secrets/mask.ts";
import type { GrepPlan } from "./grep-plan.ts";
import { mayBeKeyLine, readMaskedLines } from "../files/masked-lines.ts";

/** Masks secrets in the lines of a search result. */
export async function maskMatches(result: GrepResult, plan: GrepPlan): Promise<GrepResult> {
  const files: FileMatches[] = [];
  for (const file of result.files) files.push(await maskFile(file, plan));
  return { ...result, files };
}

/**
 * Masks secrets in the found lines of one file. A line of a private key can be recognised only with the rest of the
 * file, and a part of a line only with the rest of the line, which may name it as a password.
 */
async function maskFile(file: FileMatches, { cwd, matching }: GrepPlan): Promise<FileMatches> {
  const options = { isVariablesFile: isVariablesFile(file.path) };
  const place = { absolute: resolve(cwd, file.path), shown: file.path, base: cwd, exists: true };
  const endLine = file.lines.at(-1)?.number ?? 1;
  const secretLines = onDemand(() => readMaskedLines(place, { startLine: 1, endLine }));
  const known = new Set<number>();
  let masker = new LineMasker(options);
  let last = 0;
  const lines: GrepLine[] = [];
  for (const line of file.lines) {
    // Masking starts anew if lines are missing between two results, because a private key may begin or end in them.
    if (line.number !== last + 1) masker = new LineMasker(options);
    last = line.number;
    const masked = masker.next(line.text);
    const mayBeSecret = matching.onlyMatching || mayBeKeyLine(line.text);
    const inFile = masked === undefined && mayBeSecret ? (await secretLines()).get(line.number) : undefined;
    const hidden = inFile === undefined || inFile.text.includes(line.text) ? undefined : inFile;
    const text =
      masked?.text ?? (hidden === undefined ? line.text : matching.onlyMatching ? MASK : hidden.text);
    const begun = masked?.parts.filter(({ isFirst }) => isFirst).length ?? 0;
    const secrets = (line.secrets ?? 0) + begun + (hidden === undefined || known.has(hidden.begins) ? 0 : 1);
    if (hidden !== undefined) known.add(hidden.begins);
    lines.push({ ...line, text, ...(secrets > 0 && { secrets }) });
  }
  return { ...file, lines };
}

function onDemand<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
