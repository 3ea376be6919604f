import type { Health } from "../model/health.ts";
import type { Rendered, View } from "./rendered.ts";

/** The state of the server: one line when all is well, a line more for each thing that is not. */
export function renderHealth(health: Health, { format }: View): Rendered {
  const meta = { health };
  if (format === "json") return { text: JSON.stringify(health), meta };
  const failed = health.checks.filter((check) => !check.ok);
  if (format === "markdown") return { text: markdown(health), meta };
  const head = `${health.status}: pith ${health.version}, up ${health.uptime_seconds} s, ${health.checks.length - failed.length}/${health.checks.length} checks ok`;
  return { text: [head, ...failed.map((check) => `FAILED ${check.name}: ${check.detail}`)].join("\n"), meta };
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
  ].join("\n");
}
