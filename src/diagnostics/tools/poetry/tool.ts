import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const poetry = defineBuildTool({
  id: "poetry",
  title: "Poetry",
  url: "https://python-poetry.org",
  ecosystem: "python",
  kinds: ["install"],
  signatures: [
    "Poetry ",
    "poetry",
    "version solving failed",
    "Invalid TOML file",
    "  SolverProblemError",
    '" does not exist.',
    "is not supported by the project",
  ],
  priority: 3,
  parser: poetryParser,
  commands: [
    {
      name: "poetry.install",
      description: "Install the locked dependencies",
      detect: (folder) => (folder.nearest("poetry.lock") === undefined ? undefined : "poetry.lock is here"),
      argv: () => ["poetry", "install"],
    },
  ],
});

const TITLE = /^ {2}(\w+(?:Error|Exception|Problem|Failure)\w*)$/;
const SINGLE =
  /^(?:Poetry could not find a pyproject\.toml file in .+|Poetry was unable to find a compatible version\. .+|The current(?:ly activated)? (?:project's )?Python .+ is not (?:supported|compatible) .+|pyproject\.toml changed significantly since poetry\.lock was last generated\..*|Invalid TOML file .+|The command ".+" does not exist\.|Error: pyproject\.toml changed significantly.*|Error: The lock file .+|The Poetry configuration is invalid:|Group\(s\) not found: .+|Could not parse version constraint: .+|Unable to determine the current .+)$/;
const SOLVING = /^Because .+$/;

/** Reads poetry's failures. */
function poetryParser(sink: Sink): LineParser {
  let title: string | undefined;
  let lines: string[] = [];
  let solving = false;

  function close(): void {
    const message = lines.join("\n").trim();
    if ((title !== undefined || solving) && message !== "")
      sink.diagnostic({ severity: "error", message, ...(title === undefined ? {} : { code: title }) });
    title = undefined;
    lines = [];
    solving = false;
  }

  return {
    take({ text }: Line): boolean {
      const begun = TITLE.exec(text);
      if (begun !== null) {
        close();
        title = begun[1];
        return true;
      }
      if (title !== undefined) {
        if (text.startsWith("  ") || text.trim() === "") {
          // The lines from `at` on show a location inside poetry's own code and are dropped.
          if (/^ {2}at /.test(text)) close();
          else lines.push(text.trim());
          return true;
        }
        close();
      }
      if (solving || SOLVING.test(text)) {
        solving = true;
        lines.push(text.trim());
        if (text.endsWith("version solving failed.")) close();
        else if (lines.length > 60 || text.trim() === "") {
          solving = false;
          lines = [];
        }
        return solving || text.startsWith("Because") || text.endsWith("version solving failed.");
      }
      if (!SINGLE.test(text)) return false;
      const toml = /^Invalid TOML file (.+?): (.+) at line (\d{1,7}) col (\d{1,7})$/.exec(text);
      if (toml === null) sink.diagnostic({ severity: "error", message: text });
      else
        sink.diagnostic({
          severity: "error",
          file: toml[1] ?? "",
          line: Number(toml[3]),
          column: Number(toml[4]) + 1,
          message: toml[2] ?? "",
        });
      return true;
    },
    end: close,
  };
}
