// Records the terminal session of the README as an animated picture, docs/demo.svg. Usage: node scripts/record-demo.mjs FOLDER; build first.
// FOLDER is a clone of github.com/expressjs/express, unchanged, with its dependencies installed. Every line of the picture is printed by
// the commands that it shows; longer outputs are cut with a mark.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const root = resolve(import.meta.dirname, "..");
const folder = resolve(process.argv[2] ?? ".");
const COLUMNS = 104;
const LINE_HEIGHT = 18;
const SECONDS_PER_COMMAND = 1.2;
const SECONDS_PER_LINE = 0.12;

/** The session: what is typed, and how many lines of its output are shown. */
const SESSION = [
  { typed: 'pith search "how is the etag of a response generated" -n 2', lines: 5 },
  { typed: "pith callers setCharset", lines: 2 },
  { typed: "pith test", lines: 1 },
  { typed: "sed -i 's/charset = charset/charset = charset.toUpperCase()/' lib/utils.js", lines: 0 },
  { typed: "pith test", lines: 7, isCompared: true },
];

const data = mkdtempSync(join(tmpdir(), "pith-demo-"));
try {
  writeFileSync(join(root, "docs/demo.svg"), picture(SESSION.flatMap(record)));
} finally {
  execFileSync("git", ["checkout", "-q", "--", "lib/utils.js"], { cwd: folder });
  rmSync(data, { recursive: true, force: true });
}

/** Runs one step and returns the lines of the picture for it, each with its kind and how long to wait before it. */
function record({ typed, lines, isCompared = false }) {
  const output = run(typed.replace(/^pith/, `'${process.execPath}' '${join(root, "dist/pith.js")}'`));
  const all = output.trimEnd().split("\n");
  const shown = lines === 0 ? [] : all.slice(0, lines);
  if (shown.length > 0 && shown.length < all.length) shown.push("…");
  const rows = [
    { kind: "typed", text: typed, wait: SECONDS_PER_COMMAND },
    ...shown.map((text) => ({ kind: kindOf(text), text: clip(text), wait: SECONDS_PER_LINE })),
  ];
  if (isCompared) rows.push({ kind: "note", text: comparison(output), wait: SECONDS_PER_COMMAND });
  return rows;
}

function run(line) {
  const env = { ...process.env, PITH_DATA_DIR: data, NO_COLOR: "1" };
  const { stdout, stderr } = spawnSync("sh", ["-c", line], {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return stdout === "" ? stderr : stdout;
}

function comparison(reply) {
  const raw = run("npm test 2>&1");
  const [lines, before, after] = [raw.split("\n").length, countTokens(raw), countTokens(reply)].map(
    (number) => number.toLocaleString("en"),
  );
  return `# npm test prints ${lines} lines, ${before} tokens; this reply has ${after}`;
}

function kindOf(text) {
  if (text.startsWith("FAIL")) return "bad";
  if (text.startsWith("PASS")) return "good";
  return text.includes("suspect:") ? "strong" : "plain";
}

function clip(text) {
  return text.length <= COLUMNS ? text : `${text.slice(0, COLUMNS - 1)}…`;
}

/** Draws the rows. Without animation, or where the reader wants none, all of them are visible at once. */
function picture(rows) {
  let at = 0;
  const lines = rows.map(({ kind, text, wait }, index) => {
    at += wait;
    const prompt = kind === "typed" ? '<tspan class="prompt">$ </tspan>' : "";
    const y = 52 + index * LINE_HEIGHT;
    return `<text class="${kind}" x="18" y="${y}" style="animation-delay:${at.toFixed(2)}s">${prompt}${escape(text)}</text>`;
  });
  const [width, height] = [COLUMNS * 7.83 + 36, 52 + rows.length * LINE_HEIGHT];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal session with pith search, pith callers and pith test">
<style>
  svg { --back: #f6f8fa; --edge: #d0d7de; --plain: #24292f; --typed: #0550ae; --note: #6e7781; --bad: #cf222e; --good: #1a7f37; }
  @media (prefers-color-scheme: dark) { svg { --back: #0d1117; --edge: #30363d; --plain: #c9d1d9; --typed: #79c0ff; --note: #8b949e; --bad: #ff7b72; --good: #7ee787; } }
  rect { fill: var(--back); stroke: var(--edge); }
  circle { fill: var(--edge); }
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--plain); white-space: pre; animation: show 0.2s both; }
  .typed, .strong { font-weight: 600; }
  .typed { fill: var(--typed); }
  .prompt, .note { fill: var(--note); }
  .bad { fill: var(--bad); font-weight: 600; }
  .good { fill: var(--good); font-weight: 600; }
  @keyframes show { from { opacity: 0; } to { opacity: 1; } }
  @media (prefers-reduced-motion: reduce) { text { animation: none; } }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<circle cx="20" cy="20" r="5"/><circle cx="38" cy="20" r="5"/><circle cx="56" cy="20" r="5"/>
${lines.join("\n")}
</svg>
`;
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
