import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hit } from "../../../src/model/hit.ts";
import type { Definition } from "./definitions.ts";
import { fold, type Question } from "./questions.ts";

/** Query types without a location, for which any of several definitions is correct. */
const ANYWHERE = /^(?:bare|call|case|style|kind word)$/u;
/** Files whose reference parsers miss only assigned functions and classes. */
const KNOWN_WHOLE = /\.(?:pyi?|[cm]?[jt]sx?)$/u;
const ASSIGNS = /^\s*[\w$.]+\.\w+\s*=\s*(?:async\s+)?(?:function\b|class\b|\([^()]*\)\s*=>|\w+\s*=>)/u;
const DECLARES =
  /\b(?:class|struct|interface|enum|trait|object|protocol|actor|type|typealias|fun|func|fn|def|function|const|static|val|var|let|module|(?:[mc]?attr|thread_mattr)_(?:accessor|reader|writer))\b/u;

/**
 * Creates a check for definitions that the reference programs miss: Rust constants, Rails accessors, `target.name =
 * function` in JavaScript, and names after a multi-line declaration head. A line that they do not list but that
 * declares the name counts too.
 */
export function createDeclared(folder: string, all: readonly Definition[]) {
  const known = new Set(all.map(({ path, line }) => `${path}:${line}`));
  return ({ way, text, about }: Question, hit: Hit | undefined): boolean => {
    const { name } = hit ?? {};
    if (hit === undefined || name === undefined || !ANYWHERE.test(way)) return false;
    if (fold(name) !== fold(about.name)) return false;
    const line = readFileSync(join(folder, hit.path), "utf8").split("\n")[hit.lineStart - 1] ?? "";
    const before = line.slice(0, Math.max(0, line.search(new RegExp(String.raw`\b${name}\b`, "u"))));
    if (known.has(`${hit.path}:${hit.lineStart}`) || /^\s*(?:\/\/|[#*])/u.test(line)) return false;
    if (KNOWN_WHOLE.test(hit.path)) return ASSIGNS.test(line) && before.endsWith(".");
    // A query such as `class Foo` requires that keyword before the name.
    return way === "kind word" ? before.includes(`${text.split(" ")[0] ?? ""} `) : DECLARES.test(before);
  };
}
