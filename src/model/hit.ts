import type { MaskedSecret } from "./masked.ts";
import type { UseCounts } from "./use.ts";
import type { SemanticNote } from "./semantic.ts";
import type { SymbolKind, Visibility } from "./symbol.ts";

/** How much of a search result is shown; each level includes the one before. */
export type DetailLevel = "location" | "signature" | "concise" | "context" | "detailed";

export type FreshnessPolicy = "strict" | "balanced" | "best_effort";

export type ExplainLevel = "off" | "basic" | "full";

/**
 * One location that a code search or a symbol lookup found. Fields that do not apply, or were not requested, are
 * absent.
 */
export interface Hit {
  readonly path: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  /** A short id of the result, which stays the same as long as the content of the location does. */
  readonly resultId: string;
  /** The score of the result, between 0 and 1, relative to the best result. */
  readonly score: number;
  /** The semantic similarity to the query: the cosine of the two vectors. */
  readonly similarity?: number;
  /** True if only semantic similarity found the result and none of the query's words occurs in it. */
  readonly semanticOnly?: boolean;
  readonly language: string;
  readonly kind?: SymbolKind;
  readonly name?: string;
  /** The symbol's name including its module, if the language has modules and the module is certain. */
  readonly qualifiedName?: string;
  /** The name of the definition that encloses this one in the same file. */
  readonly owner?: string;
  readonly signature?: string;
  readonly visibility?: Visibility;
  /** The first line that contains words, as a title for a result that is not a symbol. */
  readonly heading?: string;
  /** How the symbol's name matches the requested name, if it does not match exactly. */
  readonly match?: "case_insensitive" | "prefix" | "part";
  /** True if the result before this one is a better location in the same file. It is not counted as a result. */
  readonly isFurther?: true;
  /** True if the file changed after it was indexed. */
  readonly stale?: boolean;
  readonly content?: string;
  /** True if the code is shown even at the level `signature`, because it is short and the query is a question. */
  readonly showsBody?: true;
  readonly contextBefore?: string;
  readonly contextAfter?: string;
  readonly parent?: SymbolPlace;
  readonly related?: readonly SymbolPlace[];
  /** Functions that use the definition, as far as its name can mean nothing else there, and tests among them. */
  readonly callers?: readonly SymbolPlace[];
  readonly tests?: readonly SymbolPlace[];
  /** How often the definition is used; present if few definitions were found. */
  readonly uses?: UseCounts;
  /** Numbers of the lines that contain most words of the query; a long body is shown around these. */
  readonly matchedLines?: readonly number[];
  readonly reasons?: RankingFactors;
  /** The secrets that are masked in the texts of the result. */
  readonly masked?: readonly MaskedSecret[];
}

export interface SymbolPlace {
  readonly kind: SymbolKind;
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly signature?: string;
}

/**
 * The parts of a result's score. All parts except semantic_similarity add up to the final score, which is 1 for the
 * best result.
 */
export interface RankingFactors {
  readonly exact_match_boost: number;
  readonly qualified_name_boost: number;
  readonly path_affinity: number;
  readonly definition_boost: number;
  readonly kind_match: number;
  readonly bm25_score: number;
  /**
   * The part for a symbol whose name matches only partially: it differs in case, starts with the query, or contains the
   * query's parts.
   */
  readonly partial_match?: number;
  /** The part for words of the query in the subjects of the file's commits. */
  readonly history_boost?: number;
  /**
   * The part for the file's role: negative for tests, examples, generated files and copies; positive for files that
   * others import.
   */
  readonly role_adjustment?: number;
  /** Semantic similarity and its part of the final score, if semantic search was used. */
  readonly semantic_similarity?: number;
  readonly semantic_contribution?: number;
  readonly final_score: number;
}

/** The unit in which results are counted: files (each with its best location), definitions, or locations in one file. */
export type ResultCount = "files" | "definitions" | "places";

/** What a reply about code says about how current and complete the index is. */
export interface CodeMetadata {
  readonly freshness_status: "fresh" | "stale" | "syncing";
  readonly indexing_status: "not_indexed" | "indexing" | "ready" | "failed";
  readonly result_completeness: "complete" | "partial" | "truncated";
  readonly ref: string;
  /** The number of files that are not in the index, or not in their current version. */
  readonly pending_files?: number;
  /**
   * Present if no file contains the text that the query puts in quotes; the results then match only single words of it.
   */
  readonly quoted_text?: "not_found";
  /** The words for which not yet indexed files were scanned; files that contain them were indexed first. */
  readonly scanned_for?: readonly string[];
  /** What semantic search contributed; present only if embeddings are configured or were requested. */
  readonly search_mode?: "lexical" | "semantic" | "hybrid";
  readonly semantic?: SemanticNote;
}

/** How many of the files that the request covers were searched, and how many were not and why. */
export interface SearchedFiles {
  /** True if the request is limited to a path or a language. */
  readonly filtered: boolean;
  readonly files: number;
  readonly pending: number;
  readonly tooLarge: number;
  readonly binary: number;
  readonly minified: number;
  /** The number of text files in languages without a grammar, which are searched by words but not for symbols. */
  readonly notParsed: number;
}

export interface CodeAnswer {
  readonly hits: readonly Hit[];
  /** The total number of results, including those not shown. */
  readonly total: number;
  readonly counts: ResultCount;
  /** The score of the best result in the unit of the ranking, by which results of several projects are compared. */
  readonly strength?: number;
  /** The number of files that may contain the quoted text of the query but were not read. */
  readonly unread?: number;
  /** The texts that the query quotes, and the lines and files that contain them; a result shows one place of a file. */
  readonly quoted?: { readonly lines: number; readonly files: number; readonly texts: readonly string[] };
  readonly offset: number;
  /** True if the list ends before its limit because the results that follow are far less relevant. */
  readonly endsAtDrop?: true;
  readonly metadata: CodeMetadata;
  readonly searched: SearchedFiles;
  /**
   * Similar names, if the requested symbol does not exist. If there are hits nevertheless, the name to which they
   * belong.
   */
  readonly nearest?: readonly string[];
  readonly projectId: string;
  /** The name of the index database, for display. */
  readonly databaseName?: string;
  readonly elapsedMs: number;
}
