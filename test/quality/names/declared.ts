import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hit } from "../../../src/model/hit.ts";
import type { Definition } from "./definitions.ts";
import { fold, type Question } from "./questions.ts";

/** Ways to ask that say nothing of the place: of several definitions each will do. */
const ANYWHERE = /^(?:bare|call|case|style|kind word)$/u;
/** Their parsers miss nothing, but for what is assigned. */
const KNOWN_WHOLE = /\.(?:pyi?|[cm]?[jt]sx?)$/u;
const ASSIGNS = /^\s*[\w$.]+\.\w+\s*=\s*(?:async\s+)?(?:function\b|class\b|\([^()]*\)\s*=>|\w+\s*=>)/u;
const DECLARES =
  /\b(?:class|struct|interface|enum|trait|object|protocol|actor|type|typealias|fun|func|fn|def|function|const|static|val|var|let|module|(?:[mc]?attr|thread_mattr)_(?:accessor|reader|writer))\b/u;

/**
 * The other programs miss definitions: constants of Rust, accessors of Rails, `target.name = function` in JavaScript, what
 * comes after a head of several lines. A line that they know nothing of, and that declares the name, is a definition too.
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
    // `class Foo` wants that word.
    return way === "kind word" ? before.includes(`${text.split(" ")[0] ?? ""} `) : DECLARES.test(before);
  };
}
