import { defineBuildTool } from "../../tool.ts";
import { MinitestParser } from "./parse.ts";

export const minitest = defineBuildTool({
  id: "minitest",
  title: "Minitest and Rails tests",
  url: "https://github.com/minitest/minitest",
  ecosystem: "ruby",
  kinds: ["test"],
  signatures: [" assertions, ", "# Running:", ") Failure:", ") Error:", "rails test "],
  parser: (sink) => new MinitestParser(sink),
  commands: [
    {
      name: "rails.test",
      description: "Run the tests of a Rails application",
      detect: (folder) => (folder.has("bin/rails") && folder.has("test") ? "bin/rails is here" : undefined),
      argv: () => ["bin/rails", "test"],
    },
  ],
});
