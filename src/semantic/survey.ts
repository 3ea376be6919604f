import type { Corpus, SliceBook } from "./corpus.ts";
import { layOut, type Layout } from "./layout.ts";
import { progressOf, type Embedded } from "./progress.ts";

/** What is known about a corpus; another object whenever slices or vectors were added. */
export interface Survey {
  readonly version: string;
  readonly cut: number;
  readonly layout: Layout;
  /** The share of files that have their vectors. */
  readonly coverage: number;
  /** Chunks with a vector of the current model. */
  readonly done: number;
}

/** Looks at corpora, each again only when something has changed. */
export function createSurveyor(book: SliceBook, embedded: Embedded): (corpus: Corpus) => Promise<Survey> {
  const surveys = new WeakMap<Corpus, Survey>();
  return async (corpus) => {
    if (!surveys.has(corpus)) {
      await book.load(corpus.files.map(({ key }) => key));
      await embedded.learn(layOut(corpus, book).chunks);
    }
    const before = surveys.get(corpus);
    const cut = book.version();
    const version = `${cut}.${embedded.version()}`;
    if (before?.version === version) return before;
    const progress = progressOf(corpus, book, embedded);
    const survey: Survey = {
      version,
      cut,
      layout: before?.cut === cut ? before.layout : layOut(corpus, book),
      coverage: progress.files === 0 ? 1 : progress.filesDone / progress.files,
      done: progress.chunksDone,
    };
    surveys.set(corpus, survey);
    return survey;
  };
}
