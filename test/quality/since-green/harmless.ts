import { posix } from "node:path";
import type { Random } from "./random.ts";

/** What is written after the text of a file to change code without changing what it does. */
interface Additions {
  readonly comment: string;
  readonly helper: string;
  readonly test: string;
  /** A statement without an effect. */
  readonly statement: string;
}

const SCRIPT: Additions = {
  comment: "// Kept in step with the other modules.",
  helper: "function _laterHelper(value) {\n  return value == null ? [] : [value];\n}",
  test: 'it("has room for later cases", function () {});',
  statement: "void 0;",
};

const ADDITIONS: Readonly<Record<string, Additions>> = {
  ".js": SCRIPT,
  ".mjs": SCRIPT,
  ".ts": { ...SCRIPT, helper: SCRIPT.helper.replace("(value)", "(value: unknown): unknown[]") },
  ".py": {
    comment: "# Kept in step with the other modules.",
    helper: "\ndef _later_helper(value):\n    return [] if value is None else [value]",
    test: "\ndef test_room_for_later_cases():\n    assert [] == []",
    statement: "pass",
  },
  ".go": {
    comment: "// Kept in step with the other files.",
    helper: "func laterHelper_NAME(value int) []int {\n\treturn []int{value}\n}",
    test: "func TestLater_NAME(t *testing.T) {}",
    statement: "_ = 0",
  },
  ".rs": {
    comment: "// Kept in step with the other modules.",
    helper: "#[allow(dead_code)]\nfn later_helper(value: u8) -> [u8; 1] {\n    [value]\n}",
    test: "#[test]\nfn room_for_later_cases() {}",
    statement: "let _ = 0;",
  },
};

export const CODE_ENDINGS = Object.keys(ADDITIONS);

/** The start of a top-level definition, above which a comment can stand. */
const DEFINITION =
  /^(?:export |pub |async |public |static )*(?:function|class|const|let|var|def|func|fn|type|interface|struct|impl|enum|describe|it)\b/;
const LOCAL = /^[ \t]+(?:const|let|var)\s+(\w{3,})\s*=|^[ \t]+(\w{3,})\s*:=|^[ \t]{4,}(\w{3,}) = /gm;

/** The kinds of edits that are to keep a suite green. */
export type HarmlessKind = "comment" | "rename" | "helper" | "test" | "statement" | "text";

export interface HarmlessEdit {
  readonly path: string;
  readonly kind: HarmlessKind;
  readonly text: string;
}

/** Edits a file without changing what it does; undefined if nothing fits. */
export function editHarmlessly(
  { path, text, isTest }: { readonly path: string; readonly text: string; readonly isTest: boolean },
  random: Random,
): HarmlessEdit | undefined {
  const ending = posix.extname(path);
  if (/^\.(?:md|rst|txt)$/.test(ending)) return { path, kind: "text", text: `${text}\nMore is to follow.\n` };
  const additions = ADDITIONS[ending];
  if (additions === undefined) return undefined;
  const name = posix.basename(path, ending).replaceAll(/\W/g, "_");
  const append = (part: string): string => `${text.trimEnd()}\n\n${part.replaceAll("NAME", name)}\n`;
  const kinded = (kind: HarmlessKind, edited: string | undefined): HarmlessEdit | undefined =>
    edited === undefined ? undefined : { path, kind, text: edited };
  const renamed = (): HarmlessEdit | undefined => kinded("rename", renameLocal(text, random));
  const comment: HarmlessEdit = { path, kind: "comment", text: addComment(text, additions.comment) };
  switch (random.below(8)) {
    case 0:
      return renamed() ?? comment;
    case 1:
      return isTest
        ? { path, kind: "test", text: append(additions.test) }
        : { path, kind: "helper", text: append(additions.helper) };
    case 2:
      return comment;
    default:
      return kinded("statement", editStatement(text, additions.statement, random)) ?? renamed() ?? comment;
  }
}

const WHOLE_STATEMENT =
  /^[ \t]+(?:(?:const|let|var)(?: mut)?\s+\w+\s*=|\w+ :=|\w+ =)\s*[\w.]+(?:\([\w., ]*\))?;?$/;
const RETURNED_NAME = /^(?<head>[ \t]+return )(?<name>[\w.]+)(?<end>;?)$/;

/** Adds a statement without an effect after another one, or parentheses around what is returned; undefined if none is plain. */
function editStatement(text: string, statement: string, random: Random): string | undefined {
  const lines = text.split("\n");
  const places = lines.flatMap((line, at) => {
    const next = lines[at + 1] ?? "";
    const ends = /^\s*[\w}/#@]/.test(next) && depthOf(next) <= depthOf(line);
    return RETURNED_NAME.test(line) || (WHOLE_STATEMENT.test(line) && ends) ? [at] : [];
  });
  const at = random.choose(places);
  const line = lines[at ?? -1];
  if (at === undefined || line === undefined) return undefined;
  const { head, name, end } = RETURNED_NAME.exec(line)?.groups ?? {};
  if (name !== undefined) return lines.with(at, `${head ?? ""}(${name})${end ?? ""}`).join("\n");
  return lines.toSpliced(at + 1, 0, line.slice(0, depthOf(line)) + statement).join("\n");
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Puts a comment above a definition in the middle of a file, so that the lines below it move. */
function addComment(text: string, comment: string): string {
  const lines = text.split("\n");
  const starts = lines.flatMap((line, at) => (DEFINITION.test(line) ? [at] : []));
  const at = starts[Math.floor(starts.length / 2)];
  return at === undefined ? `${text.trimEnd()}\n${comment}\n` : lines.toSpliced(at, 0, comment).join("\n");
}

/** Renames a local variable whose every use is plainly one; undefined if there is none. */
function renameLocal(text: string, random: Random): string | undefined {
  const names = new Set([...text.matchAll(LOCAL)].map(([, a, b, c]) => a ?? b ?? c ?? ""));
  const safe = [...names].filter((name) => {
    const uses = [...text.matchAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "g"))];
    const declared = [...text.matchAll(LOCAL)].filter((match) => match.slice(1).includes(name)).length;
    return (
      declared === 1 &&
      uses.length >= 2 &&
      uses.length <= 8 &&
      uses.every(({ index }) => isPlainUse(text, index, name))
    );
  });
  const name = random.choose(safe);
  return name === undefined
    ? undefined
    : text.replaceAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "g"), `${name}Here`);
}

/** Whether a place cannot be a field, a key, a keyword argument, a part of a string, or a parameter. */
function isPlainUse(text: string, at: number, name: string): boolean {
  const start = text.lastIndexOf("\n", at) + 1;
  const line = text.slice(start, text.indexOf("\n", at) + 1 || undefined);
  const before = text.slice(start, at);
  const after = text.slice(at + name.length);
  if (/["'`#]|\/\/|^\s*\*|\bfunction\b|=>|\bdef\b|\bfn\b|\bfunc\b|\bfor\b|\bglobal\b|\bnonlocal\b/.test(line))
    return false;
  if (
    /[.{]\s*$/.test(before) ||
    /^\s*[:}]/.test(after) ||
    /^\s*=[^=]/.test(after) !== /^\s*(?:(?:const|let|var|let mut)\s+)?$/.test(before)
  )
    return /^\s*:=/.test(after);
  return !/,\s*$/.test(before) || !/^\s*,/.test(after);
}
