import { expect, it } from "vitest";
import { toolNamed } from "../../../src/diagnostics/registry/tool-names.ts";
import { mayCheck, readCheckLine } from "../../../src/runs/reuse/check-line.ts";
import { makeFolder } from "../../support/folder.ts";

const SCRIPTS = {
  lint: "eslint . --max-warnings 0",
  all: "npm run lint",
  fix: "eslint . --fix",
  both: "tsc --noEmit && eslint .",
  build: "tsc --noEmit",
  prebuild: "node prepare.js",
};

function toolsOf(line: string, includesTests = false): string | undefined {
  const top = makeFolder({ "package.json": JSON.stringify({ scripts: SCRIPTS }) });
  const outside = makeFolder({ "a.ts": "" });
  const text = line.replaceAll("OUTSIDE", outside);
  const found = readCheckLine(text, { top, cwd: top }, { includesTests, toolOf: toolNamed });
  // The check without any cost must not miss what the exact one finds.
  if (found !== undefined) expect(mayCheck(text, includesTests)).toBe(true);
  return found?.checks.map(({ tool }) => tool).join(" ");
}

it.each([
  ["tsc --noEmit", "tsc"],
  ["npx --no-install tsc --noEmit -p tsconfig.build.json --pretty false", "tsc"],
  ["npx vue-tsc --noEmit", "tsc"],
  ["./node_modules/.bin/eslint 'src/**/*.{ts,tsx}' --ext .ts,.tsx --format=json", "eslint"],
  ["tsc --noEmit && eslint . ; npx prettier --check .", "tsc eslint prettier"],
  ["cd src && npx oxlint 2>&1 | grep -n error | head -n 5", "oxlint"],
  ["ruff check --select E,F src tests", "ruff"],
  ["biome ci .", "biome"],
  ["timeout 120 npx stylelint '**/*.css'", "stylelint"],
  ["FORCE_COLOR=0 npx eslint .", "eslint"],
  ["npm run lint", "eslint"],
  ["npm run --silent both", "tsc eslint"],
  ["pnpm exec tsc --noEmit; echo done", "tsc"],
])("understands %s", (line, tools) => {
  expect(toolsOf(line)).toBe(tools);
});

it.each([
  // They write, watch, or start something else.
  "tsc",
  "tsc --noEmit false",
  "tsc --noEmit --watch",
  "tsc -b",
  "eslint . --fix",
  "eslint . --fix-dry-run",
  "eslint . -o report.txt",
  "prettier --write .",
  "prettier .",
  "prettier --check --write .",
  "ruff check --fix .",
  "ruff format .",
  "biome check --write .",
  "biome format --write .",
  "npm run fix",
  "npm run build",
  "npm run all",
  "npm test",
  "npm run missing",
  "vitest run",
  "node tsc --noEmit",
  // Something else happens in the line.
  "tsc --noEmit > out.txt",
  "tsc --noEmit | tee out.txt",
  "tsc --noEmit | sort -o out.txt",
  "tsc --noEmit || true",
  "tsc --noEmit & eslint .",
  "git stash && tsc --noEmit",
  "rm -rf .eslintcache; eslint . --cache",
  "tsc --noEmit\neslint .",
  // Its words are not certain.
  "eslint $FILES",
  "eslint $(git diff --name-only)",
  "eslint `ls`",
  'eslint "$PWD"',
  "NODE_OPTIONS='--require ./x.js' eslint .",
  "PATH=/tmp tsc --noEmit",
  "eslint ~/other",
  "tsc --noEmit @arguments.txt",
  // It checks files elsewhere.
  "eslint OUTSIDE/a.ts",
  "eslint ../",
  "tsc --noEmit -p ..",
  "eslint . --config=OUTSIDE/a.ts",
  "cd .. && eslint .",
  "cd OUTSIDE && eslint .",
  "",
  "echo done",
])("does not answer for %s", (line) => {
  expect(toolsOf(line)).toBeUndefined();
});

it("counts tests as checks only if it is told to, and not those that write or watch", () => {
  expect(toolsOf("vitest run test/a.test.ts", true)).toBe("vitest");
  expect(toolsOf("vitest run", false)).toBeUndefined();
  for (const line of [
    "vitest run --update",
    "vitest --watch",
    "jest -u",
    "mocha -w",
    "vitest run --coverage",
  ])
    expect(toolsOf(line, true), line).toBeUndefined();
});
