import { addToGroup } from "../../kernel/group-by.ts";
import { pathFacts, type PathFacts } from "../text/paths.ts";
import type { DocumentBrief, Segment } from "../store/segment.ts";

/** One file of a view (the searchable files of a ref or working tree). */
export interface ViewFile {
  readonly path: string;
  readonly key: string;
  readonly segment: number;
  readonly document: number;
  readonly facts: PathFacts;
}

/** The searchable files of one git ref or working tree, with the place of each file's content in the index segments. */
export interface View {
  readonly files: readonly ViewFile[];
  /** Paths whose content is missing from the store although the list of files contains them. */
  readonly missing: readonly string[];
  readonly segments: readonly SegmentView[];
  /** Number of chunks in all files except data files; the statistics on how frequent a term is are based on these. */
  readonly chunkCount: number;
  readonly meanLength: number;
  fileAt(path: string): ViewFile | undefined;
  documentOf(file: ViewFile): DocumentBrief;
  isGenerated(file: ViewFile): boolean;
  isParsed(file: ViewFile): boolean;
  /** Calls `found` with the number of each file whose content is this document (a content in an index segment). */
  eachFile(segment: number, document: number, found: (file: number) => void): void;
}

export interface SegmentView {
  readonly segment: Segment;
  /**
   * For each document (a content in the segment), the number of the first file with this content, or -1 if there is
   * none.
   */
  readonly fileOf: Int32Array;
  /**
   * For each document (a content in the segment), 1 if its words count for the statistics on how frequent a term is,
   * else 0.
   */
  readonly counted: Uint8Array;
}

/** Creates a view of the given files by looking up the content of each path in the index segments. */
export function createView(segments: readonly Segment[], keys: ReadonlyMap<string, string>): View {
  const places = placesOf(segments);
  const views = segments.map((segment) => ({
    segment,
    fileOf: new Int32Array(segment.keys.length).fill(-1),
    counted: new Uint8Array(segment.keys.length),
  }));
  const files: ViewFile[] = [];
  const missing: string[] = [];
  const further = new Map<number, number[]>();
  const byPath = new Map<string, ViewFile>();
  for (const [path, key] of keys) {
    const place = places.get(key);
    if (place === undefined) {
      missing.push(path);
      continue;
    }
    const { segment, document } = place;
    const facts = pathFacts(path);
    const file = { path, key, segment, document, facts };
    const number = files.push(file) - 1;
    byPath.set(path, file);
    const view = views[segment];
    if (view === undefined) continue;
    const first = view.fileOf[document] ?? -1;
    if (first < 0) view.fileOf[document] = number;
    else addToGroup(further, first, number);
    if (facts.kind !== "data") view.counted[document] = 1;
  }
  return {
    files,
    missing,
    segments: views,
    ...statisticsOf(views),
    fileAt: (path) => byPath.get(path),
    documentOf: (file) => views[file.segment]?.segment.document(file.document) ?? NO_DOCUMENT,
    isGenerated: (file) => views[file.segment]?.segment.isGenerated(file.document) ?? false,
    isParsed: (file) => views[file.segment]?.segment.isParsed(file.document) ?? false,
    eachFile(segment, document, found) {
      const first = views[segment]?.fileOf[document] ?? -1;
      if (first < 0) return;
      found(first);
      for (const other of further.get(first) ?? []) found(other);
    },
  };
}

const NO_DOCUMENT: DocumentBrief = {
  chunkLengths: [],
  lineCount: 0,
  generated: false,
  parsed: false,
  symbols: [],
  imports: [],
};

interface Place {
  readonly segment: number;
  readonly document: number;
}

const segmentPlaces = new WeakMap<Segment, ReadonlyMap<string, number>>();

function placesOf(segments: readonly Segment[]): { get(key: string): Place | undefined } {
  const maps = segments.map((segment) => {
    const known = segmentPlaces.get(segment) ?? new Map(segment.keys.map((key, document) => [key, document]));
    segmentPlaces.set(segment, known);
    return known;
  });
  return {
    get(key) {
      for (const [segment, documents] of maps.entries()) {
        const document = documents.get(key);
        if (document !== undefined) return { segment, document };
      }
      return undefined;
    },
  };
}

function statisticsOf(views: readonly SegmentView[]): { chunkCount: number; meanLength: number } {
  let chunkCount = 0;
  let total = 0;
  for (const { segment, counted } of views) {
    for (const [document, counts] of counted.entries()) {
      if (counts === 0) continue;
      const end = segment.chunkStart[document + 1] ?? 0;
      for (let chunk = segment.chunkStart[document] ?? end; chunk < end; chunk++) {
        chunkCount++;
        total += segment.chunkLength[chunk] ?? 0;
      }
    }
  }
  return { chunkCount, meanLength: chunkCount === 0 ? 1 : Math.max(1, total / chunkCount) };
}
