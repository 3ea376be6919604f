import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { folderAt } from "../support/git-folder.ts";
import { createJournal, definitionsOf, sharedClock, type Journal } from "../support/journal.ts";

/**
 * Number of queries, and the minimum of saves and checkouts during them. PITH_FRESHNESS_QUESTIONS=20000 makes a longer
 * run.
 */
const QUESTIONS = Number(process.env["PITH_FRESHNESS_QUESTIONS"] ?? 30);
const SEED = Number(process.env["PITH_FRESHNESS_SEED"] ?? 20_261_115);
const SAVES = 30;
const CHECKOUTS = 4;

const BRANCHES = ["main", "second", "third"];
const TRACKED = Array.from({ length: 24 }, (_, i) => `src/p${i % 4}/t${i}.py`);
const OWN = Array.from({ length: 8 }, (_, i) => `own/o${i}.py`);

describe("two servers, an editor that saves and a loop of checkouts", () => {
  it.each(["a repository", "a linked worktree"])(
    "never return a wrong line without marking it stale, and never fail on a lock: %s",
    async (kind) => {
      const folder = makeFolder();
      const dataFolder = makeFolder();
      const { root, texts } = plant(folder, kind === "a linked worktree");
      const journal = createJournal();
      const servers = [
        await connect(root, { dataFolder }),
        await connect(root, { dataFolder, era: "modern" }),
      ];
      const editor = startEditor(root, journal);
      const checkouts = startCheckouts(root, { texts, journal });
      const answers: Answer[] = [];
      const random = numbers(SEED);
      const isEnough = () =>
        answers.length >= QUESTIONS && editor.saves() >= SAVES && checkouts.count() >= CHECKOUTS;
      const lane = async (server: Client) => {
        while (!isEnough()) answers.push(await ask(server, random));
      };
      await Promise.all(servers.flatMap((server) => [lane(server), lane(server)]));
      await checkouts.stop();
      await editor.stop();
      const wrong = answers.flatMap((answer) => findErrors(answer, journal));
      expect(wrong).toEqual([]);
      // Enough answers must be unmarked for the comparison to be meaningful.
      const compared = answers.filter(({ data }) => data.metadata?.freshness_status === "fresh");
      expect(compared.length).toBeGreaterThan(answers.length / 10);
    },
    600_000,
  );
});

interface Answer {
  readonly tool: string;
  readonly about: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly data: Reply;
}

interface Reply {
  readonly error?: { readonly code: string };
  readonly code?: string;
  readonly results?: readonly Place[];
  readonly symbols?: readonly Place[];
  readonly stale?: boolean;
  readonly cursor?: string;
  readonly metadata?: {
    readonly freshness_status: string;
    readonly indexing_status: string;
    readonly result_completeness: string;
  };
}

interface Place {
  readonly path: string;
  readonly name?: string;
  readonly line_start: number;
  readonly line_end: number;
  readonly content?: string;
  readonly stale?: boolean;
}

/** Creates three branches whose files differ in lines, names and existence. */
function plant(folder: string, linked: boolean): { root: string; texts: Map<string, Map<string, string>> } {
  const main = folderAt(join(folder, "main"));
  main.write("README.md", "# tree\n");
  main.git("init", "-q", "-b", "main");
  const random = numbers(7);
  const texts = new Map<string, Map<string, string>>();
  for (const [number, branch] of BRANCHES.entries()) {
    if (number > 0) main.git("checkout", "-q", "-b", branch);
    const files = new Map<string, string>();
    for (const [i, path] of TRACKED.entries()) {
      main.remove(path);
      if ((i + number) % 5 === 0) continue;
      const text = `${"\n".repeat(random(20))}def fn_t${i}(a):\n    return ${number}\n${"\n".repeat(random(9))}def fn_both_${i}():\n    pass\n`;
      main.write(path, text);
      files.set(path, text);
    }
    texts.set(branch, files);
    main.git("add", "-A");
    main.git("commit", "-q", "-m", branch);
  }
  if (!linked) return { root: main.root, texts };
  main.git("checkout", "-q", "--detach");
  main.git("worktree", "add", "-q", join(folder, "linked"), "main");
  return { root: join(folder, "linked"), texts };
}

function startEditor(root: string, journal: Journal) {
  const script = join(import.meta.dirname, "../support/saving-editor.mjs");
  const editor = spawn(
    process.execPath,
    [script, root, String(SEED), TRACKED.slice(0, 6).join(","), OWN.join(",")],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const exited = once(editor, "exit");
  let saves = 0;
  const lines = createInterface({ input: editor.stdout });
  lines.on("line", (line) => {
    saves++;
    journal.add(JSON.parse(line));
  });
  const read = once(lines, "close");
  const stop = async (): Promise<void> => {
    editor.stdin.end();
    const [[code]] = await Promise.all([exited, read]);
    expect(code).toBe(0);
  };
  onTestFinished(stop);
  return { saves: () => saves, stop };
}

/** Checks out one branch after the other as fast as git can, discarding the editor's changes. */
function startCheckouts(
  root: string,
  { texts, journal }: { texts: ReadonlyMap<string, ReadonlyMap<string, string>>; journal: Journal },
) {
  let count = 0;
  const stopping = new AbortController();
  const start = execFileSync("git", ["rev-parse", "--abbrev-ref", "HEAD"], {
    cwd: root,
    encoding: "utf8",
  }).trim();
  const record = (branch: string, from: number, to: number, maybe: boolean): void => {
    for (const path of TRACKED)
      journal.add({ path, text: texts.get(branch)?.get(path) ?? null, from, to, ...(maybe && { maybe }) });
  };
  record(start, 0, 1, false);
  journal.add({ path: "README.md", text: "# tree\n", from: 0, to: 1 });
  const loop = (async () => {
    for (let round = 1; !stopping.signal.aborted; round++) {
      const branch = BRANCHES[round % BRANCHES.length] ?? "main";
      const from = sharedClock();
      const git = spawn("git", ["checkout", "-q", "-f", branch], { cwd: root, stdio: "ignore" });
      const [code] = await once(git, "exit");
      // A file that the editor has just created may stop the checkout at any point.
      record(branch, from, sharedClock(), code !== 0);
      count++;
    }
  })();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await loop;
  };
  onTestFinished(stop);
  return { count: () => count, stop };
}

async function ask(server: Client, random: (below: number) => number): Promise<Answer> {
  const path = random(2) === 0 ? pick(TRACKED, random) : pick(OWN, random);
  const number = /(\d+)\.py$/.exec(path)?.[1] ?? "0";
  const edited = `fn_${path.replaceAll(/\W/g, "_")}_${random(2)}_${random(3)}`;
  const name = random(2) === 0 ? edited : random(2) === 0 ? `fn_t${number}` : `fn_both_${number}`;
  const [tool, about, args] = pick(
    [
      ["locate_symbol", name, { name, limit: 20 }],
      ["search_code", name, { query: name, detail_level: "concise", max_tokens: 9_000 }],
      ["get_file_outline", path, { path, max_tokens: 9_000 }],
    ] as const,
    random,
  );
  const from = sharedClock();
  const result = await server.callTool({ name: tool, arguments: { ...args, response_format: "json" } });
  const to = sharedClock();
  const [block] = result.content;
  const text = block?.type === "text" ? block.text : "";
  return { tool, about, from, to, text, data: JSON.parse(text) };
}

/** Returns the errors of an answer, compared with the files' contents while it was made. */
function findErrors(answer: Answer, journal: Journal): string[] {
  const { data, tool, about, text } = answer;
  const textsOf = (path: string) => journal.textsBetween(path, answer.from, answer.to);
  const say = (what: string, path: string): string =>
    `${tool} ${about}: ${what}: ${text.slice(0, 500)} -- ${path} held ${JSON.stringify(textsOf(path))}`;
  const error = data.error?.code ?? data.code;
  if (error === "symbol_not_found") return missing(answer, journal, new Set());
  if (error === "file_not_found" && textsOf(about).includes(null)) return [];
  if (error !== undefined) return [say(`error ${error}`, about)];
  if (tool === "get_file_outline") {
    if (data.stale === true || data.metadata?.freshness_status !== "fresh") return [];
    const got = JSON.stringify(
      (data.symbols ?? []).map(({ name, line_start }) => ({ name, line: line_start })),
    );
    return textsOf(about).some((held) => JSON.stringify(definitionsOf(held)) === got)
      ? []
      : [say("outline", about)];
  }
  const wrong: string[] = [];
  const places = new Set<string>();
  for (const hit of data.results ?? []) {
    places.add(hit.path).add(`${hit.path}:${hit.line_start}`);
    if (hit.stale !== true && !textsOf(hit.path).some((held) => isThere(hit, held)))
      wrong.push(say(`hit ${hit.path}:${hit.line_start} ${hit.name ?? ""}`, hit.path));
  }
  return [...wrong, ...missing(answer, journal, places)];
}

function isThere({ name, line_start, line_end, content }: Place, held: string | null): boolean {
  if (held === null) return false;
  const lines = held.split("\n");
  const named =
    name === undefined || definitionsOf(held).some((one) => one.name === name && one.line === line_start);
  return named && (content === undefined || isCut(lines.slice(line_start - 1, line_end).join("\n"), content));
}

/** Compares content that may be truncated at its end. */
function isCut(whole: string, shown: string): boolean {
  return whole.trimEnd() === shown.trimEnd() || whole.startsWith(shown.replace(/\s*…?$/, ""));
}

/** Returns definitions that existed all the time but are missing from an answer marked complete. */
function missing(
  { tool, about, from, to, data, text }: Answer,
  journal: Journal,
  places: ReadonlySet<string>,
): string[] {
  const { freshness_status, indexing_status, result_completeness } = data.metadata ?? {};
  const isMarked =
    data.metadata !== undefined &&
    (freshness_status !== "fresh" || indexing_status !== "ready" || result_completeness !== "complete");
  if (isMarked || data.cursor !== undefined) return [];
  const lost: string[] = [];
  for (const path of journal.paths()) {
    const [held, ...others] = journal.textsBetween(path, from, to);
    if (others.length > 0 || held === undefined || !path.endsWith(".py")) continue;
    for (const { name, line } of definitionsOf(held))
      // A search returns one place per file.
      if (name === about && !places.has(tool === "search_code" ? path : `${path}:${line}`))
        lost.push(`${tool} ${about}: ${path}:${line} is not in ${text.slice(0, 500)}`);
  }
  return lost;
}

function pick<T>(list: readonly T[], random: (below: number) => number): T {
  const one = list[random(list.length)];
  if (one === undefined) throw new Error("nothing to pick from");
  return one;
}

function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
