import { isVitestReport, readJestReport } from "../../javascript/jest-report.ts";
import { defineBuildTool } from "../../tool.ts";
import { vitestParser } from "./parse.ts";

const CONFIGURATIONS = ["vitest.config", "vite.config", "vitest.workspace"].flatMap((name) =>
  ["ts", "mts", "cts", "js", "mjs", "cjs"].map((ending) => `${name}.${ending}`),
);

export const vitest = defineBuildTool({
  id: "vitest",
  title: "Vitest",
  url: "https://vitest.dev",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["vitest"],
  signatures: [
    "RUN  v",
    "DEV  v",
    "RUN v",
    " FAIL  ",
    "Test Files  ",
    "No test files found",
    "⎯⎯",
    "ERROR: Coverage for ",
  ],
  priority: 10,
  parser: vitestParser,
  document: { matches: isVitestReport, parse: readJestReport },
  commands: [
    {
      name: "vitest.run",
      description: "Run the tests once",
      detect: (folder) =>
        folder.packageJson?.dependencies["vitest"] === undefined
          ? undefined
          : "package.json depends on vitest",
      argv: () => ["npx", "--no-install", "vitest", "run"],
    },
  ],
  rerun: "npx vitest run",
  ownsIndented: /^ (?:RUN|DEV) {1,2}v\d/,
  selectTests: {
    filter: (text) => ["-t", text],
    package: (name) => ["--project", name],
    files: (argv, paths) => [...argv, ...paths],
    // The projects of a workspace may have excludes of their own, which replace those of the command line.
    without: (paths, folder) =>
      CONFIGURATIONS.some((name) => /\b(?:projects|workspace)\b/.test(folder.nearest(name) ?? ""))
        ? undefined
        : paths.flatMap((path) => ["--exclude", path]),
    part: (number, count) => [`--shard=${number}/${count}`, "--passWithNoTests"],
  },
});
