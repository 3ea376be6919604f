import { PithError } from "../kernel/errors.ts";
import type { Savings } from "../model/savings.ts";
import { addUpUsage, type UsagePage } from "../model/usage-page.ts";
import { JSON_OPTION } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { paint } from "./io.ts";
import { sparkline } from "./terminal/sparkline.ts";

const DEFAULT_DAYS = 30;
/** The width of the longest bar on each side of the axis. */
const BAR_WIDTH = 24;

export const stats: Command = {
  name: "stats",
  summary: "Tokens returned against raw, by tool and day",
  usage: "[--days N] [--json]",
  details:
    'Counts the calls of agents; commands that you type yourself and the tour do not count. "raw" is what the client would\n' +
    "have shown without Pith, after its own truncation; a call whose raw size is not known, such as a search, is counted\n" +
    "and not compared. Fetching what an earlier reply left out, and the tool list of each session, are subtracted from the\n" +
    'savings. "lost" is the part of replies that were larger than the raw output. "resident" counts each token once per turn\n' +
    "that it stays in the context: it assumes one turn per call, and that nothing leaves the context before the session ends.",
  onlyOptions: true,
  options: {
    days: { type: "string", value: "N", about: `How many days (default ${DEFAULT_DAYS}).` },
    ...JSON_OPTION,
  },
  examples: ["pith stats", "pith stats --days 7 --json"],
  async run(context) {
    const services = context.openServices();
    const usage = addUpUsage(await services.ledger.read(daysOf(context.text("days"))));
    if (context.flag("json")) context.io.out(`${JSON.stringify({ calls: usage.total.calls, ...usage })}\n`);
    else context.io.out(usage.days.length === 0 ? nothing(services.dataFolder) : page(usage, context));
    return 0;
  },
};

function daysOf(text: string | undefined): number {
  const days = Number(text ?? DEFAULT_DAYS);
  if (Number.isInteger(days) && days > 0) return days;
  throw new PithError("invalid_input", `stats: ${text} is not a number of days`);
}

function nothing(folder: string): string {
  return `No calls by agents yet (looked in ${folder}). Attach an agent with: pith init\n`;
}

function page({ total, tools, days }: UsagePage, { io }: Context): string {
  const columns = ["calls", "returned", "of raw", "lost", "retrieved", "net saved", "resident"];
  const row = (name: string, texts: readonly string[]): string => rowWithin(io, name, texts);
  return [
    paint(io, "bold", row("tool", columns)),
    ...tools.map((tool) => row(tool.name, cells(tool))),
    row("tool lists", [
      "",
      number(total.toolLists),
      "",
      "",
      "",
      number(0 - total.toolLists),
      listsResident(total, tools),
    ]),
    paint(io, "bold", row("total", cells(total))),
    ...residentNote(total),
    "",
    paint(io, "bold", "  tokens by day: paid | saved, and the net"),
    ...netStrip(days, io),
    ...chart(days, io),
    "",
  ].join("\n");
}

/** The columns that a narrow terminal leaves out, the first one first. */
const LEAVE_OUT = [4, 3, 6, 2, 0] as const;
const NAME_WIDTH = 18;
const COLUMN_WIDTH = 11;

/** A row of the table. A terminal that is too narrow for all columns gets fewer; a file gets all. */
function rowWithin(io: Context["io"], name: string, texts: readonly string[]): string {
  const room = io.terminal ? Math.max(2, Math.floor((io.width - NAME_WIDTH) / COLUMN_WIDTH)) : texts.length;
  const left = new Set<number>(LEAVE_OUT.slice(0, Math.max(0, texts.length - room)));
  const shown = texts.filter((_text, column) => !left.has(column));
  return `  ${name.padEnd(NAME_WIDTH - 2)}${shown.map((text) => text.padStart(COLUMN_WIDTH)).join("")}`;
}

/** On a terminal, the net savings of all days as one strip. */
function netStrip(days: readonly Savings[], io: Context["io"]): string[] {
  if (!io.terminal || days.length < 2) return [];
  const bars = sparkline(days.map(({ net }) => net));
  return [`  ${days.map(({ net }, i) => paint(io, net < 0 ? "red" : "cyan", bars[i] ?? "")).join("")}`];
}

function cells({ calls, returned, compared, lost, retrieved, net, resident }: Savings): string[] {
  const share = compared.raw === 0 ? "-" : `${Math.round((compared.returned / compared.raw) * 100)} %`;
  const isCounted = compared.raw !== 0 || net !== 0;
  return [
    number(calls),
    number(returned),
    share,
    number(0 - lost.tokens),
    number(0 - retrieved),
    isCounted ? number(net) : "-",
    isCounted && resident !== undefined ? number(resident.net) : "-",
  ];
}

/** The resident cost of the tool lists, which is what the tools do not explain of the total. */
function listsResident({ resident }: Savings, tools: readonly Savings[]): string {
  if (resident === undefined) return "-";
  return number(tools.reduce((rest, tool) => rest - (tool.resident?.net ?? 0), resident.net));
}

/** Says how the resident cost is computed, because nobody sees a model's turns from here. */
function residentNote({ calls, resident }: Savings): string[] {
  if (resident === undefined) return [];
  const counted =
    resident.calls === calls ? "" : ` (${resident.calls} of ${calls} calls have a known session)`;
  return [
    "",
    "  resident: net saved tokens x the turns that they stay,",
    `  ${number(resident.returned)} token turns returned${counted};`,
    "  assumes one turn per call, and that nothing leaves",
    "  the context before the session ends",
  ];
}

/** Draws what was paid (larger replies, retrievals, tool lists) to the left of an axis, and what was saved to the right. */
function chart(days: readonly Savings[], io: Context["io"]): string[] {
  const paidOf = ({ lost, retrieved, toolLists }: Savings): number => lost.tokens + retrieved + toolLists;
  const most = Math.max(...days.flatMap((day) => [paidOf(day), day.saved]), 1);
  const bar = (tokens: number, glyph: string): string =>
    glyph.repeat(tokens === 0 ? 0 : Math.max(1, Math.round((tokens / most) * BAR_WIDTH)));
  const width = Math.max(...days.map((day) => bar(paidOf(day), "▒").length));
  return days.map((day) => {
    const paid = bar(paidOf(day), "▒");
    const left = " ".repeat(width - paid.length) + paint(io, "red", paid);
    return `  ${day.name}  ${left}|${paint(io, "cyan", bar(day.saved, "█"))} ${number(day.net)}`;
  });
}

function number(value: number): string {
  // Zero may be negative here.
  return (value === 0 ? 0 : value).toLocaleString("en-US");
}
