import { defineBuildTool } from "../../tool.ts";
import { isPlaywrightReport, playwrightParser, readPlaywrightReport } from "./parse.ts";

export const playwright = defineBuildTool({
  id: "playwright",
  title: "Playwright Test",
  url: "https://playwright.dev",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["playwright"],
  signatures: [" tests using ", " test using ", " › ", "Error: No tests found", ".spec.", ".test."],
  priority: 7,
  parser: playwrightParser,
  document: { matches: isPlaywrightReport, parse: readPlaywrightReport },
  commands: [
    {
      name: "playwright.test",
      description: "Run the browser tests",
      detect: (folder) =>
        folder.packageJson?.dependencies["@playwright/test"] === undefined
          ? undefined
          : "package.json depends on @playwright/test",
      argv: () => ["npx", "--no-install", "playwright", "test"],
    },
  ],
  rerun: "npx playwright test",
  selectTests: {
    filter: (text) => ["-g", text],
    package: (name) => ["--project", name],
    files: (argv, paths) => [...argv, ...paths],
    part: (number, count) => [`--shard=${number}/${count}`, "--pass-with-no-tests"],
  },
});
