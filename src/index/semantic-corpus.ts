import type { Corpus } from "../semantic/corpus.ts";
import type { HitSource } from "./query/hit-source.ts";
import { storedOutline } from "./store/stored-record.ts";
import type { View, ViewFile } from "./live/view.ts";

const corpora = new WeakMap<View, Corpus>();

/** Returns the files of an index view that are worth embedding. The result is cached per view. */
export function corpusOf(source: Pick<HitSource, "project" | "store" | "view" | "ref">): Corpus {
  const { project, store, view, ref } = source;
  const known = corpora.get(view);
  if (known !== undefined) return known;
  const files = view.files.filter((file) => isWorthEmbedding(view, file));
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

/**
 * Excludes data, generated and vendored code from embedding: it costs as much as other code and rarely answers a
 * question.
 */
function isWorthEmbedding(view: View, file: ViewFile): boolean {
  const { kind, role } = file.facts;
  return kind !== "data" && !role.vendored && !view.isGenerated(file);
}

/** Returns the text of a file, or undefined if it has changed since it was indexed. */
async function unchangedText(
  file: ViewFile,
  { project, ref }: Pick<HitSource, "project" | "ref">,
): Promise<string | undefined> {
  const read = await project.textOf(file, ref);
  return read?.isSame === true ? read.text : undefined;
}
