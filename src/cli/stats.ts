import { PithError } from "../kernel/errors.ts";
import { savingsBy, savingsOf } from "../model/savings.ts";
import type { Savings } from "../model/savings.ts";
import { TOOL_LIST } from "../model/usage.ts";
import type { UsageEntry } from "../model/usage.ts";
import { JSON_OPTION } from "./command.ts";
import type { Command, Context } from "./command.ts";
import { paint } from "./io.ts";

const DEFAULT_DAYS = 30;
const BAR_WIDTH = 30;

export const stats: Command = {
  name: "stats",
  summary: "Tokens returned against raw, by tool and day",
  usage: "[--days N] [--json]",
  details:
    'Counts the calls that this machine\'s servers answered. "raw" is what the client would have shown without Pith, after its\n' +
    "own truncation; a call whose raw size is not known, such as a search, is counted and not compared. Fetching what an\n" +
    "earlier reply left out, and the tool list of each session, are subtracted from the savings.",
  options: {
    days: { type: "string", value: "N", about: `How many days (default ${DEFAULT_DAYS}).` },
    ...JSON_OPTION,
  },
  examples: ["pith stats", "pith stats --days 7 --json"],
  async run(context) {
    const services = context.openServices();
    const entries = await services.ledger.read(daysOf(context.text("days")));
    const usage = addUp(entries);
    if (context.flag("json")) context.io.out(`${JSON.stringify({ calls: usage.total.calls, ...usage })}\n`);
    else context.io.out(entries.length === 0 ? nothing(services.dataFolder) : page(usage, context));
    return 0;
  },
};

interface UsagePage {
  readonly total: Savings;
  readonly tools: readonly Savings[];
  readonly days: readonly Savings[];
}

function addUp(entries: readonly UsageEntry[]): UsagePage {
  const calls = entries.filter((entry) => entry.tool !== TOOL_LIST);
  return {
    total: savingsOf("total", entries),
    tools: savingsBy(calls, (entry) => entry.tool).sort((a, b) => b.returned - a.returned),
    days: savingsBy(entries, (entry) => entry.time.slice(0, 10)),
  };
}

function daysOf(text: string | undefined): number {
  const days = Number(text ?? DEFAULT_DAYS);
  if (Number.isInteger(days) && days > 0) return days;
  throw new PithError("invalid_input", `stats: ${text} is not a number of days`);
}

function nothing(folder: string): string {
  return `No calls yet (looked in ${folder}). Attach an agent with: pith init\n`;
}

function page({ total, tools, days }: UsagePage, { io }: Context): string {
  const columns = ["calls", "returned", "of raw", "retrieved", "net saved"];
  return [
    paint(io, "bold", row("tool", columns)),
    ...tools.map((tool) => row(tool.name, cells(tool))),
    row("tool lists", ["", number(total.toolLists), "", "", number(0 - total.toolLists)]),
    paint(io, "bold", row("total", cells(total))),
    "",
    paint(io, "bold", "  net saved by day, in tokens"),
    ...chart(days, io),
    "",
  ].join("\n");
}

function row(name: string, texts: readonly string[]): string {
  return `  ${name.padEnd(18)}${texts.map((text) => text.padStart(12)).join("")}`;
}

function cells({ calls, returned, compared, retrieved, net }: Savings): string[] {
  const share = compared.raw === 0 ? "-" : `${Math.round((compared.returned / compared.raw) * 100)} %`;
  return [
    number(calls),
    number(returned),
    share,
    number(retrieved),
    compared.raw === 0 && net === 0 ? "-" : number(net),
  ];
}

function chart(days: readonly Savings[], io: Context["io"]): string[] {
  const most = Math.max(...days.map((day) => Math.abs(day.net)), 1);
  return days.map((day) => {
    const bar = "█".repeat(Math.max(1, Math.round((Math.abs(day.net) / most) * BAR_WIDTH)));
    return `  ${day.name}  ${paint(io, day.net < 0 ? "red" : "cyan", bar)} ${number(day.net)}`;
  });
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
