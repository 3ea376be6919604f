import { pluralize } from "../../kernel/pluralize.ts";
import type { IndexReport, ProjectStatus } from "../../model/index-report.ts";
import type { SemanticStatus } from "../../model/semantic.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";

/** Writes the report on a run of the indexer, at either level of detail. */
export function renderIndexReport(
  { report, level }: { readonly report: IndexReport; readonly level: "concise" | "detailed" },
  view: View,
): Rendered {
  const { format } = view;
  const meta = { index: report };
  if (format === "json") return jsonReply(level === "detailed" ? report : conciseReport(report), { meta });
  if (format === "markdown") return { text: reportMarkdown(report, level, view), meta };
  const seconds = report.duration_seconds.toFixed(1);
  const head = `${report.status}: ${pluralize(report.files_indexed, "file")}, ${pluralize(report.chunks_created, "chunk")} in ${seconds} s. ${report.status_message}`;
  const where =
    level === "detailed"
      ? [`project ${report.project_id}, database ${report.database_name}, ref ${report.ref}`]
      : [];
  const errors =
    level === "detailed" ? report.errors.map((error) => `error: ${error}`) : errorCount(report.errors, view);
  return { text: [head, ...where, ...semanticLines(report.semantic), ...errors].join("\n"), meta };
}

function errorCount(errors: readonly string[], { reader }: Pick<View, "reader">): string[] {
  const way = reader?.surface === "cli" ? "--json" : "detail_level=detailed";
  return errors.length === 0 ? [] : [`${pluralize(errors.length, "error")}: ${way} lists them`];
}

function conciseReport({
  database_name: _name,
  errors,
  duration_seconds,
  ...rest
}: IndexReport): Record<string, unknown> {
  return {
    ...rest,
    duration_seconds: Math.round(duration_seconds * 10) / 10,
    ...(errors.length > 0 && { error_count: errors.length }),
  };
}

function reportMarkdown(report: IndexReport, level: "concise" | "detailed", view: View): string {
  const lines = [
    "# Repository Indexing Results",
    "",
    `**Status**: ${report.status}`,
    `**Message**: ${report.status_message}`,
    `**Repository ID**: \`${report.repository_id}\``,
    `**Project**: ${report.project_id}`,
  ];
  if (level === "detailed") lines.push(`**Database**: ${report.database_name}`);
  lines.push(
    `**Ref**: ${report.ref}`,
    "",
    "## Metrics",
    `- **Files Indexed**: ${report.files_indexed}`,
    `- **Chunks Created**: ${report.chunks_created}`,
    `- **Duration**: ${report.duration_seconds.toFixed(1)}s`,
    ...semanticLines(report.semantic).map((line) => `- ${line}`),
  );
  if (report.errors.length > 0)
    lines.push(
      "",
      `## Errors (${report.errors.length})`,
      ...(level === "detailed"
        ? report.errors.map((error, index) => `${index + 1}. ${error}`)
        : errorCount(report.errors, view)),
    );
  return lines.join("\n");
}

/**
 * The progress of embedding code for semantic search, where texts are sent, and problems with the embedding provider.
 */
function semanticLines(semantic: SemanticStatus | undefined): string[] {
  if (semantic === undefined) return [];
  const { state, provider, endpoint, model, dimensions, failure } = semantic;
  const width = dimensions === undefined ? "" : `, ${dimensions} dimensions`;
  const far =
    state === "ready"
      ? `${semantic.chunks_embedded} chunks`
      : `${semantic.files_embedded} of ${semantic.files} files, ${semantic.chunks_embedded} chunks`;
  const megabytes = (semantic.vectors_in_memory_bytes / 1e6).toFixed(1);
  const lines = [
    `semantic ${state}: ${far} embedded, ${megabytes} MB of vectors in memory, kept in ${semantic.store}`,
    `texts are sent to ${endpoint} (${provider}, model ${model}${width})`,
  ];
  if (failure !== undefined)
    lines.push(`provider failed: ${failure}; asked again in ${semantic.retry_in_seconds ?? 0} s`);
  if (semantic.serving_model !== undefined)
    lines.push(`until the new vectors are whole, those of ${semantic.serving_model} serve`);
  if (semantic.chunks_refused !== undefined)
    lines.push(`${semantic.chunks_refused} chunks refused by the provider`);
  if (semantic.note !== undefined) lines.push(semantic.note);
  return lines;
}

/** Writes the state of a project's code index. */
export function renderProjectStatus(status: ProjectStatus, { format }: View): Rendered {
  const meta = { status };
  if (format === "json") return jsonReply(status, { meta });
  if (format === "markdown") {
    const rows = Object.entries(status).map(
      ([name, value]) => `| ${name} | ${typeof value === "object" ? JSON.stringify(value) : String(value)} |`,
    );
    return { text: ["# Index Status", "", "| Field | Value |", "|---|---|", ...rows].join("\n"), meta };
  }
  const { pending_files: pending, skipped } = status;
  if (status.project_id === undefined) {
    const why = status.startup_checks?.index.message ?? "";
    return { text: `${status.index_status}, ${status.schema_status}: ${why}`, meta };
  }
  const left = Object.entries(skipped).map(([reason, count]) => `${count} ${reason.replace("_", " ")}`);
  const lines = [
    `${status.index_status}, ${status.freshness_status}: ${pluralize(status.file_count, "file")}, ${pluralize(status.symbol_count, "symbol")}${pending > 0 ? `, ${pluralize(pending, "file")} to bring in` : ""}`,
    `project ${status.project_id} ${status.repo_root} ref ${status.ref}`,
  ];
  if (status.last_indexed_at !== undefined)
    lines.push(
      `indexed ${status.last_indexed_at}${status.last_indexed_commit === undefined ? "" : ` at ${status.last_indexed_commit.slice(0, 12)}`}`,
    );
  lines.push(...semanticLines(status.semantic));
  if (status.store_notice !== undefined) lines.push(status.store_notice);
  if (left.length > 0) lines.push(`left out: ${left.join(", ")}`);
  const others = status.refs.filter((ref) => ref !== status.ref);
  if (others.length > 0) lines.push(`refs: ${others.join(", ")}`);
  if (status.active_job !== undefined)
    lines.push(
      `job ${status.active_job.job_id}: ${status.active_job.mode}, ${pluralize(status.active_job.changed_files, "file")}`,
    );
  return { text: lines.join("\n"), meta };
}
