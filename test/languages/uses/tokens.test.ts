import { describe, expect, it } from "vitest";
import { tokenSyntaxOf } from "../../../src/languages/uses/token-syntax.ts";
import { tokenize } from "../../../src/languages/uses/tokenize.ts";
import { usesText } from "./uses-text.ts";

/** Texts that name `yes` in code, and `no` only in comments, strings and other places that are no code. */
const CODE: Readonly<Record<string, string>> = {
  rust: `fn f<'a>(x: &'a str) { yes(r#"no " no"#, b"no", 'n', '\\'', "no \\" no
no"); /* no /* no */ no */ yes!() } // no`,
  csharp: `var s = $"no {yes:no} {{no}}" + @"no \\" + yes + $@"no ""no"" {yes}" + """no "no" no""" + 'n';`,
  ruby: `yes "no #{yes} no", 'no', %w[no no], /no #/, <<~END
  no
END
=begin
no
=end
yes?(1) # no`,
  php: `no <?php yes("no", 'no'); # no
yes(<<<X
no
X); #[yes]
?> no <?= yes ?> no`,
  kotlin: `val s = "no \${yes("no")} no" + """no "no" \${yes}""" + \`yes\` + 'n'`,
  swift: `let s = "no \\(yes("no")) no" /* no /* no */ no */ + """
no
"""; yes()`,
  go: "yes(`no \\`, \"no\", 'n') // no",
  cpp: `auto s = R"x(no )" no)x"; yes(1'000, L"no", 'n'); /* no */ #define M yes`,
  python: `yes(f"no {yes!r} {yes:%no} {{no}}", rb'no', """no
no""", 'it''no') # no`,
  lua: `yes("no", 'no') --[[ no
no ]] yes() -- no`,
  haskell: `yes' = f "no" {- no -} yes -- no`,
  elixir: `yes "no #{yes} no" # no
~s(x) |> yes!`,
  bash: `yes "no" 'no
no' \${#x} # no
cat <<EOF
no
EOF
yes`,
  zig: `yes("no", 'n'); // no`,
  scala: `yes(s"no \${yes}", """no""", 'n', 'symbol) // no`,
};

describe("splitting a text into tokens", () => {
  it.each(Object.entries(CODE))("finds the names of code in %s, and no others", (language, text) => {
    const syntax = tokenSyntaxOf(language);
    const names =
      syntax === undefined ? [] : tokenize(text, syntax).name.map((name) => name.replace(/[?!']$/u, ""));
    expect(names.filter((name) => name === "no")).toEqual([]);
    expect(names.filter((name) => name === "yes")).toHaveLength(text.match(/\byes\b/gu)?.length ?? 0);
  });

  it("matches brackets and counts lines, whatever is left open", () => {
    const syntax = tokenSyntaxOf("typescript");
    if (syntax === undefined) throw new Error("there is no TypeScript");
    const { count, match, line } = tokenize("f(a, [b)\n}\n`${x\n", syntax);
    expect(Array.from(match.subarray(0, count))).toEqual([-1, 6, -1, -1, -1, -1, 1, -1, 10, -1, 8]);
    expect(Array.from(line.subarray(0, count))).toEqual([1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 4]);
  });

  it("does not see the tokens of the text before after the last token", async () => {
    expect(await usesText("b = a()", "python")).toEqual(["1: a call"]);
    expect(await usesText("b = a", "python")).toEqual(["1: a read"]);
  });

  it("takes linear time on texts that open what they never close", () => {
    const syntax = tokenSyntaxOf("javascript");
    if (syntax === undefined) throw new Error("there is no JavaScript");
    for (const piece of ["'", "/ ", "`${", "<a ", "{", "(", '"', "<!", "a<b>("])
      expect(tokenize(piece.repeat(40_000), syntax).count).toBeGreaterThan(0);
  });
});
