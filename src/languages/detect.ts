import type { Language } from "./language.ts";
import { LANGUAGES } from "./registry.ts";

const BY_FILE_NAME = new Map(
  LANGUAGES.flatMap((language) => (language.fileNames ?? []).map((name) => [name, language] as const)),
);
const BY_EXTENSION = new Map(
  LANGUAGES.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);
const BY_INTERPRETER = new Map(
  LANGUAGES.flatMap((language) => (language.interpreters ?? []).map((name) => [name, language] as const)),
);

/** Detects the language of a file by its name, then its extension, then the `#!` of its first line. */
export function languageOf(path: string, firstLine?: string): Language | undefined {
  const fileName = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  // A file such as `Dockerfile.dev` is a Dockerfile too.
  const named =
    BY_FILE_NAME.get(fileName) ??
    BY_FILE_NAME.get(/^(?:docker|container)file(?=\.)/u.exec(fileName)?.[0] ?? "");
  if (named !== undefined) return named;
  for (let dot = fileName.indexOf(".", 1); dot > 0; dot = fileName.indexOf(".", dot + 1)) {
    const language = BY_EXTENSION.get(fileName.slice(dot));
    if (language !== undefined) return language;
  }
  return firstLine === undefined ? undefined : byInterpreter(firstLine);
}

const SHEBANG = /^\u{FEFF}?#!\s*(\S+)(?:\s+(.*))?$/u;

function byInterpreter(firstLine: string): Language | undefined {
  const match = SHEBANG.exec(firstLine.slice(0, 200).trimEnd());
  if (match === null) return undefined;
  const words = [match[1] ?? "", ...(match[2] ?? "").split(/\s+/u)];
  for (const word of words) {
    const program = word.slice(word.lastIndexOf("/") + 1).replace(/[\d.]+$/u, "");
    const language = BY_INTERPRETER.get(program);
    if (language !== undefined) return language;
    // Skips the options and assignments before the program in `#!/usr/bin/env -S NAME=value program`.
    if (program !== "env" && !word.startsWith("-") && !word.includes("=")) return undefined;
  }
  return undefined;
}
