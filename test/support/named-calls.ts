import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { TOOLS } from "../../src/app/registry.ts";

/** A tool call that a reply suggests. */
export interface NamedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const ALL_TOOLS = TOOLS.map(({ name }) => name);
/** These tool names are also plain words, so they count as calls only with arguments. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(["build", "read", "grep", "bash"]);

const PAIR = String.raw`\w+=(?:"(?:[^"\\]|\\.)*"|[^\s;,"')\]]+)`;
const CALL = new RegExp(String.raw`\b(${ALL_TOOLS.join("|")})\b((?: ${PAIR})*)`, "g");
const AGAIN = new RegExp(String.raw`(?::|use) (${PAIR}(?: ${PAIR})*)`, "g");

/** Finds every call that a reply suggests, in any format: complete calls, and arguments to add to the call that was made. */
export function namedCalls(text: string, made: NamedCall): NamedCall[] {
  return textsOf(text).flatMap((part) => [
    ...[...part.matchAll(CALL)]
      .filter(([, tool = "", pairs = ""]) => pairs !== "" || !PLAIN_WORDS.has(tool))
      .map(([, tool = "", pairs = ""]) => ({ tool, args: argumentsOf(pairs) })),
    ...[...part.matchAll(AGAIN)].map(([, pairs = ""]) => ({
      tool: made.tool,
      args: { ...made.args, ...argumentsOf(pairs) },
    })),
  ]);
}

/** Returns the strings in a JSON reply, or the reply itself. */
function textsOf(text: string): string[] {
  try {
    return strings(JSON.parse(text));
  } catch {
    // The reply is not JSON but plain text or Markdown.
    return [text];
  }
}

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

function argumentsOf(pairs: string): Record<string, unknown> {
  const found = pairs.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|[^\s;,"')\]]+)/g);
  return Object.fromEntries(
    [...found].map(([, name = "", value = ""]) => [
      name,
      // A placeholder such as A or B stands for any line number.
      value.startsWith('"') ? (JSON.parse(value) as string) : /^[A-Z]$/.test(value) ? 1 : value,
    ]),
  );
}

/** Arguments that every tool accepts in addition to those it lists. */
const EVERYWHERE: ReadonlySet<string> = new Set(["response_format", "max_tokens", "workspace"]);

/** Arguments that the documentation lists as accepted but not in the schema, by tool. */
const UNLISTED = new Map(
  readFileSync(join(import.meta.dirname, "../../docs/tools.md"), "utf8")
    .split("\n## ")
    .map((section): [string, ReadonlySet<string>] => {
      const line = /^Accepted but not listed in the schema: (.*)$/m.exec(section)?.[1] ?? "";
      return [
        section.split("\n", 1)[0] ?? "",
        new Set([...line.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)),
      ];
    }),
);

/** Returns what is wrong with a call according to the server's tool list and the documentation; empty if the call is valid. */
export async function faultsOf({ tool, args }: NamedCall, client: Client): Promise<string[]> {
  const { tools } = await client.listTools();
  const listed = tools.find(({ name }) => name === tool);
  if (listed === undefined) return [`no tool ${tool}`];
  const properties = Object.keys(listed.inputSchema.properties ?? {});
  const unlisted = Object.keys(args).filter(
    (name) => !properties.includes(name) && !EVERYWHERE.has(name) && !UNLISTED.get(tool)?.has(name),
  );
  return unlisted.map((name) => `${tool} does not list ${name}`);
}
