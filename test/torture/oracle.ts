import type { Trial } from "./attack.ts";
import { asRecord, parseJson, type Reply } from "./judge.ts";
import { callsIn, definitionsIn, type Tree } from "./tree.ts";
import type { Random } from "./random.ts";

/** A server that can be queried, over stdio or HTTP. */
export interface Asked {
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Reply>;
}

/** Sends one query about the tree and compares the answer with the files. */
export async function askOne(trial: Trial, tree: Tree, asked: Asked, random: Random): Promise<void> {
  const inquiry = new Inquiry(trial, tree, asked);
  const paths = tree.paths();
  if (paths.length === 0) return;
  const path = random.pick(paths);
  const names = [...definitionsIn(tree.files().get(path) ?? "").keys()];
  const name = names.length > 0 && random.chance(0.9) ? random.pick(names) : `fn_${random.word(9)}`;
  trial.tried("answers compared");
  await random.pick([
    () => inquiry.read(path),
    () => inquiry.grep(name),
    () => inquiry.locate(name),
    () => inquiry.locate(name),
    () => inquiry.search(name),
    () => inquiry.callers(name),
    () => inquiry.outline(path),
  ])();
}

const REFUSALS = [
  "store_unavailable",
  "index_incompatible",
  "spawn_failed",
  "permission_denied",
  "index_not_ready",
];

/** A server with a damaged store or few resources may return a documented error; then nothing is compared. */
export function refusing(asked: Asked): Asked {
  return {
    async call(tool, args) {
      const reply = await asked.call(tool, args);
      return reply.error !== undefined && REFUSALS.includes(reply.error)
        ? { ...reply, error: "gone" }
        : reply;
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

interface Answer {
  readonly reply: Reply;
  readonly data: Fields;
  readonly from: number;
  readonly to: number;
}

class Inquiry {
  readonly #trial: Trial;
  readonly #tree: Tree;
  readonly #asked: Asked;

  constructor(trial: Trial, tree: Tree, asked: Asked) {
    this.#trial = trial;
    this.#tree = tree;
    this.#asked = asked;
  }

  async read(path: string): Promise<void> {
    const answer = await this.#ask("read", { file_path: path, max_tokens: 9_000 });
    const texts = this.#texts(path, answer);
    const { error } = answer.reply;
    if (error === "file_not_found" && texts.includes(undefined)) return;
    if (answer.data["changed_while_reading"] === true && texts.length > 1) return;
    const got = answer.data["content"] ?? "";
    const fits = texts.some((text) => text !== undefined && linesOf(text).join("\n") === got);
    if (error !== undefined || !fits) this.#wrong(answer, `read ${path}`, texts);
  }

  async grep(name: string): Promise<void> {
    const answer = await this.#ask("grep", { pattern: name, max_tokens: 9_000 });
    if (answer.reply.error !== undefined) return this.#wrong(answer, `grep ${name}`, []);
    const places = new Set<string>();
    for (const match of recordsOf(answer.data["matches"])) {
      const path = String(match["path"]);
      const line = Number(match["line"]);
      places.add(`${path}:${line}`);
      const texts = this.#texts(path, answer);
      if (!texts.some((text) => text !== undefined && linesOf(text)[line - 1] === match["text"]))
        this.#wrong(answer, `grep ${name} ${path}:${line}`, texts);
    }
    this.#complete(answer, name, places, (text) =>
      linesOf(text).flatMap((line, i) => (line.includes(name) ? [i + 1] : [])),
    );
  }

  async locate(name: string): Promise<void> {
    const answer = await this.#ask("locate_symbol", { name, limit: 20 });
    const { error } = answer.reply;
    if (error !== undefined && error !== "symbol_not_found")
      return this.#wrong(answer, `locate_symbol ${name}`, []);
    const places = this.#checkHits(answer, `locate_symbol ${name}`);
    if (!isMarked(answer.data)) this.#complete(answer, name, places, (text) => lineOf(text, name));
  }

  async callers(name: string): Promise<void> {
    const answer = await this.#ask("locate_symbol", { name, relation: "callers", max_tokens: 9_000 });
    const { error } = answer.reply;
    if (error !== undefined && error !== "symbol_not_found")
      return this.#wrong(answer, `callers of ${name}`, []);
    const places = new Set<string>();
    for (const place of recordsOf(answer.data["places"])) {
      const path = String(place["path"]);
      const line = Number(place["line"]);
      places.add(`${path}:${line}`);
      const texts = this.#texts(path, answer);
      if (!texts.some((text) => text !== undefined && callsIn(text, name).includes(line)))
        this.#wrong(answer, `callers of ${name}: ${path}:${line}`, texts);
    }
    if (!isMarked(answer.data)) this.#complete(answer, name, places, (text) => callsIn(text, name));
  }

  async search(name: string): Promise<void> {
    const answer = await this.#ask("search_code", {
      query: name,
      detail_level: "detailed",
      max_tokens: 9_000,
    });
    if (answer.reply.error !== undefined) return this.#wrong(answer, `search_code ${name}`, []);
    const places = this.#checkHits(answer, `search_code ${name}`);
    if (!isMarked(answer.data)) this.#complete(answer, name, places, (text) => lineOf(text, name));
  }

  async outline(path: string): Promise<void> {
    const answer = await this.#ask("get_file_outline", { path, max_tokens: 9_000 });
    const texts = this.#texts(path, answer);
    if (answer.reply.error === "file_not_found" && texts.includes(undefined)) return;
    if (answer.reply.error !== undefined) return this.#wrong(answer, `get_file_outline ${path}`, texts);
    if (answer.data["stale"] === true || isMarked(answer.data)) return;
    const got = placesOf(recordsOf(answer.data["symbols"]));
    const fits = texts.some((text) => text !== undefined && placesIn(text) === got);
    if (!fits) this.#wrong(answer, `get_file_outline ${path}`, texts);
  }

  async #ask(tool: string, args: Fields): Promise<Answer> {
    const from = performance.now();
    const reply = await this.#asked.call(tool, { ...args, response_format: "json" });
    return { reply, data: asRecord(parseJson(reply.text)) ?? {}, from, to: performance.now() };
  }

  /** Checks that every hit not marked stale matches the file as it was while the answer was made. */
  #checkHits(answer: Answer, what: string): Set<string> {
    const places = new Set<string>();
    for (const hit of recordsOf(answer.data["results"])) {
      const path = String(hit["path"]);
      const line = Number(hit["line_start"]);
      places.add(`${path}:${line}`);
      if (hit["stale"] === true) continue;
      const texts = this.#texts(path, answer);
      if (!texts.some((text) => text !== undefined && holdsHit(text, hit)))
        this.#wrong(answer, `${what}: hit ${path}:${line} ${String(hit["name"])}`, texts);
    }
    return places;
  }

  /** Checks that the answer contains every definition that existed during the whole request. */
  #complete(answer: Answer, name: string, places: Set<string>, wanted: (text: string) => number[]): void {
    if (answer.data["cursor"] !== undefined) return;
    for (const path of this.#tree.paths()) {
      const texts = this.#texts(path, answer);
      const [text] = texts;
      if (texts.length !== 1 || text === undefined) continue;
      for (const line of wanted(text))
        if (!places.has(`${path}:${line}`))
          this.#wrong(answer, `${name} is in ${path}:${line}, and not in the answer`, texts);
    }
  }

  /** Accepts an empty file, because a file that is being written can be read empty. */
  #texts(path: string, { from, to }: Answer): (string | undefined)[] {
    const texts = this.#tree.textsBetween(path, from, to);
    return texts.length > 1 ? [...texts, ""] : texts;
  }

  #wrong(answer: Answer, what: string, texts: readonly (string | undefined)[]): void {
    if (answer.reply.error === "gone") return;
    const was = texts.map((text) => JSON.stringify(text?.slice(0, 300))).join(" | ");
    this.#trial.found("wrong line", `${what}: ${answer.reply.text.slice(0, 400)} -- the file was ${was}`);
  }
}

function holdsHit(text: string, hit: Fields): boolean {
  const name = hit["name"];
  if (typeof name === "string" && name.startsWith("fn_"))
    return definitionsIn(text).get(name) === hit["line_start"];
  const { content } = hit;
  if (typeof content !== "string") return true;
  const shown = linesOf(text).slice(Number(hit["line_start"]) - 1, Number(hit["line_end"]));
  return shown.join("\n").trimEnd() === content.replaceAll("\r\n", "\n").trimEnd();
}

/** Returns true if a reply is marked as incomplete or stale. */
function isMarked(data: Fields): boolean {
  const metadata = asRecord(data["metadata"]) ?? {};
  return (
    metadata["freshness_status"] !== "fresh" ||
    metadata["indexing_status"] !== "ready" ||
    (metadata["result_completeness"] ?? "complete") !== "complete"
  );
}

function lineOf(text: string, name: string): number[] {
  const line = definitionsIn(text).get(name);
  return line === undefined ? [] : [line];
}

function placesIn(text: string): string {
  return [...definitionsIn(text)].map(([name, line]) => `${name}:${line}`).join(" ");
}

function placesOf(symbols: readonly Fields[]): string {
  return symbols
    .filter((symbol) => String(symbol["name"]).startsWith("fn_"))
    .map((symbol) => `${String(symbol["name"])}:${String(symbol["line_start"])}`)
    .join(" ");
}

function recordsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(asRecord).filter((one) => one !== undefined) : [];
}

/** Splits a text into lines as every tool counts them. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
