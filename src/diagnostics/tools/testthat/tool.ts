import { defineBuildTool } from "../../tool.ts";
import { TestthatParser } from "./parse.ts";

export const testthat = defineBuildTool({
  id: "testthat",
  title: "testthat",
  url: "https://testthat.r-lib.org",
  ecosystem: "general",
  kinds: ["test"],
  signatures: ["[ FAIL ", "testthat results", " FAILED: "],
  priority: 7,
  parser: (sink) => new TestthatParser(sink),
  commands: [
    {
      name: "testthat.test",
      description: "Run the tests of the package",
      detect: (folder) =>
        folder.has("DESCRIPTION") && folder.has("NAMESPACE")
          ? "DESCRIPTION and NAMESPACE are here"
          : undefined,
      argv: () => ["Rscript", "-e", "testthat::test_local()"],
    },
  ],
});
