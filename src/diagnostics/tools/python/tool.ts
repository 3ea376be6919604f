import { defineBuildTool } from "../../tool.ts";
import { pythonParser } from "./parse.ts";

export const python = defineBuildTool({
  id: "python",
  title: "Python tracebacks",
  url: "https://docs.python.org/3/library/traceback.html",
  ecosystem: "python",
  kinds: ["run"],
  signatures: [
    "Traceback (most recent call last)",
    "SyntaxError: ",
    "IndentationError: ",
    "TabError: ",
    "Warning: ",
    "python: ",
    "python3: ",
    ": No module named",
    "Sorry: ",
    "System check identified",
  ],
  priority: -1,
  parser: pythonParser,
  manifests: ["pyproject.toml"],
});
