import type { Corpus } from "../semantic/corpus.ts";
import type { HitSource } from "./query/hits.ts";
import { storedOutline } from "./store/stored-record.ts";
import type { View, ViewFile } from "./live/view.ts";

const corpora = new WeakMap<View, Corpus>();

/** The files of a view that are worth embedding, as semantic search sees them: the same object for the same view. */
export function corpusOf(source: Pick<HitSource, "project" | "store" | "view" | "ref">): Corpus {
  const { project, store, view, ref } = source;
  const known = corpora.get(view);
  if (known !== undefined) return known;
  const files = view.files.filter((file) => isWorthIt(view, file));
  const corpus: Corpus = {
    id: `${project.projectId} ${ref}`,
    files,
    async read({ path, key }) {
      const file = view.fileAt(path);
      const text = file === undefined ? undefined : await unchangedText(file, source);
      if (text === undefined) return undefined;
      const outline = await store.outline(key);
      return { text, outline: outline === undefined ? undefined : storedOutline(outline) };
    },
  };
  corpora.set(view, corpus);
  return corpus;
}

/** Data, generated and vendored code would cost as much as all the rest and answers no question. */
function isWorthIt(view: View, file: ViewFile): boolean {
  const { kind, role } = file.facts;
  return kind !== "data" && !role.vendored && !view.isGenerated(file);
}

/** The text that the key names. A working-tree file may be another one by now; that one has another key. */
async function unchangedText(
  file: ViewFile,
  { project, ref }: Pick<HitSource, "project" | "ref">,
): Promise<string | undefined> {
  const read = await project.textOf(file, ref);
  return read?.isSame === true ? read.text : undefined;
}
