import { resolve } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { call, pithMeta, textOf } from "../support/client.ts";
import { temporaryFolder, temporaryRepository } from "../support/git-folder.ts";
import { connect } from "../support/inside.ts";

/** Indexes a real package once for all tests that use it. */
const ZOD = resolve(import.meta.dirname, "../../node_modules/zod/src/v3");
const zodData = temporaryFolder();
afterAll(() => zodData.dispose());
const connectToZod = () => connect(ZOD, { dataFolder: zodData.root });

interface Result {
  readonly path: string;
  readonly further_place?: boolean;
  readonly line_start: number;
  readonly line_end: number;
  readonly kind?: string;
  readonly name?: string;
  readonly score: number;
}

interface Reply {
  readonly results: readonly Result[];
  readonly total_count: number;
  readonly total_counts: string;
  readonly cursor?: string;
  readonly message?: string;
  readonly metadata: {
    readonly result_completeness: string;
    readonly ranking_reasons?: readonly Readonly<Record<string, number>>[];
  };
}

async function ask(client: Client, tool: string, args: Record<string, unknown>): Promise<Reply> {
  return JSON.parse(await call(client, tool, { response_format: "json", ...args })) as Reply;
}

/** Similar code in six languages, with definitions of several kinds and much other text. */
const LANGUAGES = {
  "web/session.ts": `import { createHash } from "node:crypto";
export interface SessionStore { load(id: string): Session | undefined }
export type SessionId = string;
export const SESSION_SECONDS = 3600;
export enum SessionState { Open, Closed }
export class Session {
  expires = 0;
  constructor(readonly id: SessionId) {}
  renewSession(): void { this.expires += SESSION_SECONDS; }
}
export function openSession(id: SessionId): Session { return new Session(id); }
console.log("a session that nothing defines", createHash("sha256").update("session").digest("hex"));
`,
  "web/setup.ts": `// Everything about the session is set up here, at the top of the file, before any definition of another kind.
import { openSession } from "./session.ts";

openSession("session").renewSession();
for (const id of ["a", "b"]) openSession(\`session \${id}\`).renewSession();

export class Setup {
  run(): void {}
}
`,
  "core/session.rs": `use std::collections::HashMap;

pub struct Session { pub id: String }
pub trait SessionStore { fn load(&self, id: &str) -> Option<Session>; }
pub enum SessionState { Open, Closed }
pub const SESSION_SECONDS: u64 = 3600;
impl Session {
    pub fn renew_session(&mut self) {}
}
pub fn open_session(id: &str) -> Session { Session { id: id.to_string() } }
`,
  "app/session.py": `SESSION_SECONDS = 3600


class Session:
    """A session of a user."""

    def renew_session(self):
        return SESSION_SECONDS


def open_session(name):
    return Session()


print("session", open_session("session"))
`,
  "srv/session.go": `package srv

type SessionStore interface{ Load(id string) *Session }
type Session struct{ ID string }

const SessionSeconds = 3600

func (s *Session) RenewSession() {}
func OpenSession(id string) *Session { return &Session{ID: id} }
`,
  "docs/session.md":
    "# Session\n\nA session is open until it is closed.\n\n## Session states\n\nOpen and closed.\n",
  "conf/session.yaml": "session:\n  seconds: 3600\n",
};

/** The kinds of definitions that each word of the kind filter may return. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  struct: ["struct"],
  class: ["class"],
  interface: ["interface"],
  trait: ["trait"],
  enum: ["enum"],
  const: ["const"],
  type: ["class", "struct", "interface", "trait", "enum", "type"],
  fn: ["fn", "method", "constructor"],
  function: ["fn", "method", "constructor"],
  def: ["fn", "method", "constructor"],
  method: ["method", "constructor"],
  field: ["field", "property"],
  heading: ["heading", "section"],
  key: ["key"],
};

/** Returns the tools that answer a query with one list. Several words are several names for a lookup. */
function toolsFor(query: string): readonly string[] {
  return /\s/.test(query) ? ["search_code"] : ["search_code", "locate_symbol"];
}

const QUERIES = ["session", "Session", "open a session", "session seconds", '"session"', "web/session.ts"];

describe("a filter by kind", () => {
  it("returns only definitions of that kind, in both tools", async () => {
    const folder = temporaryRepository(LANGUAGES);
    onTestFinished(() => folder.dispose());
    const client = await connect(folder.root);
    const found = new Map<string, number>();
    for (const [kind, allowed] of Object.entries(KINDS))
      for (const query of QUERIES)
        for (const tool of toolsFor(query)) {
          const { results, total_count } = await ask(client, tool, { query, kind, limit: 50 });
          for (const hit of results)
            expect(allowed, `${tool} ${kind} ${query}: ${hit.path}`).toContain(hit.kind);
          expect(total_count).toBe(results.filter((hit) => hit.further_place !== true).length);
          found.set(kind, (found.get(kind) ?? 0) + results.length);
        }
    for (const [kind, count] of found) expect(count, kind).toBeGreaterThan(0);
  });

  it("returns the lines of the definition, and says if there is none of that kind", async () => {
    const folder = temporaryRepository(LANGUAGES);
    onTestFinished(() => folder.dispose());
    const client = await connect(folder.root);
    const structs = await ask(client, "search_code", { query: "session", kind: "struct" });
    expect(
      structs.results.map(({ path, line_start, name }) => `${path}:${line_start} ${name}`).sort(),
    ).toEqual(["core/session.rs:3 Session", "srv/session.go:4 Session"]);
    // The class itself contains no word of the question, only the text around it does.
    const classes = await ask(client, "search_code", { query: "renewSession", kind: "class" });
    expect(classes.results[0]).toMatchObject({ path: "web/session.ts", name: "Session" });
    for (const tool of ["search_code", "locate_symbol"]) {
      const args = { query: "session", kind: "struct", language: "typescript" };
      const [first = ""] = (await call(client, tool, args)).split("\n");
      expect(first).toBe("No matching struct in 2 files; left out: ignored");
      expect(encode(first).length).toBeLessThanOrEqual(25);
      expect(await ask(client, tool, args)).toMatchObject({
        results: [],
        total_count: 0,
        message: first,
        metadata: { result_completeness: "complete" },
      });
    }
  });
});

describe("the total of a search", () => {
  const FILES = 64;

  it("counts every file with the word, and cursors lead through all of them", async () => {
    const folder = temporaryRepository({
      "src/parse.ts": "export function parse(text: string): string[] {\n  return text.split(' ');\n}\n",
      ...Object.fromEntries(
        Array.from({ length: FILES - 1 }, (_, at) => [
          `src/user-${at}.${["ts", "py", "json", "md"][at % 4]}`,
          [
            "// then we parse it\n",
            "x = 1\n\n# and parse again\n",
            '{ "how": "parse" }\n',
            "Text to parse.\n",
          ][at % 4] ?? "",
        ]),
      ),
      "src/other.ts": "export const nothing = 0;\n",
    });
    onTestFinished(() => folder.dispose());
    const client = await connect(folder.root);
    for (const query of ["parse", "how do we parse it", '"parse"']) {
      const paths: string[] = [];
      const scores: number[] = [];
      for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page++) {
        const reply = await ask(client, "search_code", { query, limit: 10, ...(cursor && { cursor }) });
        expect(reply.total_count, query).toBe(FILES);
        expect(reply.total_counts).toBe("files");
        expect(reply.metadata.result_completeness).toBe(
          reply.cursor === undefined ? "complete" : "truncated",
        );
        paths.push(...reply.results.map(({ path }) => path));
        scores.push(...reply.results.map(({ score }) => score));
        cursor = reply.cursor;
      }
      expect(new Set(paths).size, query).toBe(FILES);
      expect(paths).toHaveLength(FILES);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    }
    const text = await client.callTool({ name: "search_code", arguments: { query: "parse" } });
    expect(textOf(text)).toContain(`+${FILES - 10} more files: cursor=`);
    expect(pithMeta(text)).toMatchObject({
      total: FILES,
      total_counts: "files",
      result_completeness: "truncated",
    });
  });
});

describe("ranking reasons", () => {
  const QUESTIONS = [
    "ZodObject",
    "parse",
    "ZodType.optional",
    "how are errors formatted in tests",
    "helpers/parseUtil.ts",
    '"invalid_type"',
  ];

  it("add up to the final score, which orders the results, and are between 0 and 1 in basic", async () => {
    const client = await connectToZod();
    const queries = QUESTIONS.flatMap((query) => [
      ["search_code", { query, limit: 15 }],
      ["search_code", { query, limit: 5, kind: "interface" }],
      ...(toolsFor(query).length > 1 ? [["locate_symbol", { name: query, limit: 15 }]] : []),
    ]) as [string, Record<string, unknown>][];
    let explained = 0;
    for (const level of ["basic", "full"])
      for (const [tool, args] of queries) {
        const { results, metadata } = await ask(client, tool, {
          ...args,
          ranking_explain_level: level,
          max_tokens: 9_000,
        });
        const finals: number[] = [];
        for (const [at, reasons] of (metadata.ranking_reasons ?? []).entries()) {
          const { result_index, final_score = 0, ...parts } = reasons;
          const sum = Object.values(parts).reduce((all, part) => all + part, 0);
          expect(sum, `${level} ${tool} ${JSON.stringify(args)} ${JSON.stringify(reasons)}`).toBeCloseTo(
            final_score,
            6,
          );
          expect(result_index).toBe(at);
          expect(Math.abs(final_score - (results[at]?.score ?? 0))).toBeLessThanOrEqual(0.006);
          if (level === "basic")
            for (const part of Object.values(parts)) {
              expect(part).toBeGreaterThan(0);
              expect(part).toBeLessThanOrEqual(1);
            }
          finals.push(final_score);
          explained++;
        }
        expect(finals).toHaveLength(results.length);
        expect(finals).toEqual(finals.toSorted((a, b) => b - a));
      }
    expect(explained).toBeGreaterThan(200);
  });

  it("show the difference between two definitions of one name", async () => {
    const folder = temporaryFolder({
      "src/parcel.ts": "export class Parcel {\n  weight = 1;\n}\n",
      "src/order.ts": "export const Parcel = 1;\n",
    });
    onTestFinished(() => folder.dispose());
    const { metadata } = await ask(await connect(folder.root), "search_code", {
      query: "Parcel",
      limit: 2,
      ranking_explain_level: "full",
    });
    const [first, second] = metadata.ranking_reasons ?? [];
    expect(first?.["definition_boost"]).toBeGreaterThan(second?.["definition_boost"] ?? 1);
    expect(second?.["definition_boost"]).toBeGreaterThan(0);
  });
});

describe("the levels of detail", () => {
  const MOST = { signature: 120, concise: 180, context: 500 } as const;

  it("keep each JSON result within its tokens, and show the code once", async () => {
    const client = await connectToZod();
    for (const [level, most] of Object.entries(MOST)) {
      let seen = 0;
      for (const query of ["parse", "error message"])
        for (const tool of toolsFor(query)) {
          const args = { query, limit: 50, detail_level: level, max_tokens: 9_000 };
          for (const result of (await ask(client, tool, args)).results) {
            expect(encode(JSON.stringify(result)).length, JSON.stringify(result)).toBeLessThanOrEqual(most);
            expect("content" in result && "body_preview" in result).toBe(false);
            seen++;
          }
        }
      expect(seen, level).toBeGreaterThan(60);
    }
  });
});
