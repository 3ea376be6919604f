import { COMMANDS, GROUP_TITLES } from "../../src/cli/commands.ts";
import { environmentName } from "../../src/config/keys.ts";
import { allKeys } from "../../src/config/load.ts";
import { chooseStep, toolWords } from "../../src/kernel/calls.ts";
import { ERROR_KINDS } from "../../src/kernel/errors.ts";
import { TOOLS } from "../../src/app/registry.ts";
import type { AnyTool } from "../../src/app/tool.ts";
import { checkProgramsModule } from "./check-programs.ts";
import { buildToolsPage } from "./build-tools.ts";
import { languagesPage } from "./languages.ts";
import { testProgramsModule } from "./test-programs.ts";

const NOTE = "<!-- Generated from the code by `npm run gen`; edit the code instead. -->";

/** Returns the content of every generated file by its path. */
export function pages(root: string): Record<string, string> {
  return {
    "docs/commands.md": commandsPage(),
    "docs/errors.md": errorsPage(),
    "docs/configuration.md": configurationPage(),
    "docs/tools.md": toolsPage(),
    "docs/build-tools.md": page("Build tools", buildToolsPage(root)),
    "docs/languages.md": page("Languages", languagesPage()),
    "src/diagnostics/registry/check-programs.ts": checkProgramsModule(),
    "src/diagnostics/registry/test-programs.ts": testProgramsModule(),
  };
}

/** The commands as `pith help` groups them, each with a link to its page. */
function commandsPage(): string {
  const sections = Object.entries(GROUP_TITLES).flatMap(([group, title]) => [
    "",
    `## ${title}`,
    "",
    "| command | |",
    "|---|---|",
    ...Object.entries(COMMANDS)
      .filter(([, entry]) => entry.group === group)
      .map(([name, { summary }]) => `| [${name}](verbs/${name}.md) | ${summary} |`),
  ]);
  return page("Commands", ["`pith help COMMAND` shows the same for one command.", ...sections]);
}

function errorsPage(): string {
  const rows = Object.entries(ERROR_KINDS).map(
    ([code, kind]) =>
      `| \`${code}\` | ${kind.meaning} | ${chooseStep(kind.suggestion, toolWords)} | ${kind.retryable ? "yes" : "no"} |`,
  );
  return page("Errors", [
    "A call that fails is answered with `isError: true` and one text block of this shape:",
    "",
    "```json",
    '{"error":{"code":"file_not_found","message":"src/ap.ts does not exist","data":{"suggestion":"…"}}}',
    "```",
    "",
    "Branch on the code, never on the message. New codes may be added; existing ones keep their meaning.",
    "",
    "| code | meaning | next step | retry helps |",
    "|---|---|---|---|",
    ...rows,
  ]);
}

function configurationPage(): string {
  const lines: string[] = [
    "The first of these that sets a key wins: flags, `PITH_*` variables, `pith.toml` in the repository, your own",
    "`config.toml`, the default. `pith config` shows every value and where it came from. An unknown key is an error.",
    "",
    "A `pith.toml` with an error is not used; the first reply of a server and `pith doctor` say so.",
    "",
    "A repository can come from anyone, so its `pith.toml` may restrict what Pith does, but not widen it, and it cannot choose where",
    "your code is sent. The last column tells what it may do with each key; anything else that it asks for is ignored, and `pith config`",
    "and an event on stderr name it.",
  ];
  let current = "";
  for (const [section, name, key] of allKeys()) {
    if (section !== current) {
      current = section;
      lines.push(
        "",
        `## [${section}]`,
        "",
        "| key | default | allowed | what it does | a repository may |",
        "|---|---|---|---|---|",
      );
    }
    const names = key.env === undefined ? "" : ` Also \`${key.env}\`.`;
    lines.push(
      `| \`${name}\` | \`${JSON.stringify(key.fallback)}\` | ${key.kind} | ${key.about}${names} | ${key.repository.about} |`,
    );
  }
  lines.push(
    "",
    `The variable of a key is its section and name: \`${environmentName("runs", "keep")}=100\`.`,
  );
  return page("Configuration", lines);
}

function toolsPage(): string {
  return page("Tools", [
    "Every tool also accepts `response_format` (text, json, markdown), `max_tokens` (100 to 9,000) and `workspace`.",
    ...TOOLS.flatMap(toolSection),
  ]);
}

function toolSection(tool: AnyTool): string[] {
  const { readOnlyHint, destructiveHint } = tool.annotations;
  const rows = Object.entries(tool.fields)
    .filter(([, field]) => !field.hidden)
    .map(([name, { schema, required, allowed }]) => {
      return `| \`${name}\`${required ? " (required)" : ""} | ${schema.enum?.join(", ") ?? allowed} | ${schema.description ?? ""} |`;
    });
  const unlisted = Object.entries(tool.fields)
    .filter(([, field]) => field.hidden)
    .map(([name, { schema, allowed }]) =>
      [
        code(name),
        `(${[schema.enum?.join(", ") ?? allowed, schema.description].filter(Boolean).join(", ")})`,
      ].join(" "),
    );
  const aliases = Object.entries(tool.aliases ?? {}).map(
    ([alias, target]) => `${code(alias)} for ${code(target)}`,
  );
  return [
    "",
    `## ${tool.name}`,
    "",
    tool.description,
    "",
    `Toolset \`${tool.toolset}\`; ${readOnlyHint ? "changes nothing" : destructiveHint ? "may change anything" : "changes only Pith's own data"}; ${tool.maxTokens.toLocaleString("en-US")} tokens by default.`,
    "",
    "| argument | allowed | |",
    "|---|---|---|",
    ...rows,
    ...(unlisted.length > 0 ? ["", `Accepted but not listed in the schema: ${unlisted.join("; ")}.`] : []),
    ...(aliases.length > 0 ? ["", `Other names: ${aliases.join(", ")}.`] : []),
    ...(tool.ignored === undefined
      ? []
      : [
          "",
          `Accepted for compatibility with other agents' tools, and ignored: ${tool.ignored.map(code).join(", ")}.`,
        ]),
  ];
}

function code(name: string): string {
  return `\`${name}\``;
}

function page(title: string, lines: readonly string[]): string {
  return `# ${title}\n\n${NOTE}\n\n${lines.join("\n")}\n`;
}
