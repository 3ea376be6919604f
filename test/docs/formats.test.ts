import { join } from "node:path";
import { expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { call } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";
import { SHOP } from "./shop.ts";

const page = join(import.meta.dirname, "../../docs/formats.md");

const COMBINATIONS = [
  { response_format: "json", detail_level: "detailed" },
  { response_format: "json", detail_level: "concise" },
  { response_format: "markdown", detail_level: "detailed" },
  { response_format: "markdown", detail_level: "concise" },
] as const;

const HEAD = `# Formats and detail levels

Every tool accepts \`response_format\`: \`text\` (default; the best for models with the fewest tokens), \`json\` for programs, \`markdown\` for people. All three contain
the same facts. Search and symbols also accept \`detail_level\`: \`location\`, \`signature\` (default), \`concise\`, \`context\`, \`detailed\`; each level adds to the one before. The
replies below come from a real server on a small shop; ids and times are replaced.

A run's JSON always has \`exitCode\` (or \`exit_code\`) as a number and \`duration_ms\`; a run that has not ended has \`"status":"running"\`. Fields that do not apply are
omitted, never null. In JSON the metadata is always complete; text replies mention only exceptions.
`;

it("the page on formats shows the replies of a real server", { timeout: 120_000 }, async () => {
  const client = await connect(makeFolder(SHOP), { args: ["--toolsets", "code,index,run"] });
  const sections = [HEAD];
  const show = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    const text = steady(await call(client, tool, args));
    sections.push(
      `\`${tool} ${JSON.stringify(args)}\` (${estimateTokens(text)} tokens)\n\n${fenced(text)}\n`,
    );
    return text;
  };
  const query = { query: "coupon", limit: 1 };
  sections.push("## search_code\n");
  await show("search_code", query);
  const sizes: number[] = [];
  for (const combination of COMBINATIONS)
    sizes.push(estimateTokens(await show("search_code", { ...query, ...combination })));
  const [jsonDetailed = 0, jsonConcise = 0, markdownDetailed = 0, markdownConcise = 0] = sizes;
  expect(jsonConcise).toBeLessThan(jsonDetailed);
  expect(markdownConcise).toBeLessThan(markdownDetailed);
  sections.push("## index_repository\n");
  for (const combination of COMBINATIONS) await show("index_repository", combination);
  sections.push("## build\n");
  for (const response_format of ["text", "json", "markdown"])
    await show("build", { action: "exec", tool: "node --test", response_format });
  await expect(sections.join("\n")).toMatchFileSnapshot(page);
});

/** Returns a code block whose fence is longer than any fence inside it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^`+/gm)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

/** Replaces ids, times and folders, which differ between runs. */
function steady(text: string): string {
  return text
    .replaceAll(/\br[0-9]{6}\b/g, "r123456")
    .replaceAll(/("(?:latency_ms|duration_ms|durationMs|duration_seconds)":)[\d.]+/g, "$10")
    .replaceAll(/(\*\*(?:Latency|Duration)\*\*: )[\d.]+ ?(ms|s)/g, "$10 $2")
    .replaceAll(
      /("(?:project|repository)_id":")[0-9a-z]+|(\*\*(?:Project|Repository ID)\*\*: `?)[0-9a-z]+/g,
      "$1$2abcdefgh1234",
    )
    .replaceAll(/(cursor"?[=:]"?)[0-9a-z]+\.[0-9a-z]+/g, "$11.abc123");
}
