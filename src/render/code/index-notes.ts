import { pluralize } from "../../kernel/pluralize.ts";
import type { CodeAnswer } from "../../model/hit.ts";

/** Notes on the index: whether its answers are out of date or incomplete. */
export function indexNotes(metadata: CodeAnswer["metadata"]): string[] {
  const semantic = semanticNote(metadata);
  return [
    ...(metadata.freshness_status === "fresh" ? [] : [freshnessNote(metadata)]),
    ...(semantic === undefined ? [] : [semantic]),
  ];
}

export function freshnessNote(metadata: CodeAnswer["metadata"]): string {
  const { indexing_status, pending_files: pending, scanned_for: words } = metadata;
  const scan =
    words === undefined ? "" : `scanned for ${words.map((word) => JSON.stringify(word)).join(", ")}`;
  if (indexing_status === "ready")
    return pending === undefined
      ? `(stale: there was no time to look for changes in all files${scan && `; they were ${scan}`})`
      : `(stale: ${pluralize(pending, "changed file")} not in the index yet${scan && `, but ${scan}`})`;
  const far = pending === undefined ? "the files are being listed" : `${pluralize(pending, "file")} to go`;
  return `(partial: indexing, ${far}${scan && `, ${scan}`}; ask again)`;
}

/** A note for the case that semantic search contributed nothing, or covered only a part of the files. */
function semanticNote({ semantic }: CodeAnswer["metadata"]): string | undefined {
  if (semantic === undefined) return undefined;
  const share = `${Math.floor((semantic.coverage ?? 1) * 100)} %`;
  switch (semantic.status) {
    case "unavailable":
    case "off":
      return `(words only: ${semantic.reason ?? "no embeddings"})`;
    case "partial":
      return `(meaning: ${share} of files embedded so far)`;
    case "former_model":
      return `(meaning by the former model ${semantic.model ?? ""}: the new one has ${share} of files)`;
    case "used":
    case "not_needed":
      return undefined;
    default:
      return semantic.status satisfies never;
  }
}
