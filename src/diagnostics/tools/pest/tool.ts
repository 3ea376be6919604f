import { defineBuildTool } from "../../tool.ts";
import { PestParser } from "./parse.ts";

export const pest = defineBuildTool({
  id: "pest",
  title: "Pest",
  url: "https://pestphp.com",
  ecosystem: "php",
  kinds: ["test"],
  programs: ["pest"],
  signatures: ["   FAILED  ", "  Tests:  ", "   PASS  ", "   FAIL  "],
  parser: (sink) => new PestParser(sink),
  commands: [
    {
      name: "pest.test",
      description: "Run the tests",
      detect: (folder) => (folder.has("tests/Pest.php") ? "tests/Pest.php is here" : undefined),
      argv: () => ["vendor/bin/pest"],
      report: (argv, file) =>
        argv.includes("--log-junit") ? undefined : { argv: [...argv, "--log-junit", file] },
    },
  ],
  ownsIndented: /^ {2,3}(?:PASS|FAIL|FAILED|WARN) {2}\S/,
});
