import { join } from "node:path";
import { parse as parseToml, TomlError } from "smol-toml";
import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { describeRefusal, readSmallFile, type SmallFileOptions } from "../kernel/files/small-file.ts";
import { userConfigFile } from "./environment.ts";
import type { CustomTool } from "../model/custom-tool.ts";
import type { Environment } from "./environment.ts";
import type { Key } from "./key.ts";
import { CONFIG_KEYS, environmentName } from "./keys.ts";
import type { Config } from "./keys.ts";

export type Source = "default" | "user file" | "repository file" | "environment" | "flag";

export interface LoadedConfig {
  readonly config: Config;
  /** Which configuration layer each value came from, by `section.key`. */
  readonly sources: ReadonlyMap<string, Source>;
  readonly files: { readonly user: string; readonly repository: string };
  /** What the repository's file asked for and did not get, as sentences. */
  readonly refused: readonly string[];
  /** Why the repository's file is ignored as a whole. */
  readonly problem?: string;
}

/** Values from command-line flags, by `section.key`. */
export type Flags = Readonly<Record<string, unknown>>;

const SECTIONS: Readonly<Record<string, Readonly<Record<string, Key<unknown>>>>> = CONFIG_KEYS;

/**
 * Merges the configuration layers: flags override the environment, then the repository's pith.toml, the user's config.toml, and the
 * defaults.
 */
export function loadConfig(environment: Environment, workspace: string, flags: Flags = {}): LoadedConfig {
  const files = { user: userConfigFile(environment), repository: join(workspace, "pith.toml") };
  const repository = readRepositoryFile(files.repository, workspace);
  const layers: { source: Source; values: Map<string, unknown> }[] = [
    { source: "user file", values: rejectEnvironmentOnly(readFile(files.user), files.user) },
    { source: "repository file", values: repository.values },
    { source: "environment", values: readVariables(environment.variables) },
    { source: "flag", values: new Map(Object.entries(flags).filter(([, value]) => value !== undefined)) },
  ];
  const sources = new Map<string, Source>();
  const sections: Record<string, Record<string, unknown>> = {};
  const refused: string[] = repository.problem === undefined ? [] : [repository.problem];
  for (const [section, name, key] of allKeys()) {
    let value: unknown = key.fallback;
    for (const layer of layers) {
      if (!layer.values.has(`${section}.${name}`)) continue;
      const full = `${section}.${name}`;
      const read = readValue(full, key, layer.values.get(full), layer.source);
      const moved =
        layer.source === "repository file" ? key.repository.apply(read, value) : merge(key, read, value);
      if (moved === undefined) refused.push(refusal(full, read, key));
      else {
        value = moved;
        sources.set(full, layer.source);
      }
    }
    (sections[section] ??= {})[name] = value;
  }
  // The cast is safe because the object is built key by key from the table that the type is derived from.
  const config = Object.freeze({ ...sections, tools: toolsIn(layers, files) }) as unknown as Config;
  const { problem } = repository;
  return { config, sources, files, refused, ...(problem === undefined ? {} : { problem }) };
}

const TOOL_PREFIX = "tools.";

/**
 * Returns the tools that the files describe. If both describe a tool of the same name, the user's counts, so that a
 * repository cannot change what a name of the user's stands for.
 */
function toolsIn(
  layers: readonly { readonly source: Source; readonly values: ReadonlyMap<string, unknown> }[],
  files: LoadedConfig["files"],
): readonly CustomTool[] {
  const tools = new Map<string, CustomTool>();
  for (const { source, values } of layers)
    for (const [key, table] of values) {
      const name = key.slice(TOOL_PREFIX.length);
      if (!key.startsWith(TOOL_PREFIX) || !isTable(table) || tools.has(name)) continue;
      tools.set(name, { name, file: source === "user file" ? files.user : files.repository, table });
    }
  return [...tools.values()];
}

/** Yields every key as [section, name, key], in table order. */
export function* allKeys(): Generator<[string, string, Key<unknown>]> {
  for (const [section, keys] of Object.entries(SECTIONS))
    for (const [name, key] of Object.entries(keys)) yield [section, name, key];
}

/**
 * Reads the repository's file. A file with a mistake is left out as a whole and reported, because a repository that was
 * cloned from anyone must not be able to keep the server from starting.
 */
function readRepositoryFile(
  path: string,
  workspace: string,
): { readonly values: Map<string, unknown>; readonly problem?: string } {
  try {
    const values = readFile(path, { within: workspace });
    for (const [section, name, key] of allKeys()) {
      const full = `${section}.${name}`;
      if (values.has(full)) readValue(full, key, values.get(full), "repository file");
    }
    return { values };
  } catch (error) {
    if (!(error instanceof PithError)) throw error;
    return { values: new Map(), problem: `${path} is ignored: ${error.message}. ${error.suggestion}` };
  }
}

function readValue(name: string, key: Key<unknown>, value: unknown, source: Source): unknown {
  const read = key.read(value);
  if (read !== undefined) return read;
  throw new PithError(
    "config_invalid",
    `${name} (${source}) is ${JSON.stringify(value)}; allowed: ${key.kind}`,
    { key: name },
  );
}

function readVariables(variables: Environment["variables"]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [section, name, key] of allKeys()) {
    const own =
      variables[environmentName(section, name)] ?? (key.env === undefined ? undefined : variables[key.env]);
    if (own !== undefined && own !== "") values.set(`${section}.${name}`, own);
  }
  return values;
}

function readFile(path: string, options: SmallFileOptions = {}): Map<string, unknown> {
  const read = readSmallFile(path, options);
  if ("bytes" in read) return flatten(parseFile(path, read.bytes.toString("utf8")), path);
  if (read.refused === "missing") return new Map();
  throw new PithError("config_invalid", `${path} ${describeRefusal(read.refused)}`, {
    file: path,
    suggestion: "Put a plain file in its place, or remove it.",
  });
}

function parseFile(path: string, source: string): Record<string, unknown> {
  try {
    return parseToml(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const place = `${path}:${error.line}:${error.column}`;
    const reason = error.message.split("\n")[0] ?? "";
    throw new PithError(
      "config_invalid",
      `${place}: not valid TOML: ${reason}`,
      {
        file: path,
        ...(/escape/.test(reason)
          ? { suggestion: "Write a text with backslashes, such as a pattern, between single quotes." }
          : {}),
      },
      { cause: error },
    );
  }
}

function flatten(table: Record<string, unknown>, path: string): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, tool] of Object.entries(isTable(table["tools"]) ? table["tools"] : {})) {
    if (!isTable(tool)) throw unknownKey(`${TOOL_PREFIX}${name}`, path);
    values.set(`${TOOL_PREFIX}${name}`, tool);
  }
  for (const [section, keys] of sectionsOf(table, path)) {
    for (const [name, value] of Object.entries(keys)) {
      const full = translate(section, name, value);
      if (SECTIONS[full.section]?.[full.name] === undefined) throw unknownKey(`${section}.${name}`, path);
      values.set(`${full.section}.${full.name}`, full.value);
    }
  }
  return values;
}

/** Yields the tables of a file by section name; `[pool.prepare]` is a section of its own inside `[pool]`. */
function* sectionsOf(
  table: Record<string, unknown>,
  path: string,
): Generator<[string, Record<string, unknown>]> {
  // The deprecated section [debug] is read first, so that a current key in the same file overrides it.
  const debug = table["debug"];
  if (isTable(debug)) yield ["debug", debug];
  for (const [name, value] of Object.entries(table)) {
    if (!isTable(value)) throw unknownKey(name, path);
    if (name === "debug" || name === "tools") continue;
    const known = name in SECTIONS || Object.keys(SECTIONS).some((section) => section.startsWith(`${name}.`));
    if (!known) throw unknownKey(name, path);
    const inner = Object.entries(value).flatMap(([sub, keys]): [string, Record<string, unknown>][] =>
      isTable(keys) && `${name}.${sub}` in SECTIONS ? [[sub, keys]] : [],
    );
    const own = Object.entries(value).filter(([sub]) => !inner.some(([section]) => section === sub));
    yield [name, Object.fromEntries(own)];
    for (const [sub, keys] of inner) yield [`${name}.${sub}`, keys];
  }
}

/** Maps the deprecated `debug.ranking_reasons = true` to `query.ranking_explain_level = "full"`. */
function translate(
  section: string,
  name: string,
  value: unknown,
): { section: string; name: string; value: unknown } {
  if (section === "debug" && name === "ranking_reasons" && typeof value === "boolean")
    return { section: "query", name: "ranking_explain_level", value: value ? "full" : "off" };
  return { section, name, value };
}

/** Adds to a list or replaces the value, as the key says. */
function merge({ additive }: Key<unknown>, read: unknown, value: unknown): unknown {
  return additive && Array.isArray(value) && Array.isArray(read) ? [...value, ...read] : read;
}

/** Upper bound on the characters shown of a value that a repository asked for. */
const MAX_ASKED_CHARACTERS = 60;

function refusal(name: string, asked: unknown, { repository }: Key<unknown>): string {
  const text = JSON.stringify(asked);
  const shown = text.length > MAX_ASKED_CHARACTERS ? `${text.slice(0, MAX_ASKED_CHARACTERS)}…` : text;
  return `pith.toml sets ${name} to ${shown}, which is ignored: a repository may ${repository.about}.`;
}

/** Secrets are refused in a file, because they could end up in a repository, a backup or a screenshot. */
function rejectEnvironmentOnly(values: Map<string, unknown>, path: string): Map<string, unknown> {
  for (const [section, name, key] of allKeys())
    if (key.environmentOnly && values.has(`${section}.${name}`))
      throw new PithError("config_invalid", `${path}: ${section}.${name} is read only from the environment`, {
        suggestion: `Set ${key.env ?? environmentName(section, name)} and take it out of the file.`,
      });
  return values;
}

function unknownKey(name: string, path: string): PithError {
  const known = [...allKeys()].flatMap(([section, key]) => [section, `${section}.${key}`]);
  const [nearest] = nearestNames(name, known, 1);
  return new PithError("config_invalid", `${path}: unknown key ${name}`, {
    key: name,
    suggestion: nearest === undefined ? "pith config lists every key." : `Did you mean ${nearest}?`,
  });
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
