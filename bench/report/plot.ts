import { amount, ratioOf, round } from "./section.ts";
import type { Figure, Section } from "./section.ts";

const WIDTH = 760;
const LABELS = 300;
const BARS = 300;
const ROW = 46;

/** Draws the comparisons of a section with two bars per figure, Pith's above. Undefined if nothing is compared. */
export function plot({ title, figures }: Section): string | undefined {
  const rows = figures.filter((figure) => ratioOf(figure) !== undefined);
  if (rows.length === 0) return undefined;
  const height = rows.length * ROW + 16;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    // The page may be light or dark, and an embedded picture can only query the reader's system setting.
    "<style>text{font:12px system-ui,sans-serif;fill:#24292f}.o{fill:#8c959f}.p{fill:#0969da}@media (prefers-color-scheme:dark){text{fill:#e6edf3}.o{fill:#6e7681}.p{fill:#2f81f7}}</style>",
    ...rows.map((figure, index) => bars(figure, 8 + index * ROW)),
    "</svg>",
    "",
  ].join("\n");
}

function bars(figure: Figure, top: number): string {
  const { what, unit, pith, other } = figure;
  if (other === undefined || "missing" in other) return "";
  const most = Math.max(pith.median, other.sample.median);
  const length = (value: number): string => Math.max(1, (value / most) * BARS).toFixed(1);
  const end = LABELS + BARS + 16;
  return [
    `<text x="${LABELS - 8}" y="${top + 14}" text-anchor="end">${escaped(clip(what))}</text>`,
    `<text x="${LABELS - 8}" y="${top + 31}" text-anchor="end" opacity=".7">${escaped(clip(`against ${other.name}`))}</text>`,
    `<rect class="p" x="${LABELS}" y="${top + 3}" width="${length(pith.median)}" height="14" rx="2"/>`,
    `<rect class="o" x="${LABELS}" y="${top + 20}" width="${length(other.sample.median)}" height="14" rx="2"/>`,
    `<text x="${end}" y="${top + 14}">${escaped(`${round(pith.median)} ${unit}`)}</text>`,
    `<text x="${end}" y="${top + 31}" opacity=".7">${escaped(amount({ ...other.sample, low: other.sample.median, high: other.sample.median }, unit))}</text>`,
  ].join("\n");
}

function clip(text: string): string {
  return text.length > 46 ? `${text.slice(0, 45)}…` : text;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
