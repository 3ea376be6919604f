import { defineBuildTool } from "../../tool.ts";
import { interpreter, pythonTool } from "../python/command.ts";
import { unittestParser } from "./parse.ts";

export const unittest = defineBuildTool({
  id: "unittest",
  title: "unittest and Django's test runner",
  url: "https://docs.python.org/3/library/unittest.html",
  ecosystem: "python",
  kinds: ["test"],
  signatures: ["Ran ", "ERROR: ", "FAIL: ", "UNEXPECTED SUCCESS: "],
  priority: 7,
  parser: unittestParser,
  commands: [
    {
      name: "unittest.test",
      description: "Run the tests with unittest",
      detect: (folder) =>
        folder.has("test_*.py") || folder.has("tests") ? "test files are here" : undefined,
      argv: (folder) => pythonTool(folder, interpreter, "-m", "unittest"),
    },
    {
      name: "django.test",
      description: "Run the tests of the Django project",
      detect: (folder) =>
        folder.nearest("manage.py")?.includes("django") === true ? "manage.py is here" : undefined,
      argv: (folder) => pythonTool(folder, interpreter, "manage.py", "test"),
    },
  ],
  rerun: "python3 -m unittest",
  selectTests: { filter: (text) => ["-k", text] },
});
