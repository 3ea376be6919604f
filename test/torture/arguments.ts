import { asRecord } from "./judge.ts";
import type { Random } from "./random.ts";

/** A tool as listed by the server. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, PropertySchema>>;
    readonly required?: readonly string[];
  };
}

interface PropertySchema {
  readonly type: string;
  readonly description?: string;
  readonly enum?: readonly string[];
}

/** Generators for text fields in which a random text would be useless or dangerous. */
export type Vocabulary = Readonly<Record<string, readonly string[]>>;

/** Generates arguments from the tool's schema, some of them slightly invalid. */
export function randomArguments(
  tool: ListedTool,
  random: Random,
  vocabulary: Vocabulary,
): Record<string, unknown> {
  const { properties, required = [] } = tool.inputSchema;
  const args: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const isWanted = required.includes(name) ? random.chance(0.97) : random.chance(0.3);
    if (!isWanted) continue;
    args[name] = random.chance(0.12) ? outside(schema, random) : inside(name, schema, random, vocabulary);
  }
  if (random.chance(0.2)) args["response_format"] = random.pick(["text", "json", "markdown", "JSON", 1]);
  if (random.chance(0.05)) args[random.pick(["nmae", "__proto__", "constructor", "", "toString"])] = 1;
  return args;
}

/** Parses the tools of a `tools/list` response. */
export function listedTools(message: Readonly<Record<string, unknown>>): ListedTool[] {
  const tools = asRecord(message["result"])?.["tools"];
  return Array.isArray(tools) ? (tools as ListedTool[]) : [];
}

function inside(name: string, schema: PropertySchema, random: Random, vocabulary: Vocabulary): unknown {
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const texts = vocabulary[name] ?? TEXTS;
  if (schema.type === "integer") return numberIn(schema.description, random);
  if (schema.type === "boolean") return random.chance(0.5);
  if (schema.type === "array") return Array.from({ length: random.size(20) }, () => random.pick(texts));
  if (schema.type === "object") return { [random.pick(["A", "LANG", "TZ"])]: random.pick(TEXTS) };
  return random.chance(0.8) || vocabulary[name] !== undefined ? random.pick(texts) : oddText(random);
}

/** Reads bounds such as `1..50` from a field's description. */
function numberIn(description: string | undefined, random: Random): number {
  const bounds = /(-?\d+)\.\.(\d+)/.exec(description ?? "");
  const [min, max] = bounds === null ? [1, 10_000] : [Number(bounds[1]), Number(bounds[2])];
  return random.pick([min, max, random.int(min, max), min + random.size(max - min) - 1, min - 1, max + 1]);
}

function outside(schema: PropertySchema, random: Random): unknown {
  const odd: readonly unknown[] = [null, true, -1, 0, 1.5, 2 ** 53, [], {}, [[]], [1], { a: {} }, ""];
  // Sometimes a text of the wrong type is used, but never where it could be a command.
  return random.pick(schema.type === "string" ? odd : [...odd, "x", "10", "true", "[]", oddText(random)]);
}

const TEXTS = [
  "alpha",
  "beta_gamma",
  "Widget.render",
  "*",
  "**/*.ts",
  "[",
  "(",
  "(?=x)",
  "\\",
  "(a+)+$",
  ".*",
  "-n",
  "--help",
  "'; true; '",
  "src",
  "HEAD",
  "live",
  "main",
  "HEAD~99",
  "-",
  "@{-1}",
  "typescript",
  "function",
  "\u202Etxt",
  "é漢🙂",
  "a\nb",
  "\u0000",
  "%00",
  "where is the widget rendered?",
] as const;

/** Generates texts of many kinds, some of them long. */
export function oddText(random: Random): string {
  return random.pick([
    () => random.pick(TEXTS),
    () => random.word(random.int(1, 30)),
    () => random.pick(TEXTS).repeat(random.size(5_000)),
    () => random.bytes(random.size(300)).toString("utf8"),
    () => random.bytes(random.size(300)).toString("latin1"),
    () => "\ud800".repeat(random.int(1, 3)),
    () => `${"(".repeat(random.size(500))}a${")".repeat(random.size(500))}`,
    () => "/".repeat(random.size(5_000)),
  ])();
}
