import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/** The pages that people read: those of the root and of docs/. */
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
  "test/security/REVIEW.md",
];

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const prose = readFileSync(page, "utf8").replaceAll(/^```.*?^```/gms, "");
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) => title);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

it("every link of the documentation leads to a file and a heading that exist", () => {
  const broken: string[] = [];
  for (const page of PAGES) {
    const text = readFileSync(join(ROOT, page), "utf8");
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)];
    for (const link of links.map(([, inText, inTag]) => inText ?? inTag ?? "")) {
      if (/^(?:https?|mailto):/.test(link)) continue;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
      const isThere = existsSync(target) && (anchor === undefined || anchorsOf(target).has(anchor));
      if (!isThere) broken.push(`${page}: ${link} (${relative(ROOT, target)})`);
    }
  }
  expect(broken).toEqual([]);
});

it("the map of the documentation names every page", () => {
  const map = ["docs/README.md", "docs/commands.md"]
    .map((page) => readFileSync(join(ROOT, page), "utf8"))
    .join("\n");
  for (const page of PAGES.filter((name) => name.startsWith("docs/") && name !== "docs/README.md"))
    expect(map).toContain(`(${relative("docs", page)}`);
});

it("the README has at most 900 words", () => {
  expect(readFileSync(join(ROOT, "README.md"), "utf8").trim().split(/\s+/).length).toBeLessThanOrEqual(900);
});
