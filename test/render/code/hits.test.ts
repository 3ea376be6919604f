import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import type { CodeAnswer, DetailLevel, Hit } from "../../../src/model/hit.ts";
import type { HitsData } from "../../../src/render/code/hits-data.ts";
import { renderHits } from "../../../src/render/code/hits.ts";

const HIT: Hit = {
  path: "src/auth/jwt.rs",
  lineStart: 87,
  lineEnd: 112,
  resultId: "ab12cd34",
  score: 0.987654,
  language: "rust",
  kind: "fn",
  name: "validate_token",
  qualifiedName: "auth::jwt::JwtValidator::validate_token",
  owner: "JwtValidator",
  signature: "pub fn validate_token(token: &str, key: &[u8]) -> Result<Claims>",
  visibility: "public",
  content: Array.from({ length: 26 }, (_, i) => `    let step_${i} = decode(token, key)?;`).join("\n"),
  contextBefore: "// before",
  contextAfter: "// after",
  parent: { kind: "impl", name: "JwtValidator", path: "src/auth/jwt.rs", line: 45 },
  related: [{ kind: "struct", name: "Claims", path: "src/auth/claims.rs", line: 12 }],
  reasons: {
    exact_match_boost: 0.7,
    qualified_name_boost: 0,
    path_affinity: 0.33333,
    definition_boost: 0.44444,
    kind_match: 0,
    bm25_score: 0.22223,
    role_adjustment: -0.71234,
    final_score: 0.98766,
  },
};

function answer(hits: readonly Hit[], more: Partial<CodeAnswer> = {}): CodeAnswer {
  return {
    hits,
    total: hits.length,
    counts: "files",
    offset: 0,
    metadata: {
      freshness_status: "fresh",
      indexing_status: "ready",
      result_completeness: "complete",
      ref: "live",
    },
    searched: {
      filtered: false,
      files: 2_929,
      pending: 0,
      tooLarge: 3,
      binary: 40,
      minified: 2,
      notParsed: 7,
    },
    projectId: "p1",
    elapsedMs: 4,
    ...more,
  };
}

function render(
  data: Partial<HitsData> & { answer: CodeAnswer },
  format: "text" | "json" | "markdown" = "text",
  maxTokens = 9_000,
) {
  const whole = {
    question: "validate",
    level: "signature",
    compact: false,
    explain: "off",
    cursorAfter: (n: number) => `${n}.abcdef`,
    ...data,
  } as const;
  return renderHits(whole, { format, budget: new Budget(maxTokens) });
}

const LEVELS: readonly DetailLevel[] = ["location", "signature", "concise", "context", "detailed"];

describe("hits as text", () => {
  it("are one line each at signature level", () => {
    expect(render({ answer: answer([HIT]) }).text).toBe(
      "src/auth/jwt.rs:87-112 pub fn validate_token(token: &str, key: &[u8]) -> Result<Claims> in JwtValidator",
    );
    expect(render({ answer: answer([HIT]), level: "location" }).text).toBe(
      "src/auth/jwt.rs:87-112 fn validate_token",
    );
  });

  it("mention only exceptions", () => {
    const stale = answer([{ ...HIT, stale: true }], {
      metadata: {
        freshness_status: "stale",
        indexing_status: "ready",
        result_completeness: "partial",
        ref: "live",
        pending_files: 3,
      },
    });
    const { text } = render({ answer: stale, level: "location" });
    expect(text).toBe(
      "src/auth/jwt.rs:87-112 fn validate_token [stale]\n(stale: 3 changed files not in the index yet)",
    );
    expect(render({ answer: answer([HIT], { total: 30 }), level: "location" }).text).toContain(
      "+29 more files: cursor=1.abcdef",
    );
    expect(
      render({ answer: answer([HIT], { total: 30, counts: "definitions" }), level: "location" }).text,
    ).toContain("+29 more: cursor=1.abcdef");
    expect(render({ answer: answer([HIT]), level: "location", explain: "basic" }).text).toContain(
      "[exact def path words 0.99]",
    );
    expect(render({ answer: answer([HIT]), level: "location", explain: "full" }).text).toContain(
      "exact_match 0.7",
    );
  });

  it("say that indexing is under way and that asking again helps", () => {
    const partial = (pending_files?: number) =>
      render({
        answer: answer([], {
          metadata: {
            freshness_status: "syncing",
            indexing_status: "indexing",
            result_completeness: "partial",
            ref: "live",
            ...(pending_files !== undefined && { pending_files }),
          },
        }),
      }).text.split("\n")[1];
    expect(partial(1)).toBe("(partial: indexing, 1 file to go; ask again)");
    expect(partial()).toBe("(partial: indexing, the files are being listed; ask again)");
  });

  it("say in 25 tokens that nothing was found, and what was not searched", () => {
    const { text } = render({ answer: answer([], { nearest: ["validateToken"] }) });
    const [absence = "", nearest] = text.split("\n");
    expect(absence).toBe("No match in 2929 files (7 unparsed); left out: 45 binary or large, ignored");
    expect(encode(absence).length).toBeLessThanOrEqual(25);
    expect(nearest).toBe("Nearest: validateToken");
  });

  it("say that no file fits the filter", () => {
    const none = { filtered: true, files: 0, pending: 0, tooLarge: 0, binary: 0, minified: 0, notParsed: 0 };
    expect(render({ answer: answer([], { searched: none }) }).text).toBe(
      "No match: no indexed file fits this path or language",
    );
  });

  it("fit ten hits into 400 tokens", () => {
    const hits = Array.from({ length: 10 }, (_, i) => ({ ...HIT, path: `src/module_${i}/validator.rs` }));
    expect(encode(render({ answer: answer(hits) }).text).length).toBeLessThanOrEqual(400);
  });

  it("stop at the budget and name the cursor for the next page", () => {
    const hits = Array.from({ length: 50 }, () => HIT);
    const { text, meta } = render({ answer: answer(hits), level: "detailed" }, "text", 800);
    expect(encode(text).length).toBeLessThanOrEqual(800);
    const shown = text.split("\n").filter((line) => line.startsWith("src/auth")).length;
    expect(text).toContain(`+${50 - shown} more files: cursor=${shown}.abcdef`);
    expect(meta).toMatchObject({ cursor: `${shown}.abcdef` });
    expect(
      encode(render({ answer: answer(hits), level: "detailed" }, "text", 150).text).length,
    ).toBeLessThanOrEqual(150);
  });
});

describe("hits in every format", () => {
  it("hold the same facts", () => {
    const facts = [
      "src/auth/jwt.rs",
      "87",
      "112",
      "validate_token",
      "JwtValidator",
      "45",
      "Claims",
      "src/auth/claims.rs",
      "12",
      "step_0",
    ];
    for (const format of ["text", "json", "markdown"] as const) {
      const { text } = render({ answer: answer([HIT]), level: "context" }, format);
      for (const fact of facts) expect(text, `${format}: ${fact}`).toContain(fact);
    }
  });

  it("have at each detail level the fields of the one before, within its tokens", () => {
    const limits = { location: 60, signature: 120, concise: 180, context: 500 } as const;
    let before: string[] = [];
    for (const level of LEVELS) {
      const parsed = JSON.parse(render({ answer: answer([HIT]), level }, "json").text) as {
        results: Record<string, unknown>[];
      };
      const fields = Object.keys(parsed.results[0] ?? {});
      // The beginning of the code is in `content` up to the level concise, and in `body_preview` at context.
      const kept = before.filter((field) => field !== "body_preview" && field !== "content");
      expect(fields).toEqual(expect.arrayContaining(kept));
      expect(fields.length).toBeGreaterThan(before.length);
      if (level !== "detailed")
        expect(encode(JSON.stringify(parsed.results[0])).length).toBeLessThanOrEqual(limits[level]);
      before = fields;
    }
  });

  it("fit the budget with their reasons; a first result that is too long is shown at a lower level", () => {
    const long = { ...HIT, content: Array.from({ length: 400 }, (_, at) => `step_${at}(token);`).join("\n") };
    const hits = Array.from({ length: 30 }, () => long);
    for (const format of ["json", "markdown"] as const)
      for (const level of LEVELS)
        for (const most of [250, 400, 1_000]) {
          const page = { answer: answer(hits), level, explain: "full" } as const;
          const { text, meta } = render(page, format, most);
          expect(encode(text).length, `${format} ${level} ${most}`).toBeLessThanOrEqual(most);
          expect(meta).toHaveProperty("cursor");
        }
    const cut = render({ answer: answer(hits), level: "detailed" }, "json", 300).text;
    expect(JSON.parse(cut)).toMatchObject({
      results: [{ path: HIT.path, left_out: expect.stringContaining(`read file_path=${HIT.path}:87-112`) }],
    });
    expect(render({ answer: answer(hits), level: "detailed" }, "markdown", 300).text).toContain(
      "**Left out**: cut to level",
    );
  });

  it("drop large texts in the compact form, and keep paths, lines and ids", () => {
    const parsed = JSON.parse(
      render({ answer: answer([HIT]), level: "detailed", compact: true }, "json").text,
    ) as {
      results: Record<string, unknown>[];
      metadata: Record<string, unknown>;
    };
    expect(parsed.results[0]).toMatchObject({
      path: HIT.path,
      line_start: 87,
      result_id: "ab12cd34",
      chunk_id: "ab12cd34",
    });
    expect(parsed.results[0]).not.toHaveProperty("content");
    expect(parsed.metadata).toEqual({ pith_protocol_version: "1.0" });
  });

  it("explain the ranking by parts that add up to the score", () => {
    for (const level of ["signature", "concise"] as const)
      expect(render({ answer: answer([HIT]), level, explain: "full" }, "markdown").text).toContain(
        "exact_match 0.7",
      );
    const reasons = (explain: "basic" | "full") =>
      (
        JSON.parse(render({ answer: answer([HIT]), explain }, "json").text) as {
          metadata: { ranking_reasons: unknown };
        }
      ).metadata.ranking_reasons;
    expect(reasons("full")).toEqual([
      {
        result_index: 0,
        // Rounding does not change the sum, because the largest part absorbs the error.
        exact_match_boost: 0.701,
        qualified_name_boost: 0,
        path_affinity: 0.333,
        definition_boost: 0.444,
        kind_match: 0,
        bm25_score: 0.222,
        role_adjustment: -0.712,
        final_score: 0.988,
      },
    ]);
    // The adjustment for the file's role is distributed over the other parts.
    expect(reasons("basic")).toEqual([
      {
        result_index: 0,
        exact_match_boost: 0.407,
        path_affinity: 0.194,
        definition_boost: 0.258,
        bm25_score: 0.129,
        final_score: 0.988,
      },
    ]);
  });

  it("state how much they cut to stay within the tokens of a level", () => {
    const long = {
      ...HIT,
      signature: `pub fn validate_token(${"argument_of_some_length: SomeType<Generic>, ".repeat(20)})`,
      content: Array.from({ length: 300 }, (_, at) => `    let value_${at} = compute(${at});`).join("\n"),
      related: Array.from({ length: 5 }, (_, at) => ({
        kind: "struct" as const,
        name: `RelatedStructure${at}`,
        path: `src/some/deeply/nested/module/number_${at}/structures_and_more.rs`,
        line: at,
      })),
    };
    for (const [level, most] of [
      ["signature", 120],
      ["concise", 180],
      ["context", 500],
    ] as const) {
      const { results } = JSON.parse(render({ answer: answer([long]), level }, "json").text) as {
        results: Record<string, unknown>[];
      };
      const [result = {}] = results;
      expect(encode(JSON.stringify(result)).length, level).toBeLessThanOrEqual(most);
      const [, head = "", left] = /^([^]*)… \+(\d+) characters$/.exec(String(result["signature"])) ?? [];
      expect(long.signature.startsWith(head)).toBe(true);
      expect(head.length + Number(left)).toBe(long.signature.length);
      const code = result["content"] ?? result["body_preview"];
      if (level === "signature") expect(code).toBeUndefined();
      else {
        const [, kept = "", lines] = /^([^]*) … \+(\d+) lines$/.exec(String(code)) ?? [];
        expect(long.content.startsWith(kept)).toBe(true);
        expect(kept.split("\n").length + Number(lines)).toBe(300);
      }
      expect("content" in result && "body_preview" in result).toBe(false);
      if (level !== "context") continue;
      const shown = result["related_symbols"] as unknown[];
      expect(shown.length + Number(result["related_left_out"] ?? 0)).toBe(5);
    }
  });

  it("are marked as complete only if nothing is left out", () => {
    const hits = Array.from({ length: 20 }, () => HIT);
    for (const format of ["text", "json", "markdown"] as const) {
      const completeness = (most: number) =>
        render({ answer: answer(hits) }, format, most).meta?.["result_completeness"];
      expect(completeness(9_000)).toBe("complete");
      expect(completeness(300)).toBe("truncated");
    }
    const cut = JSON.parse(render({ answer: answer(hits) }, "json", 500).text) as {
      cursor?: string;
      metadata: { result_completeness: string };
    };
    expect(cut.cursor).toBeDefined();
    expect(cut.metadata.result_completeness).toBe("truncated");
  });
});
