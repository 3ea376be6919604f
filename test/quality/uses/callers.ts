import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { callTool } from "../../../src/app/pipeline.ts";
import { TOOLS } from "../../../src/app/registry.ts";
import { createServices } from "../../../src/app/services.ts";
import { loadConfig } from "../../../src/config/load.ts";
import type { RelationAnswer } from "../../../src/model/relation.ts";
import { calledNames, type CalledName } from "./called-names.ts";

/** How people and agents ask for callers. */
const QUESTIONS: readonly ((name: string) => readonly [tool: string, args: object])[] = [
  (name) => ["search_code", { query: `who calls ${name}` }],
  (name) => ["locate_symbol", { name, relation: "callers" }],
  (name) => ["search_code", { query: `where is ${name} called?` }],
  (name) => ["search_code", { query: `callers of ${name}` }],
  (name) => ["search_code", { query: `find all calls to ${name}()` }],
  (name) => ["search_code", { query: `who is calling \`${name}\`?` }],
];

/** Tokens that a reply with up to this many places may take. */
const MAX_TOKENS = 400;
const MAX_PLACES = 25;

export interface CallersScore {
  readonly questions: number;
  /** Share of the questions whose answer contains every true caller, as sure or possible. */
  readonly complete: number;
  /** Share of the questions whose reply takes at most 400 tokens. */
  readonly short: number;
  /** Tokens of whole replies, with their head and notes, by true callers; most questions have fewer than five. */
  readonly tokensPerPlace: number;
  /** Tokens of the lines that list places, by listed places. */
  readonly tokensPerListedPlace: number;
  readonly missed: readonly string[];
}

interface Asked {
  readonly called: CalledName;
  readonly missed: readonly string[];
  readonly tokens: number;
  readonly listTokens: number;
  readonly listed: number;
}

/** Asks a server for the callers of some functions of a repository, as an agent does. */
export async function scoreCallers(root: string, language: string): Promise<CallersScore> {
  const data = mkdtempSync(join(tmpdir(), "pith-callers-"));
  const environment = { variables: {}, home: data, platform: process.platform, cwd: root };
  const flags = { "server.data_dir": data, "server.log_level": "error", "server.roots": [] };
  const services = createServices(loadConfig(environment, root, flags).config, environment, root);
  const ask = async (name: string, args: object): Promise<string> => {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const caller = { signal: new AbortController().signal, progress: () => undefined };
    return (await callTool(tool, { ...args }, services, caller)).text;
  };
  const asked: Asked[] = [];
  for (const [at, called] of calledNames(root, language, QUESTIONS.length).entries()) {
    const [tool, args] = QUESTIONS[at]?.(called.name) ?? ["search_code", {}];
    const { places = [] } = await complete(() =>
      ask(tool, { ...args, response_format: "json", max_tokens: 9_000 }),
    );
    const text = await ask(tool, args);
    const found = new Set(places.map(({ path, line }) => `${path}:${line}`));
    asked.push({
      called,
      missed: called.calls.filter((call) => !found.has(call)),
      tokens: encode(text).length,
      // What does not fit into a reply is counted, but not listed.
      listTokens: places.length > MAX_PLACES ? 0 : encode(listIn(text)).length,
      listed: places.length > MAX_PLACES ? 0 : places.length,
    });
  }
  await services.close();
  rmSync(data, { recursive: true, force: true });
  return scoreOf(asked);
}

/** Returns the lines of a reply that list places: all but the head, the names of definitions and the notes. */
function listIn(text: string): string {
  return text
    .split("\n")
    .slice(1)
    .filter((line) => !/^(?:of |[(+])/u.test(line))
    .join("\n");
}

/** Number of times that a question is asked while the answer says that files are still being indexed. */
const MAX_TRIES = 60;

/** Asks until the answer is complete, as replies tell agents to do. */
async function complete(ask: () => Promise<string>): Promise<Partial<RelationAnswer>> {
  let answer: Partial<RelationAnswer> = {};
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    // The tool of this project wrote the JSON.
    answer = JSON.parse(await ask()) as Partial<RelationAnswer>;
    if (answer.metadata?.result_completeness !== "partial") break;
  }
  return answer;
}

function scoreOf(asked: readonly Asked[]): CallersScore {
  const share = (test: (one: Asked) => boolean): number =>
    Math.round((1000 * asked.filter(test).length) / Math.max(1, asked.length)) / 1000;
  const sum = (count: (one: Asked) => number): number => asked.reduce((total, one) => total + count(one), 0);
  return {
    questions: asked.length,
    complete: share(({ missed }) => missed.length === 0),
    short: share(({ tokens, called }) => called.calls.length > MAX_PLACES || tokens <= MAX_TOKENS),
    tokensPerPlace:
      Math.round((10 * sum(({ tokens }) => tokens)) / sum(({ called }) => called.calls.length)) / 10,
    tokensPerListedPlace:
      Math.round(
        (10 * sum(({ listTokens }) => listTokens)) /
          Math.max(
            1,
            sum(({ listed }) => listed),
          ),
      ) / 10,
    missed: asked
      .filter(({ missed }) => missed.length > 0)
      .map(({ called, missed }) => `${called.name}: ${missed.slice(0, 3).join(" ")}`),
  };
}
