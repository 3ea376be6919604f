import { describe, expect, it } from "vitest";
import { compileGlob, InvalidGlob } from "../../src/security/glob.ts";

function matching(glob: string, paths: readonly string[]): readonly string[] {
  return paths.filter(compileGlob(glob));
}

describe("a glob", () => {
  it.each([
    ["*.ts", ["a.ts", ".b.ts", "src/a.ts", "src/x/a.ts"], ["a.tsx", "ts"]],
    ["src/*.ts", ["src/a.ts"], ["a.ts", "src/x/a.ts", "lib/src/a.ts"]],
    ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts", "src"]],
    ["src/**", ["src/a", "src/x/y"], ["srcs/a"]],
    ["src", ["src/a.ts", "lib/src/b.ts"], ["srcs/a.ts"]],
    ["**/test/*", ["test/a", "x/y/test/a"], ["test"]],
    ["a?c", ["abc", "x/a.c"], ["ac", "a/c"]],
    ["a**c", ["abbc"], ["a/c"]],
    ["{a,b}.{ts,tsx}", ["a.ts", "b.tsx"], ["c.ts", "a.js"]],
    ["{src/{a,b},lib}/*.ts", ["src/a/x.ts", "src/b/x.ts", "lib/x.ts"], ["src/x.ts"]],
    ["{a}.ts", ["a.ts"], ["{a}.ts"]],
    ["x[a-c].ts", ["xa.ts", "xc.ts"], ["xd.ts"]],
    ["[]a]", ["]", "a"], ["b"]],
    ["[^t]*.ts", ["a.ts"], ["t.ts"]],
    ["app/(group)/c++/$x|y.ts", ["app/(group)/c++/$x|y.ts"], ["app/group/c++/$x|y.ts", "app/(group)/c++/$x"]],
    ["a\\*.ts", ["a*.ts"], ["ab.ts"]],
    ["[(?=.)]", ["(", ")", "=", "."], ["a"]],
    ["*\n*", ["a\nb/c\nd"], ["ab"]],
  ])("%j matches %j and not %j", (glob, wanted, others) => {
    expect(matching(glob, [...wanted, ...others])).toEqual(wanted);
  });

  it("negates a character class that begins with an exclamation mark", () => {
    expect(matching("[!t]*.ts", ["apple.ts", "test.ts", "src/b.ts", "src/t.ts"])).toEqual([
      "apple.ts",
      "src/b.ts",
    ]);
  });

  it("takes a comma outside of braces literally", () => {
    expect(matching("**/a,b.ts", ["a,b.ts", "x/a,b.ts", "zzz/a/other.py", "b.ts"])).toEqual([
      "a,b.ts",
      "x/a,b.ts",
    ]);
  });

  it.each([
    ["src/[a", "unclosed ["],
    ["*".repeat(5_000), "longer than 4096 characters"],
  ])("%j is refused with the reason", (glob, reason) => {
    expect(() => compileGlob(glob)).toThrow(new InvalidGlob(reason));
  });

  it.each([
    "*a*a*a*a*a*a*b",
    `${"*a".repeat(30)}*b`,
    `${"**/".repeat(20)}*a*a*a*a*a*a*a*z`,
    `{${"*a".repeat(20)}z,b}`,
    `.${"*a".repeat(30)}b`,
    `${"[!x]*".repeat(30)}b`,
    `${"?*".repeat(40)}b`,
    `${"a/**/".repeat(30)}b`,
  ])("%j is matched in linear time", (glob) => {
    // An engine that backtracks would need years for each of these: the test ending is the proof.
    const matches = compileGlob(glob);
    expect([matches("a".repeat(4_000)), matches("a/".repeat(2_000))]).toEqual([false, false]);
  });
});
