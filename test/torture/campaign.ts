import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Attack, FindingKind, Trial } from "./attack.ts";
import { Peer } from "./peer.ts";
import { Random } from "./random.ts";

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
  /** Only this round of each attack, to replay a finding. */
  readonly round?: number;
  /** How many rounds go on at once. */
  readonly lanes: number;
  onRound?(attack: string, round: number, findings: number): void;
}

/** One process may hold this much: the largest inputs here are some megabytes. */
const MAX_MEMORY = 1_200 * 1024 * 1024;
const MAX_SHOWN = 1_200;
/** A round that takes longer stands still. */
const ROUND_PATIENCE_MS = 180_000;

/** Runs round after round of all attacks until the time is over; each gets at least one. */
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
  const until = performance.now() + options.seconds * 1_000;
  const rounds = roundsOf(attacks, options, until);
  const lane = async (): Promise<void> => {
    for (const { attack, round } of rounds) {
      const tally = tallies.get(attack.name);
      if (tally === undefined) return;
      const begun = performance.now();
      await runRound(attack, { round, seed: options.seed, tally, findings });
      tally.rounds++;
      tally.seconds += (performance.now() - begun) / 1_000;
      options.onRound?.(attack.name, round, findings.length);
    }
  };
  await Promise.all(Array.from({ length: options.lanes }, lane));
  return { tallies, findings };
}

/** The lanes draw from one list, so that none of them repeats another's round. */
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
  readonly tally: Tally;
  readonly findings: Finding[];
}

async function runRound(attack: Attack, { round, seed, tally, findings }: Round): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `pith-torture-${attack.name}-`)));
  mkdirSync(join(folder, "work"));
  const found = (kind: FindingKind, what: string): void => {
    if (findings.filter((one) => one.attack === attack.name).length < 50)
      findings.push({ attack: attack.name, round, kind, what: clip(what) });
  };
  const peers: Peer[] = [];
  const cleanups: (() => void | Promise<void>)[] = [];
  const trial: Trial = {
    random: new Random(`${seed}/${attack.name}/${round}`),
    folder,
    tried: (what, times = 1) => void tally.tried.set(what, (tally.tried.get(what) ?? 0) + times),
    untried: (what, why) => void tally.untried.set(what, why),
    found,
    async serve(options = {}) {
      const peer = await Peer.start(folder, { workspace: join(folder, "work"), ...options }, found);
      peers.push(peer);
      return peer;
    },
    afterwards: (work) => void cleanups.unshift(work),
  };
  const meter = setInterval(() => {
    for (const peer of peers) peer.measure();
  }, 200);
  try {
    await withPatience(attack.round(trial), found);
    await Promise.all(peers.filter((peer) => peer.isAlive).map((peer) => peer.close()));
  } catch (error) {
    found("lost", `the round broke: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
    await Promise.all(peers.map((peer) => peer.kill()));
  }
  clearInterval(meter);
  const peak = Math.max(0, ...peers.map((peer) => peer.peakMemory));
  tally.peakMemory = Math.max(tally.peakMemory, peak);
  if (peak > MAX_MEMORY) found("memory", `a server held ${Math.round(peak / 1e6)} MB`);
  await endLeftovers(folder, found);
  for (const cleanup of cleanups) await cleanup();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
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

/** Whatever still runs for this round when all its servers have ended was left behind; short work may end by itself. */
async function endLeftovers(folder: string, found: Trial["found"]): Promise<void> {
  const until = Date.now() + 20_000;
  let left = processesOf(folder);
  while (left.length > 0 && Date.now() < until) {
    await delay(50);
    left = processesOf(folder);
  }
  for (const { pid, command } of left) {
    found("left running", command);
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
}

/** Servers, supervisors and commands of a round are known by the folder in their environment. */
function processesOf(folder: string): { pid: number; command: string }[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const environment = readProc(name, "environ");
      if (!environment.includes(folder)) return [];
      return [{ pid: Number(name), command: readProc(name, "cmdline").replaceAll("\0", " ").slice(0, 300) }];
    });
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // Ended between the two looks, or somebody else's.
    return "";
  }
}
