import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeTools } from "../../src/diagnostics/registry/describe-tools.ts";
import type { ToolDescription } from "../../src/diagnostics/registry/describe-tools.ts";

/** Generates the page of build tools: what is supported, how it is recognized, and the real versions that the fixtures come from. */
export function buildToolsPage(root: string): string[] {
  const tools = describeTools();
  const lines = [
    `${tools.length} tools and report formats. Output is recognised by its content, whatever started the command; other output goes to a`,
    "general matcher for `file:line:col: message` and stack traces, and to your own VS Code problem matchers.",
    "Versions are those of the real tools that the test fixtures were captured from; *by hand* marks formats written from",
    "the tool's documentation because the tool could not be run here.",
  ];
  for (const ecosystem of new Set(tools.map((tool) => tool.ecosystem))) {
    lines.push(
      "",
      `## ${ecosystem}`,
      "",
      "| tool | does | known by | `build` names | fixtures from |",
      "|---|---|---|---|---|",
    );
    for (const tool of tools.filter((one) => one.ecosystem === ecosystem)) lines.push(row(tool, root));
  }
  return lines;
}

function row({ id, title, url, kinds, knownBy, commands }: ToolDescription, root: string): string {
  const known = cell(knownBy.length > 120 ? `${knownBy.slice(0, 120).replace(/,[^,]*$/, "")}, …` : knownBy);
  const names = commands.map((name) => `\`${name}\``).join(", ");
  return `| [${title}](${url}) | ${kinds.join(", ")} | ${known} | ${names} | ${versions(join(root, "test/fixtures", id))} |`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function versions(folder: string): string {
  if (!existsSync(folder)) return "";
  const cases = readdirSync(folder)
    .filter((name) => name.endsWith(".json") && existsSync(join(folder, name.replace(/json$/, "txt"))))
    .map(
      (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as { version?: string; origin?: string },
    );
  const seen = new Set(
    cases.map(({ version, origin }) => (origin === "captured" ? (version ?? "") : "*by hand*")),
  );
  return [...seen]
    .filter((one) => one !== "")
    .sort()
    .join(", ");
}
