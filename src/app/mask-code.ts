import { join } from "node:path";
import type { ChangeReport, FileChange } from "../model/changes.ts";
import type { CodeAnswer, Hit } from "../model/hit.ts";
import type { FileOutline } from "../model/index-report.ts";
import type { Overview } from "../model/overview.ts";
import type { MaskedSecret } from "../model/masked.ts";
import { isVariablesFile } from "../security/secrets/environment.ts";
import { addSecret, LineMasker } from "../security/secrets/mask.ts";
import { mayBeKeyLine, readMaskedLines } from "../workspace/files/masked-lines.ts";

/** Masks the secrets in the results of a code search. `root` is the workspace of their files. */
export async function maskAnswer(answer: CodeAnswer, root: string): Promise<CodeAnswer> {
  return { ...answer, hits: await Promise.all(answer.hits.map((hit) => maskHit(hit, root))) };
}

async function maskHit(found: Hit, root: string): Promise<Hit> {
  const hit = withoutSecretSignatures(found);
  const masked: MaskedSecret[] = [];
  const texts = await maskTexts(hit, root, masked);
  const beginning: MaskedSecret[] = [];
  const { signature, heading } = hit;
  const signed = {
    ...(signature !== undefined && { signature: maskOne(signature, hit.lineStart, beginning) }),
    ...(heading !== undefined && { heading: maskOne(heading, hit.lineStart, beginning) }),
  };
  // The signature repeats the first line of the content, so its secrets must not count twice.
  const secrets = hit.content === undefined ? beginning : masked;
  return secrets.length + beginning.length === 0 ? hit : { ...hit, ...signed, ...texts, masked: secrets };
}

/** Names a related definition without its signature if that contains a secret. */
function withoutSecretSignatures(hit: Hit): Hit {
  if (hit.related === undefined) return hit;
  const related = hit.related.map(({ signature, ...place }) =>
    signature === undefined || maskOne(signature, place.line, []) !== signature
      ? place
      : { ...place, signature },
  );
  return { ...hit, related };
}

/** Masks the content of a search result and the lines before and after it as one text. */
async function maskTexts(hit: Hit, root: string, masked: MaskedSecret[]): Promise<Partial<Hit>> {
  if (hit.content === undefined) return {};
  const parts = { contextBefore: hit.contextBefore, content: hit.content, contextAfter: hit.contextAfter };
  const first = hit.lineStart - (hit.contextBefore?.split("\n").length ?? 0);
  const known = await linesInsideKey(hit, first, root);
  const masker = new LineMasker({ isVariablesFile: isVariablesFile(hit.path) });
  const result: Record<string, string> = {};
  let number = first;
  for (const [name, text] of Object.entries(parts)) {
    if (text === undefined) continue;
    const lines: string[] = [];
    for (const line of text.split("\n")) {
      const found = masker.next(line);
      for (const { isFirst } of found?.parts ?? []) addSecret(masked, number, isFirst);
      const keyLine = found === undefined ? known?.get(number)?.text : undefined;
      if (keyLine !== undefined) addSecret(masked, number, false);
      lines.push(found?.text ?? keyLine ?? line);
      number++;
    }
    result[name] = lines.join("\n");
  }
  return result;
}

/**
 * Reads the masked lines from the file itself if the text may begin inside a private key, because such a text cannot be
 * recognised as a secret.
 */
async function linesInsideKey(
  hit: Hit,
  first: number,
  root: string,
): Promise<Awaited<ReturnType<typeof readMaskedLines>> | undefined> {
  const [line = ""] = (hit.contextBefore ?? hit.content ?? "").split("\n", 1);
  if (!mayBeKeyLine(line)) return undefined;
  const place = { absolute: join(root, hit.path), shown: hit.path, base: root, exists: true };
  return readMaskedLines(place, { startLine: first, endLine: hit.lineEnd });
}

/** Masks the secrets in the signatures of an outline, such as `const KEY = "…"`. */
export function maskOutline(outline: FileOutline): FileOutline {
  const masked: MaskedSecret[] = [];
  const symbols = outline.symbols.map((symbol) => {
    const signature = maskOne(symbol.signature, symbol.lineStart, masked);
    return signature === symbol.signature ? symbol : { ...symbol, signature };
  });
  return masked.length === 0 ? outline : { ...outline, symbols, masked };
}

/** Masks the secrets in the signatures of a map. */
export function maskOverview(overview: Overview): Overview {
  const masked: MaskedSecret[] = [];
  const used = overview.used.map((file) => ({
    ...file,
    definitions: file.definitions.map((one) => ({
      ...one,
      signature: maskOne(one.signature, one.line, masked),
    })),
  }));
  return masked.length === 0 ? overview : { ...overview, used, masked };
}

/** Masks the secrets in the signatures of changed definitions. */
export function maskChanges(report: ChangeReport): ChangeReport {
  return { ...report, files: report.files.map(maskFileChange) };
}

export function maskFileChange(file: FileChange): FileChange {
  const masked: MaskedSecret[] = [];
  const symbols = file.symbols.map((symbol) => {
    const signature = maskOne(symbol.signature, symbol.lineStart, masked);
    const { oldSignature } = symbol;
    const old = oldSignature === undefined ? undefined : maskOne(oldSignature, symbol.lineStart, masked);
    return { ...symbol, signature, ...(old !== undefined && { oldSignature: old }) };
  });
  return masked.length === 0 ? file : { ...file, symbols, masked };
}

function maskOne(line: string, number: number, masked: MaskedSecret[]): string {
  const found = new LineMasker().next(line);
  for (const { isFirst } of found?.parts ?? []) addSecret(masked, number, isFirst);
  return found?.text ?? line;
}
