import { PithError } from "../kernel/errors.ts";
import { totalUsage } from "../model/usage.ts";
import type { UsageTotal } from "../model/usage.ts";
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
    'Counts the calls that this machine\'s servers answered. "raw" is what the agent would have read without Pith, where\n' +
    "that is known; calls without it are counted but not compared.",
  options: {
    days: { type: "string", value: "N", about: `How many days (default ${DEFAULT_DAYS}).` },
    ...JSON_OPTION,
  },
  examples: ["pith stats", "pith stats --days 7 --json"],
  async run(context) {
    const services = context.openServices();
    const entries = await services.ledger.read(daysOf(context.text("days")));
    const tools = totalUsage(entries, (entry) => entry.tool).sort((a, b) => b.tokens - a.tokens);
    const days = totalUsage(entries, (entry) => entry.time.slice(0, 10));
    if (context.flag("json")) context.io.out(`${JSON.stringify({ calls: entries.length, tools, days })}\n`);
    else context.io.out(entries.length === 0 ? nothing(services.dataFolder) : page(tools, days, context));
    return 0;
  },
};

function daysOf(text: string | undefined): number {
  const days = Number(text ?? DEFAULT_DAYS);
  if (Number.isInteger(days) && days > 0) return days;
  throw new PithError("invalid_input", `stats: ${text} is not a number of days`);
}

function nothing(folder: string): string {
  return `No calls yet (looked in ${folder}). Attach an agent with: pith init\n`;
}

function page(tools: readonly UsageTotal[], days: readonly UsageTotal[], { io }: Context): string {
  const most = Math.max(...days.map((day) => day.tokens), 1);
  const bars = days.map((day) => {
    const length = Math.max(1, Math.round((day.tokens / most) * BAR_WIDTH));
    return `  ${day.name}  ${paint(io, "cyan", "█".repeat(length))} ${number(day.tokens)}`;
  });
  const rows = tools.map(
    (tool) =>
      `  ${tool.name.padEnd(18)}${number(tool.calls).padStart(7)}${number(tool.tokens).padStart(12)}  ${saving(tool)}`,
  );
  const head = `  ${"tool".padEnd(18)}${"calls".padStart(7)}${"tokens".padStart(12)}  against raw`;
  return [
    paint(io, "bold", head),
    ...rows,
    "",
    paint(io, "bold", "  tokens returned by day"),
    ...bars,
    "",
  ].join("\n");
}

function saving({ compared }: UsageTotal): string {
  if (compared.raw === 0) return "not compared";
  const percent = Math.round((compared.tokens / compared.raw) * 100);
  return `${number(compared.tokens)} of ${number(compared.raw)} (${percent} %)`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
