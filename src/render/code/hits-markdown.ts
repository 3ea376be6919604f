import type { DetailLevel, Hit } from "../../model/hit.ts";
import type { HitsData } from "./hits-data.ts";
import { hitJson, levelsDown, loweredNote } from "./hits-fields.ts";
import { explanation } from "./hits-reasons.ts";
import type { View } from "../rendered.ts";
import { shownPath } from "../shown-path.ts";

/**
 * The lines above the results. At the detail level `concise` the results are rows of a table, and its header is among
 * these lines.
 */
export function markdownHead({
  answer,
  level,
  requestedName,
}: Pick<HitsData, "answer" | "level" | "requestedName">): string[] {
  const lines = [
    requestedName === undefined ? "# Search Results" : `# ${requestedName}`,
    "",
    `**Total Results**: ${answer.total}`,
  ];
  if (requestedName === undefined)
    lines.push(`**Latency**: ${answer.elapsedMs}ms`, `**Project**: ${answer.projectId}`);
  if (requestedName === undefined && level === "detailed" && answer.databaseName !== undefined)
    lines.push(`**Database**: ${answer.databaseName}`);
  const table = answer.hits.length > 0 && level === "concise" ? TABLE_HEAD : [];
  return [...lines, "", ...table];
}

const TABLE_HEAD = [
  "How to read this: one row per result, best first; `read` takes File:Lines.",
  "",
  "| File | Lines | Symbol | Score | Similarity | Result ID | Content Preview |",
  "|---|---|---|---|---|---|---|",
];

function tableRow(
  hit: Hit,
  fields: Readonly<Record<string, unknown>>,
  notes: readonly (string | undefined)[],
): string {
  const text = (name: string): string => {
    const value = fields[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const symbol = `${text("kind")} ${text("qualified_name") || text("name") || text("heading")}`.trim();
  const marks = [hit.match?.replace("_", "-"), hit.stale === true ? "stale" : undefined, ...notes];
  const cells = [
    hit.path,
    `${hit.lineStart}-${hit.lineEnd}`,
    [symbol, ...marks.flatMap((mark) => (mark === undefined ? [] : [`[${mark}]`]))].join(" "),
    text("score"),
    text("similarity_score"),
    text("result_id"),
    code(text("content") || text("signature")),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}

/** Writes a text as inline code on one line, between more backticks than any run of backticks in the text. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line === "") return "";
  const fence = "`".repeat(Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return fence.length > 1 ? `${fence} ${line} ${fence}` : `\`${line}\``;
}

/** Writes as many results as the budget holds. If not even the first one fits, it is shown at a lower detail level. */
export function markdownPieces(data: HitsData, view: View): string[] {
  const pieces: string[] = [];
  for (const [index, hit] of data.answer.hits.entries()) {
    const atLevel = (level: DetailLevel) => hitMarkdown(hit, index, { data, level, view });
    const levels = index === 0 ? levelsDown(data.level) : [data.level];
    const fitting = levels.find((level) => view.budget.take(atLevel(level)));
    if (fitting === undefined && index > 0) break;
    pieces.push(atLevel(fitting ?? "location"));
  }
  return pieces;
}

/** Writes one result: a row of the table, or a section with its facts and code. */
function hitMarkdown(
  hit: Hit,
  index: number,
  { data, level, view }: { readonly data: HitsData; readonly level: DetailLevel; readonly view: View },
): string {
  const fields = hitJson(hit, { level, compact: data.compact });
  const why = explanation(hit, data.explain);
  const lowered = level === data.level ? undefined : loweredNote(hit, level, view);
  if (data.level === "concise") return tableRow(hit, fields, [why, lowered]);
  const lines = [
    `## Result ${index + 1}`,
    `**File**: \`${shownPath(hit.path)}\``,
    `**Lines**: ${hit.lineStart}-${hit.lineEnd}`,
  ];
  for (const [field, title] of FACTS) {
    const value = fields[field];
    if (typeof value === "string" || typeof value === "number")
      lines.push(`**${title}**: ${CODE.has(field) ? `\`${value}\`` : value}`);
  }
  if (why !== undefined) lines.push(`**Ranking**: ${why}`);
  if (lowered !== undefined) lines.push(`**Left out**: ${lowered}`);
  if (hit.stale === true) lines.push("**Stale**: the file has changed since it was indexed");
  if (fields["parent"] !== undefined && hit.parent !== undefined)
    lines.push(`**Parent**: ${hit.parent.kind} ${hit.parent.name} (line ${hit.parent.line})`);
  if (fields["related_symbols"] !== undefined)
    lines.push(
      `**Related**: ${(hit.related ?? []).map(({ kind, name, path, line }) => `${kind} ${name} ${shownPath(path)}:${line}`).join(", ")}`,
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
  ["similarity_score", "Similarity"],
  ["result_id", "Result ID"],
  ["match", "Match"],
  ["qualified_name", "Qualified name"],
  ["signature", "Signature"],
  ["heading", "Heading"],
  ["language", "Language"],
  ["visibility", "Visibility"],
  ["uses", "Uses"],
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

/** Writes a code block whose fence is longer than any run of backticks in the text. */
function fenced(text: string, language: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language === "text" ? "" : language}`, text, fence];
}
