import { readFileSync } from "node:fs";
import { addTruth, type Truth } from "./truth.ts";

/**
 * Definition keywords of languages that ctags does not support; their definitions start a line and indent their
 * content.
 */
const HEADS = {
  swift:
    /^(\s*)(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|open|internal|private|fileprivate|package|final|static|class|override|mutating|nonisolated|indirect|required|convenience|lazy|weak)(?:\(set\))?\s+)*(class|struct|enum|protocol|actor|extension|func|typealias|let|var|init|deinit|subscript|case|get|set)\b\s*([\w.]*)/u,
  scala:
    /^(\s*)(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:private|protected)(?:\[\w+\])?\s+|(?:final|sealed|abstract|case|implicit|override|lazy|inline|opaque|transparent|open)\s+)*(class|object|trait|enum|def|val|var|type|given|package object)\b\s*([\w.]*)/u,
} as const;
const FUNCTIONS = /^(?:func|def|init|deinit|subscript|get|set|val|var|let|given)$/u;
const NO_DEFINITIONS = /^(?:extension|init|deinit|subscript|case|get|set|given|package object)$/u;

/** Finds definitions by their first words, and their owners by indentation. */
export function indentedTruth(files: readonly string[], language: keyof typeof HEADS): Map<string, Truth[]> {
  const found = new Map<string, Truth[]>();
  for (const file of files) {
    const around: { indent: number; kind: string; name: string }[] = [];
    let inComment = false;
    let inText = false;
    for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
      const wasInText = inText;
      if (line.split('"""').length % 2 === 0) inText = !inText;
      if (wasInText) continue;
      if (/^\s*\/\*/u.test(line)) inComment = true;
      if (inComment || line.trim() === "") {
        if (line.includes("*/")) inComment = false;
        continue;
      }
      const indent = /^\s*/u.exec(line)?.[0].length ?? 0;
      // A bracket at the start of a line belongs to the lines before it.
      if (!/^\s*(?:[{})\]]|#|\/\/)/u.test(line)) while ((around.at(-1)?.indent ?? -1) >= indent) around.pop();
      const [, , kind = "", name = ""] = HEADS[language].exec(line) ?? [];
      if (kind === "") {
        // Definitions in an unknown block are not known to be members.
        if (/[{:=(]\s*$|=>\s*$/u.test(line) && !/^\s*[{})\]]/u.test(line))
          around.push({ indent, kind: "def", name: "" });
        continue;
      }
      const isLocal = around.some((one) => FUNCTIONS.test(one.kind));
      const scope = around.map((one) => one.name).join(".");
      if (name !== "" && !NO_DEFINITIONS.test(kind))
        addTruth(found, file, { name, line: index + 1, kind, isLocal, ...(scope !== "" && { scope }) });
      around.push({ indent, kind, name });
    }
  }
  return found;
}
