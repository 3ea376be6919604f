/**
 * Plants mutations in repositories with tests and measures where the mutated file stands among the suspects that a red
 * reply names: node scripts/score-since-green.mjs CASES.json, a list of objects as `Case` describes them. The
 * repositories must be clones without changes, ready to run their tests; they are left as they were.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { folderAt, type GitFolder } from "../../support/git-folder.ts";
import { harmlessEdits, type History, planHistory, replay, sourcesOf } from "./history.ts";
import { Random } from "./random.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Folder for the data of the runs, and for the histories, which --again reads. */
    work: { type: "string", default: "/tmp/pith-since-green" },
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    mutations: { type: "string", default: "10" },
    /** Asks again about the recorded runs, after a change to the order of suspects. */
    again: { type: "boolean", default: false },
    score: { type: "string" },
  },
});

interface Case {
  /** The name of the public repository. */
  readonly name: string;
  readonly folder: string;
  readonly command: string;
  /** Beginnings of the paths of code to mutate, and parts of paths to leave alone. */
  readonly sources: readonly string[];
  readonly except?: readonly string[];
  readonly language: string;
  /** Not looked at while the order was improved. */
  readonly heldOut?: boolean;
}

interface Planted {
  readonly base: string;
  readonly history: History;
  readonly run: string;
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly change: string;
  readonly isCommitted: boolean;
  readonly otherFiles: number;
  /** Counted from 1; 0 if the reply does not name it. */
  readonly place: number;
  readonly reply: string;
}

const PITH = resolve(import.meta.dirname, "pith.js");
const MAX_ATTEMPTS = 40;

function pith(folder: GitFolder, data: string, args: readonly string[]): { exitCode: number; text: string } {
  const result = spawnSync(process.execPath, [PITH, ...args], {
    cwd: folder.root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, PITH_DATA_DIR: data },
  });
  return { exitCode: result.status ?? -1, text: result.stdout };
}

function runOf(text: string): string {
  return /\brun (\w+)/.exec(text)?.[1] ?? "";
}

/** Runs the suite once as it is and once with every harmless edit; both must be green. */
function prepare(one: Case, folder: GitFolder, data: string, random: Random) {
  const base = folder.git("rev-parse", "HEAD").trim();
  const sources = sourcesOf(folder, one.sources, one.except);
  const harmless = harmlessEdits(folder, sources, random);
  for (const { path, text } of harmless.values()) folder.write(path, text);
  const edited = pith(folder, data, ["exec", "--timeout", "200", one.command]);
  if (edited.exitCode !== 0) throw new Error(`${one.name}: the harmless edits are not: ${edited.text}`);
  folder.git("checkout", "-q", "-f", "--detach", base);
  const green = pith(folder, data, ["exec", "--timeout", "200", one.command]);
  if (green.exitCode !== 0) throw new Error(`${one.name} is not green: ${green.text}`);
  console.log(
    `${one.name} is green: ${green.text.trim().split("\n")[0] ?? ""}; ${harmless.size} harmless edits`,
  );
  return { base, sources, harmless };
}

function plant(one: Case, folder: GitFolder, work: string): Planted[] {
  const random = new Random(Number(values.seed) * 7_919 + one.name.length);
  const data = join(work, "data");
  // Mutations that turned the suite red before do so again.
  const saved = join(work, "planted.json");
  const known: Planted[] = existsSync(saved) ? JSON.parse(readFileSync(saved, "utf8")) : [];
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const { base, ...given } = prepare(one, folder, data, random);
  const planted: Planted[] = [];
  const files = random.shuffle(given.sources.code);
  for (let at = 0; at < MAX_ATTEMPTS && planted.length < Number(values.mutations); at++) {
    folder.git("checkout", "-q", "-f", "--detach", base);
    const before = known[at]?.history;
    const path = before?.path ?? files[at % files.length] ?? "";
    const history = planHistory(folder, path, { ...given, random, known: before?.mutation });
    if (history === undefined) continue;
    const kept = join(work, "kept");
    rmSync(kept, { recursive: true, force: true });
    cpSync(data, kept, { recursive: true });
    replay(folder, base, history);
    const { exitCode, text } = pith(folder, data, ["exec", "--timeout", "200", one.command]);
    const isRed = exitCode !== 0 && /failed/.test(text.split("\n").slice(0, 3).join(" "));
    if (isRed) {
      planted.push({ base, history, run: runOf(text) });
      console.log(describePlace(placeOf({ base, history, run: "" }, text)));
    } else {
      // Without a failed test there is nothing to ask about, and the run must not count as a green one.
      rmSync(data, { recursive: true, force: true });
      cpSync(kept, data, { recursive: true });
    }
    writeFileSync(join(work, "next.json"), JSON.stringify(planted));
  }
  renameSync(join(work, "next.json"), saved);
  return planted;
}

/** Where the mutated file stands in the lines about the last green run. */
function placeOf({ history }: Planted, text: string): Place {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => line.startsWith("green "));
  const single = /; suspect: (.*)$/.exec(lines[from] ?? "")?.[1];
  const shown = single === undefined ? lines.slice(from + 1, from + 5) : [single];
  const names = shown.filter((line) => !line.startsWith(" and ")).map((line) => line.trim());
  const place =
    from < 0
      ? 0
      : names.findIndex(
          (name) =>
            /^[ :(]?$/.test(name.slice(history.path.length, history.path.length + 1)) &&
            name.startsWith(history.path),
        ) + 1;
  const { mutation } = history;
  return {
    file: history.path,
    line: mutation.line,
    change: `${mutation.before.trim()} -> ${mutation.after.trim()}`,
    isCommitted: history.isCommitted,
    otherFiles: Object.keys(history.kinds).length,
    place,
    reply: text,
  };
}

function describePlace({ place, file, line, change, otherFiles, reply }: Place): string {
  const head = `${place === 1 ? "first" : place === 0 ? "NOT NAMED" : `PLACE ${place}`}  ${file}:${line}  ${change}  (${otherFiles} others)`;
  return place === 1 ? head : `${head}\n${reply.replaceAll(/^/gm, "    | ")}`;
}

function score(one: Case): object {
  const folder = folderAt(resolve(one.folder));
  const work = join(values.work, one.name.replaceAll("/", "+"));
  const saved = join(work, "planted.json");
  const planted: Planted[] =
    values.again && existsSync(saved) ? JSON.parse(readFileSync(saved, "utf8")) : plant(one, folder, work);
  const places = planted.map((item) => {
    replay(folder, item.base, item.history);
    const ask = () => pith(folder, join(work, "data"), ["logs", item.run, "--verbosity", "minimal"]).text;
    // On a busy machine, git may need longer than a reply waits for it.
    let text = ask();
    for (let more = 0; more < 5 && !/^green /m.test(text); more++) text = ask();
    return placeOf(item, text);
  });
  folder.git("checkout", "-q", "-f", "--detach", planted[0]?.base ?? "HEAD");
  for (const place of places) console.log(describePlace(place));
  const first = places.filter(({ place }) => place === 1).length;
  const inThree = places.filter(({ place }) => place >= 1 && place <= 3).length;
  console.log(`${one.name}: first ${first}, in the first three ${inThree}, of ${places.length}\n`);
  return {
    repository: one.name,
    commit: planted[0]?.base,
    language: one.language,
    command: one.command,
    ...(one.heldOut === true && { heldOut: true }),
    mutations: places.length,
    first,
    inFirstThree: inThree,
    places: places.map(({ file, line, place, otherFiles, isCommitted }) => ({
      file,
      line,
      place,
      otherFiles,
      isCommitted,
    })),
  };
}

const cases: readonly Case[] = JSON.parse(readFileSync(positionals[0] ?? "", "utf8"));
const scores = cases.filter(({ name }) => values.only === undefined || name.includes(values.only)).map(score);
if (values.score !== undefined) writeFileSync(values.score, `${JSON.stringify(scores, null, 2)}\n`);
