import type { DetailLevel, Hit } from "../model/hit.ts";
import { hitJson } from "./hits-fields.ts";

/** One result as a section with its facts and fenced code. */
export function hitsMarkdown(
  hit: Hit,
  index: number,
  shown: { readonly level: DetailLevel; readonly compact: boolean },
): string {
  const fields = hitJson(hit, shown);
  const lines = [
    `## Result ${index + 1}`,
    `**File**: \`${hit.path}\``,
    `**Lines**: ${hit.lineStart}-${hit.lineEnd}`,
  ];
  for (const [field, title] of FACTS) {
    const value = fields[field];
    if (typeof value === "string" || typeof value === "number")
      lines.push(`**${title}**: ${CODE.has(field) ? `\`${value}\`` : value}`);
  }
  if (hit.stale === true) lines.push("**Stale**: the file has changed since it was indexed");
  if (fields["parent"] !== undefined && hit.parent !== undefined)
    lines.push(`**Parent**: ${hit.parent.kind} ${hit.parent.name} (line ${hit.parent.line})`);
  if (fields["related_symbols"] !== undefined)
    lines.push(
      `**Related**: ${(hit.related ?? []).map(({ kind, name, path, line }) => `${kind} ${name} ${path}:${line}`).join(", ")}`,
    );
  for (const [field, title] of BLOCKS) {
    const value = fields[field];
    if (typeof value === "string") lines.push("", `### ${title}`, ...fenced(value, hit.language));
  }
  return [...lines, ""].join("\n");
}

const FACTS = [
  ["kind", "Kind"],
  ["name", "Name"],
  ["score", "Score"],
  ["result_id", "Result ID"],
  ["match", "Match"],
  ["qualified_name", "Qualified name"],
  ["signature", "Signature"],
  ["heading", "Heading"],
  ["language", "Language"],
  ["visibility", "Visibility"],
  ["chunk_id", "Chunk ID"],
] as const;

const CODE: ReadonlySet<string> = new Set([
  "result_id",
  "qualified_name",
  "signature",
  "heading",
  "chunk_id",
]);

const BLOCKS = [
  ["context_before", "Context Before"],
  ["content", "Content"],
  ["body_preview", "Body"],
  ["context_after", "Context After"],
] as const;

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language === "text" ? "" : language}`, text, fence];
}
