import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../../support/code-index.ts";
import { makeFolder } from "../../support/folder.ts";
import { relatedPlaces } from "./related-places.ts";

/**
 * Each file of `cases/` has small projects of one language: `=== title`, then `--- path` before the text of each file.
 * Comments say what must be found: `@def:id` or `@def:id=name` marks a definition, and of its uses `@sure:id`,
 * `@poss:id` (possible), `@in:id` (either), `@miss:id` (counted as not resolved), `@no:id` (not listed) and `@any:id`
 * (not judged). Any other line that is listed is wrong.
 */
const CASES = join(import.meta.dirname, "cases");
const MARK = /@(def|sure|poss|in|miss|no|any):([\w.#]+)(?:=([\w.#]+=?))?/g;

const test = createTestIndex();
afterAll(() => test.dispose());

interface Mark {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

function marksIn(files: Readonly<Record<string, string>>): Mark[] {
  return Object.entries(files).flatMap(([path, text]) =>
    text.split("\n").flatMap((line, index) =>
      [...line.matchAll(MARK)].map(([, kind = "", id = "", name = id]) => ({
        kind,
        id,
        name,
        path,
        line: index + 1,
      })),
    ),
  );
}

/** Returns the files of a case by path. */
function filesIn(text: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const part of text.split(/^--- /m).slice(1)) {
    const end = part.indexOf("\n");
    files[part.slice(0, end)] = part.slice(end + 1);
  }
  return files;
}

/** Returns what is wrong with the places that are found for a definition. */
async function mistakes(
  root: string,
  { id, name, path, line }: Mark,
  marks: readonly Mark[],
): Promise<string[]> {
  const { places, definitions, unresolved } = await relatedPlaces(test.index, root, name, {
    path: join(root, path),
  });
  const wrong: string[] = definitions.some((one) => one.line === line) ? [] : [`${id} is not found`];
  const found = new Map(
    places.map((place) => {
      const at = place.split(" ")[0] ?? "";
      return [at.replace("?", ""), at.endsWith("?") ? "poss" : "sure"];
    }),
  );
  const own = marks.filter((mark) => mark.id === id && mark.kind !== "def");
  for (const { kind, path: file, line: at } of own) {
    const is = found.get(`${file}:${at}`) ?? "no";
    const isRight =
      kind === "any" || (kind === "in" ? is !== "no" : kind === "miss" ? is === "no" : is === kind);
    if (!isRight) wrong.push(`${id} at ${file}:${at}: ${is}, not ${kind}`);
    found.delete(`${file}:${at}`);
  }
  for (const [place, is] of found) wrong.push(`${id} at ${place}: ${is}, not expected`);
  const open = own.filter(({ kind }) => kind === "miss").length;
  return unresolved === open ? wrong : [...wrong, `${id}: ${unresolved} not resolved, not ${open}`];
}

describe("the certainty of uses", () => {
  it.each(readdirSync(CASES).map((name) => name.replace(".txt", "")))(
    "is what %s proves",
    async (language) => {
      const text = readFileSync(join(CASES, `${language}.txt`), "utf8");
      const wrong: string[] = [];
      for (const one of text.split(/^=== /m).slice(1)) {
        const files = filesIn(one);
        const root = makeFolder(files);
        const marks = marksIn(files);
        const title = one.slice(0, one.indexOf("\n"));
        for (const mark of marks)
          if (mark.kind === "def")
            wrong.push(...(await mistakes(root, mark, marks)).map((text) => `${title}: ${text}`));
      }
      expect(wrong).toEqual([]);
    },
  );
});
