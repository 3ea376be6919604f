import { parseArgs } from "node:util";
import { runCampaign } from "./campaign.ts";
import { ATTACKS } from "./registry.ts";
import { reportOf } from "./report.ts";

const USAGE = `npm run torture [-- --seconds N --seed S --only NAME[,NAME] --round R --lanes N --short --list]`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    seed: { type: "string" },
    only: { type: "string" },
    round: { type: "string" },
    lanes: { type: "string", default: "2" },
    short: { type: "boolean", default: false },
    list: { type: "boolean" },
    help: { type: "boolean" },
  },
});
process.exitCode = await main();

async function main(): Promise<number> {
  if (values.help) return say(`${USAGE}\n`, 0);
  if (values.list) return say(ATTACKS.map(({ name, about }) => `${name.padEnd(14)} ${about}\n`).join(""), 0);
  const names = values.only?.split(",");
  const attacks = ATTACKS.filter(({ name }) => names === undefined || names.includes(name));
  const unknown = names?.filter((name) => !ATTACKS.some((attack) => attack.name === name)) ?? [];
  const numbers = [values.seconds, values.lanes, values.round ?? "0"].map(Number);
  if (unknown.length > 0 || numbers.some((one) => !Number.isFinite(one) || one < 0))
    return say(`${USAGE}\nattacks: ${ATTACKS.map(({ name }) => name).join(", ")}\n`, 2);
  const seed = values.seed ?? String(Date.now() % 1_000_000);
  const begun = performance.now();
  const result = await runCampaign(attacks, {
    seed,
    seconds: Number(values.seconds),
    lanes: Math.max(1, Number(values.lanes)),
    short: values.short,
    ...(values.round !== undefined && { round: Number(values.round) }),
    onRound: (attack, round, findings) =>
      progress(`${elapsed(begun)} s of ${values.seconds}: ${attack} round ${round}, ${findings} found`),
  });
  progress("");
  return say(
    reportOf(result, { seed, seconds: (performance.now() - begun) / 1_000 }),
    result.findings.length > 0 ? 1 : 0,
  );
}

function say(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

function elapsed(begun: number): number {
  return Math.round((performance.now() - begun) / 1_000);
}
