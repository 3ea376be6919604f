import { join, posix } from "node:path";
import { readSmallText } from "../../kernel/files/small-file.ts";
import { neededGroups } from "../environments/detect.ts";
import { foldersAbove } from "../environments/folders-above.ts";
import type { FactName, Need } from "./needs.ts";
import { readRange, type VersionInterval, versionsBeginningWith, versionsFrom } from "./version-range.ts";

type Reading = Pick<Need, "text" | "intervals">;

/** A file that says which version of a toolchain a project needs. */
interface Source {
  readonly file: string;
  readonly name: FactName;
  readonly read: (text: string) => Reading | undefined;
}

/** The names of toolchains in the files of asdf, where they differ. */
const ASDF_NAMES: Readonly<Record<string, string>> = { node: "(?:nodejs|node)", go: "(?:golang|go)" };

const SOURCES: readonly Source[] = [
  { file: ".node-version", name: "node", read: pinned },
  { file: ".nvmrc", name: "node", read: pinned },
  { file: "package.json", name: "node", read: nodeEngine },
  { file: ".python-version", name: "python", read: pinned },
  {
    file: "pyproject.toml",
    name: "python",
    read: matched(/^requires-python\s*=\s*["']([^"'\n]+)["']/m, readRange),
  },
  { file: "pyproject.toml", name: "python", read: matched(/^python\s*=\s*["']([^"'\n]+)["']/m, readRange) },
  { file: "rust-toolchain", name: "rust", read: rustToolchain },
  { file: "rust-toolchain.toml", name: "rust", read: rustToolchain },
  { file: "Cargo.toml", name: "rust", read: matched(/^rust-version\s*=\s*"([\d.]+)"/m, versionsFrom, ">=") },
  { file: "go.mod", name: "go", read: matched(/^go\s+(\d+\.\d+(?:\.\d+)?)/m, versionsFrom, ">=") },
  { file: ".ruby-version", name: "ruby", read: (text) => pinned(text.replace(/^\s*ruby-/, "")) },
  { file: "composer.json", name: "php", read: matched(/"php"\s*:\s*"([^"\n]+)"/, phpRange) },
  { file: ".java-version", name: "java", read: pinned },
  ...(["node", "python", "rust", "go", "ruby", "php", "java"] as const).map((name) => ({
    file: ".tool-versions",
    name,
    read: toolVersions(name),
  })),
];

/** Larger files say nothing about versions that is worth reading. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads from a project which toolchains its command needs: from the files beside and above the command, the nearest
 * first. Programs of one language need only that language.
 */
export function projectNeeds(root: string, cwd: string, programs: readonly string[]): Need[] {
  const groups = neededGroups(programs);
  const folders = foldersAbove(cwd);
  const needs: Need[] = [];
  for (const { file, name, read } of SOURCES) {
    if (!groups.has(name)) continue;
    for (const folder of folders) {
      const text = readSmallText(join(root, folder, file), { maxBytes: MAX_BYTES, within: root });
      if (text === undefined) continue;
      const reading = read(text);
      if (reading !== undefined && !needs.some((one) => one.name === name && one.text === reading.text))
        needs.push({ name, ...reading, source: posix.join(folder, file) });
      break;
    }
  }
  return needs;
}

/** Reads a file that consists of a version; names such as `lts/*` or `stable` need no certain one. */
function pinned(text: string): Reading | undefined {
  const [line = ""] = text.split("\n").filter((one) => one.trim() !== "" && !one.startsWith("#"));
  const version = /^\s*v?(\d+(?:\.\d+){0,2})\s*$/.exec(line)?.[1];
  return reading(version, versionsBeginningWith);
}

function nodeEngine(text: string): Reading | undefined {
  return reading(/"engines"\s*:\s*\{[^}]*"node"\s*:\s*"([^"\n]{1,200})"/.exec(text)?.[1], readRange);
}

function rustToolchain(text: string): Reading | undefined {
  const channel = /^\s*channel\s*=\s*"([^"\n]+)"/m.exec(text)?.[1];
  return pinned(channel ?? text);
}

/** Composer separates alternatives by one or two bars. */
function phpRange(text: string): VersionInterval[] | undefined {
  return readRange(text.replaceAll(/\s*\|+\s*/g, "||"));
}

function toolVersions(name: FactName) {
  return matched(
    new RegExp(`^${ASDF_NAMES[name] ?? name}\\s+(\\d+(?:\\.\\d+){0,2})\\s*$`, "m"),
    versionsBeginningWith,
  );
}

function matched(pattern: RegExp, parse: (text: string) => VersionInterval[] | undefined, sign = "") {
  return (text: string): Reading | undefined => reading(pattern.exec(text)?.[1], parse, sign);
}

function reading(
  text: string | undefined,
  parse: (text: string) => VersionInterval[] | undefined,
  sign = "",
): Reading | undefined {
  const intervals = text === undefined ? undefined : parse(text);
  return text === undefined || intervals === undefined || intervals.length === 0
    ? undefined
    : { text: `${sign}${text.trim()}`, intervals };
}
