import type { CampaignResult, Finding, Tally } from "./campaign.ts";

/** Writes the report of a run: what was tried, what was found, and how to reproduce it. */
export function reportOf(result: CampaignResult, facts: { seed: string; seconds: number }): string {
  const { tallies, findings } = result;
  const lines = [
    `torture: seed ${facts.seed}, ${Math.round(facts.seconds)} s, Node ${process.versions.node}`,
    "",
  ];
  lines.push("attack          rounds  seconds  peak MB  found  tried");
  for (const [name, tally] of tallies) lines.push(rowOf(name, tally, findings));
  const untried = [...tallies].flatMap(([name, tally]) =>
    [...tally.untried].map(([what, why]) => `  ${name}: ${what} (${why})`),
  );
  if (untried.length > 0) lines.push("", "could not be tried here:", ...untried);
  lines.push("", ...verdict(findings, facts.seed));
  return `${lines.join("\n")}\n`;
}

function rowOf(name: string, tally: Tally, findings: readonly Finding[]): string {
  const tried = [...tally.tried].map(([what, times]) => `${times.toLocaleString("en")} ${what}`).join(", ");
  const found = findings.filter((finding) => finding.attack === name).length;
  return [
    name.padEnd(14),
    String(tally.rounds).padStart(7),
    tally.seconds.toFixed(1).padStart(8),
    Math.round(tally.peakMemory / 1e6)
      .toString()
      .padStart(8),
    String(found).padStart(6),
    ` ${tried}`,
  ].join(" ");
}

function verdict(findings: readonly Finding[], seed: string): string[] {
  if (findings.length === 0) return ["nothing lost, no crash, no wrong line, memory bounded"];
  const shown = findings.map(
    ({ attack, round, kind, what }) =>
      `${kind} in ${attack}: ${what}\n  again: npm run torture -- --seed ${seed} --only ${attack} --round ${round}`,
  );
  return [`${findings.length} found:`, ...shown];
}
