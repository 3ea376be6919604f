import type { MaskedSecret } from "./masked.ts";
import type { SemanticNote } from "./semantic.ts";
import type { SymbolKind, Visibility } from "./symbol.ts";

/** How much of a result is shown; each level is the one before and more. */
export type DetailLevel = "location" | "signature" | "concise" | "context" | "detailed";

export type FreshnessPolicy = "strict" | "balanced" | "best_effort";

export type ExplainLevel = "off" | "basic" | "full";

/** One place that a search or a lookup found. Fields that do not apply, or were not asked for, are absent. */
export interface Hit {
  readonly path: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  /** Short, the same for the same place in the same content. */
  readonly resultId: string;
  /** Between 0 and 1, relative to the best result. */
  readonly score: number;
  /** How near its meaning is to the question's: the cosine of their vectors. */
  readonly similarity?: number;
  /** Only its meaning brought it here: no word of the question did. */
  readonly meantOnly?: boolean;
  readonly language: string;
  readonly kind?: SymbolKind;
  readonly name?: string;
  /** With its module, where the language has one and it is certain. */
  readonly qualifiedName?: string;
  /** What the definition stands in, within its file. */
  readonly owner?: string;
  readonly signature?: string;
  readonly visibility?: Visibility;
  /** Of a place that is no symbol: its first line with words. */
  readonly heading?: string;
  /** Of an approximate lookup: how the name fits. */
  readonly match?: "case_insensitive" | "prefix" | "part";
  /** The file has changed since it was indexed. */
  readonly stale?: boolean;
  readonly content?: string;
  readonly contextBefore?: string;
  readonly contextAfter?: string;
  readonly parent?: SymbolPlace;
  readonly related?: readonly SymbolPlace[];
  readonly reasons?: RankingFactors;
  /** The secrets that are masked in its texts. */
  readonly masked?: readonly MaskedSecret[];
}

export interface SymbolPlace {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

/** Why a result stands where it stands. The parts, semantic_similarity aside, sum to the final score, which is 1 for the best result. */
export interface RankingFactors {
  readonly exact_match_boost: number;
  readonly qualified_name_boost: number;
  readonly path_affinity: number;
  readonly definition_boost: number;
  readonly kind_match: number;
  readonly bm25_score: number;
  /** A definition bears the name in another spelling, or only begins with it or has its parts. */
  readonly partial_match?: number;
  /** What the subjects of its commits say of the file. */
  readonly history_boost?: number;
  /** Less than 0 for tests, examples, generated files and copies; more than 0 for files that others import. */
  readonly role_adjustment?: number;
  /** Where meaning was asked: how near it is, and its part of the final score. */
  readonly semantic_similarity?: number;
  readonly semantic_contribution?: number;
  readonly final_score: number;
}

/** What is counted: files, each with its best place, or definitions. */
export type ResultCount = "files" | "definitions";

/** What a reply about code says of itself. */
export interface CodeMetadata {
  readonly freshness_status: "fresh" | "stale" | "syncing";
  readonly indexing_status: "not_indexed" | "indexing" | "ready" | "failed";
  readonly result_completeness: "complete" | "partial" | "truncated";
  readonly ref: string;
  /** Files that are not, or not as they are now, in the index. */
  readonly pending_files?: number;
  /** Only where no file was found with the text in quotes: the results have words of it. */
  readonly quoted_text?: "not_found";
  /** The words that the files which are not in the index yet were scanned for; files that have them were read first. */
  readonly scanned_for?: readonly string[];
  /** Only where embeddings are configured, or were asked for. */
  readonly search_mode?: "lexical" | "semantic" | "hybrid";
  readonly semantic?: SemanticNote;
}

/** What was looked through, and what was not, of the files that the request's filter lets through. */
export interface SearchedFiles {
  /** Whether the request names a path or a language. */
  readonly filtered: boolean;
  readonly files: number;
  readonly pending: number;
  readonly tooLarge: number;
  readonly binary: number;
  readonly minified: number;
  /** Text without a grammar: searched by words, not for symbols. */
  readonly notParsed: number;
}

export interface CodeAnswer {
  readonly hits: readonly Hit[];
  /** How many results there are in all. */
  readonly total: number;
  readonly counts: ResultCount;
  /** Files that may have the quoted text and were not read. */
  readonly unread?: number;
  readonly offset: number;
  readonly metadata: CodeMetadata;
  readonly searched: SearchedFiles;
  /** Names near the one that is nowhere; with hits, the one that they are about. */
  readonly nearest?: readonly string[];
  readonly projectId: string;
  /** The name people know the database by. */
  readonly databaseName?: string;
  readonly elapsedMs: number;
}
