import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { pytestParser } from "./parse.ts";
import { pythonTool } from "../python/command.ts";
import { pytestFiles } from "./test-files.ts";

const CONFIGS = ["pytest.ini", "conftest.py", "pytest.toml", ".pytest.ini"];

function fits(folder: FolderFacts): string | undefined {
  const config = CONFIGS.find((name) => folder.has(name));
  if (config !== undefined) return `${config} is here`;
  for (const name of ["pyproject.toml", "setup.cfg", "tox.ini"])
    if (folder.nearest(name)?.includes("pytest") === true) return `${name} names pytest`;
  return undefined;
}

export const pytest = defineBuildTool({
  id: "pytest",
  title: "pytest",
  url: "https://docs.pytest.org",
  ecosystem: "python",
  kinds: ["test"],
  programs: ["pytest", "py.test"],
  signatures: [
    "test session starts",
    "= FAILURES =",
    "= ERRORS =",
    "short test summary info",
    " passed in ",
    " failed in ",
    " error in ",
    " errors in ",
    " skipped in ",
    " warning in ",
    " warnings in ",
    " deselected in ",
    " xfailed in ",
    "no tests ran in ",
    "passed, ",
    "――― ",
    "Results (",
    "Required test coverage of ",
    "Coverage failure: ",
    "INTERNALERROR> ",
    "Fatal Python error",
    "while loading conftest",
    "ERROR: file or directory not found",
    "ERROR: not found:",
    "ERROR: usage: ",
  ],
  priority: 8,
  parser: pytestParser,
  commands: [
    {
      name: "pytest.test",
      description: "Run the tests with pytest",
      detect: fits,
      argv: (folder) => pythonTool(folder, "pytest"),
      report: (argv, file) =>
        argv.some((argument) => argument.startsWith("--junit"))
          ? undefined
          : { argv: [...argv, `--junitxml=${file}`] },
    },
  ],
  rerun: "pytest",
  opens: /^={3,} test session starts ={3,}$/,
  selectTests: {
    filter: (text) => ["-k", text],
    package: (name) => [name],
    files: (argv, paths) => [...argv, ...paths],
    without: (paths) => paths.map((path) => `--ignore=${path}`),
    conventions: { files: pytestFiles, test: /^\s*(?:async\s+)?def test|^class Test/m },
  },
});
