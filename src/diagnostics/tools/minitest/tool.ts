import type { TestFailure } from "../../../model/test-summary.ts";
import { shellWord } from "../../parsing/shell-word.ts";
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
  rerun: rerunCommand,
});

/** Rails takes a location; a plain test file is run by Ruby itself. */
function rerunCommand(selector: string, { file, name }: Pick<TestFailure, "file" | "name">): string {
  if (/^(?:bin\/)?rails /.test(selector)) return selector;
  if (!selector.startsWith("-n ")) return `bin/rails test ${selector}`;
  return file === undefined
    ? selector
    : `ruby -Itest ${shellWord(file)} -n ${shellWord(name.replace(/^.*#/, ""))}`;
}
