import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const PAGE = readFileSync(resolve(ROOT, "docs/security.md"), "utf8");

/** The topics that the security review must cover. */
const POINTS = [
  "Path jail",
  "Argument injection",
  "Prompt-like text",
  "Secrets",
  "HTTP without a token",
  "DNS rebinding",
  "Zip and XML bombs",
  "Regular expressions",
  "World-readable data",
  "Dependency tree",
  "Hostile repository configuration",
  "Credentials of the store",
];

/** The sections of the page, and of the list of their tests. */
const parts = PAGE.split(/^### /m).slice(1);
const reviewed = readFileSync(resolve(import.meta.dirname, "REVIEW.md"), "utf8")
  .split(/^### /m)
  .slice(1);

function testsOf(part: string): { readonly file: string; readonly name: string }[] {
  return [...part.matchAll(/^- `(test\/[\w./-]+): (.+)`$/gm)].map(([, file = "", name = ""]) => ({
    file,
    name,
  }));
}

it("covers every point of the review", () => {
  for (const point of POINTS)
    expect(
      parts.some((part) => part.startsWith(point)),
      point,
    ).toBe(true);
});

it("names a test for each point, and only existing tests", () => {
  const headings = (texts: readonly string[]) => texts.map((text) => text.split("\n")[0]);
  expect(headings(reviewed)).toEqual(headings(parts));
  for (const part of reviewed) {
    const heading = part.split("\n")[0];
    const tests = testsOf(part);
    expect(tests.length, heading).toBeGreaterThan(0);
    for (const { file, name } of tests) {
      const source = readFileSync(resolve(ROOT, file), "utf8");
      // The source has the title of a table-driven test with its placeholder.
      expect(source.includes(name) || source.includes(name.replace(/^\w+ /, "")), `${file}: ${name}`).toBe(
        true,
      );
    }
  }
});
