import { pluralize } from "../../kernel/pluralize.ts";
import type { Health } from "../../model/health.ts";
import type { IndexHealth, ProjectStatus } from "../../model/index-report.ts";
import { PROTOCOL_VERSION } from "./hits-fields.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";

/** Writes the state of the server: one line, and another for each failed check and each project. */
export function renderHealth(health: Health, { format }: View): Rendered {
  const meta = { health };
  if (format === "json") return jsonReply(flat(health), { meta });
  const failed = health.checks.filter((check) => !check.ok);
  if (format === "markdown") return { text: markdown(health), meta };
  const head = `${health.status}: pith ${health.version}, up ${health.uptime_seconds} s, ${health.checks.length - failed.length}/${health.checks.length} checks ok`;
  const lines = [
    head,
    ...failed.map((check) => `FAILED ${check.name}: ${check.detail}`),
    ...indexLines(health.index),
  ];
  return { text: lines.join("\n"), meta };
}

/** The lines about the projects of the code index, and about indexing jobs that were interrupted. */
function indexLines(index: IndexHealth | undefined): string[] {
  if (index === undefined) return [];
  const lines = index.projects.map(projectLine);
  const report = index.interrupted_recovery_report;
  if (report !== undefined)
    lines.push(`${pluralize(report.interrupted_jobs, "interrupted job")}. ${report.action}`);
  return lines;
}

function projectLine(project: ProjectStatus): string {
  const { repo_root, index_status, freshness_status, file_count, symbol_count, pending_files } = project;
  // A project without an id could not be read; the line of the failed check above gives the reason.
  if (project.project_id === undefined) return `${repo_root}: ${index_status}, ${project.schema_status}`;
  const left = pending_files > 0 ? `, ${pluralize(pending_files, "file")} to go` : "";
  return `${repo_root}: ${index_status}, ${freshness_status}, ${pluralize(file_count, "file")}, ${pluralize(symbol_count, "symbol")}${left}`;
}

/** Merges the fields of the server and of its code index into one flat JSON object. */
function flat({ index, ...server }: Health): Record<string, unknown> {
  return {
    ...server,
    ...(index !== undefined && {
      ...index,
      active_job: index.active_job ?? null,
      interrupted_recovery_report: index.interrupted_recovery_report ?? null,
    }),
    metadata: { pith_protocol_version: PROTOCOL_VERSION },
  };
}

function markdown(health: Health): string {
  const rows = health.checks.map(
    (check) => `| ${check.name} | ${check.ok ? "ok" : "failed"} | ${check.detail} |`,
  );
  return [
    "# Health",
    "",
    `**Status**: ${health.status}`,
    `**Version**: ${health.version}`,
    `**Uptime**: ${health.uptime_seconds} s`,
    "",
    "| Check | State | Detail |",
    "|---|---|---|",
    ...rows,
    ...indexLines(health.index).map((line) => `- ${line}`),
  ].join("\n");
}
