import { inspect } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import type { Attack, FindingKind, Trial } from "./attack.ts";
import { Random } from "./random.ts";
import { Stage } from "./stage.ts";

export interface Finding {
  readonly attack: string;
  readonly round: number;
  readonly kind: FindingKind;
  readonly what: string;
}

export interface Tally {
  rounds: number;
  seconds: number;
  peakMemory: number;
  readonly tried: Map<string, number>;
  readonly untried: Map<string, string>;
}

export interface CampaignResult {
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly findings: readonly Finding[];
}

interface CampaignOptions {
  readonly seed: string;
  readonly seconds: number;
  /** Runs only this round of each attack, to reproduce a finding. */
  readonly round?: number;
  /** Makes each round do a quarter of its calls. */
  readonly short?: boolean;
  /** Number of concurrent rounds. */
  readonly lanes: number;
  onRound?(attack: string, round: number, findings: number): void;
}

const MAX_SHOWN = 1_200;
const MAX_ALIKE = 3;
/** A round that takes longer counts as hanging. */
const ROUND_PATIENCE_MS = 180_000;

/** Runs rounds of all attacks until the time is up; each attack gets at least one. */
export async function runCampaign(
  attacks: readonly Attack[],
  options: CampaignOptions,
): Promise<CampaignResult> {
  const tallies = new Map(
    attacks.map((attack) => [
      attack.name,
      { rounds: 0, seconds: 0, peakMemory: 0, tried: new Map(), untried: new Map() } satisfies Tally,
    ]),
  );
  const findings: Finding[] = [];
  const kept: Kept = new Map();
  const until = performance.now() + options.seconds * 1_000;
  const rounds = roundsOf(attacks, options, until);
  const lane = async (): Promise<void> => {
    for (const { attack, round } of rounds) {
      const tally = tallies.get(attack.name);
      if (tally === undefined) return;
      const begun = performance.now();
      const { seed, short = false } = options;
      await runRound(attack, kept, { round, seed, short, tally, findings });
      tally.rounds++;
      tally.seconds += (performance.now() - begun) / 1_000;
      options.onRound?.(attack.name, round, findings.length);
    }
  };
  await Promise.all(Array.from({ length: options.lanes }, lane));
  for (const stage of kept.values()) await stage.close();
  return { tallies, findings };
}

/** Creates the shared list of rounds, so that concurrent workers do not repeat one. */
function* roundsOf(
  attacks: readonly Attack[],
  options: CampaignOptions,
  until: number,
): Generator<{ attack: Attack; round: number }> {
  for (let round = options.round ?? 0; ; round++) {
    for (const attack of attacks) {
      if (round > 0 && options.round === undefined && performance.now() > until) return;
      yield { attack, round };
    }
    if (options.round !== undefined || performance.now() > until) return;
  }
}

interface Round {
  readonly round: number;
  readonly seed: string;
  readonly short: boolean;
  readonly tally: Tally;
  readonly findings: Finding[];
}

/** Keeps the stages of lasting attacks. */
type Kept = Map<string, Stage>;

async function runRound(
  attack: Attack,
  kept: Kept,
  { round, seed, short, tally, findings }: Round,
): Promise<void> {
  const stage = kept.get(attack.name) ?? new Stage(attack.name);
  if (attack.lasting) kept.set(attack.name, stage);
  stage.report = (kind, what) => addFinding(findings, { attack: attack.name, round, kind, what });
  const trial: Trial = {
    random: new Random(`${seed}/${attack.name}/${round}`),
    folder: stage.folder,
    times: (whole) => (short ? Math.ceil(whole / 4) : whole),
    tried: (what, times = 1) => void tally.tried.set(what, (tally.tried.get(what) ?? 0) + times),
    untried: (what, why) => void tally.untried.set(what, why),
    found: stage.report,
    serve: (options) => stage.serve(options),
    keep: (make) => stage.keep(make),
    afterwards: (work) => stage.afterwards(work),
  };
  try {
    await withPatience(attack.round(trial), stage.report);
  } catch (error) {
    stage.report("lost", `the round broke: ${inspect(error)}`);
  }
  if (!attack.lasting) await stage.close();
  tally.peakMemory = Math.max(tally.peakMemory, stage.peakMemory);
}

/** Limits findings per type, because many of the same would hide others and a few are enough to reproduce it. */
function addFinding(findings: Finding[], finding: Finding): void {
  const kind = kindOf(finding);
  if (findings.filter((one) => kindOf(one) === kind).length >= MAX_ALIKE) return;
  findings.push({ ...finding, what: clip(finding.what) });
}

function kindOf({ attack, kind, what }: Finding): string {
  return `${attack} ${kind} ${what.slice(0, 60).replaceAll(/\d+/g, "")}`;
}

function clip(what: string): string {
  return what.length <= MAX_SHOWN ? what : `${what.slice(0, MAX_SHOWN / 2)} … ${what.slice(-MAX_SHOWN / 2)}`;
}

async function withPatience(work: Promise<void>, found: Trial["found"]): Promise<void> {
  const timer = new AbortController();
  const late = delay(ROUND_PATIENCE_MS, undefined, { signal: timer.signal }).then(
    () => found("hang", "the round did not end"),
    () => undefined,
  );
  await Promise.race([work, late]).finally(() => timer.abort());
}
