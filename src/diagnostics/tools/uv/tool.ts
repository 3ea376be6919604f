import { defineBuildTool } from "../../tool.ts";

export const uv = defineBuildTool({
  id: "uv",
  title: "uv",
  url: "https://docs.astral.sh/uv/",
  ecosystem: "python",
  kinds: ["install"],
  signatures: ["  × ", "error: ", "Audited ", "Resolved "],
  priority: 3,
  format: {
    complaints: [
      // Matches an error by uv's own words, because other tools draw the same cross.
      /^ {2}× (?<message>(?:No solution found|Failed to (?:build|download|fetch|resolve|install|prepare|read|parse|inspect)|Because |Requirement|Dependency |Distribution|Request failed|Invalid |The requested).*)$/,
      /^error: (?<message>(?:Failed to (?:parse|build|download|fetch|spawn|install|prepare|resolve|determine|read|discover|inspect|uninstall|generate|initialize)[: ].*(?:`|pyproject\.toml|requirements|wheel|interpreter|Python|distribution|lockfile|uv\.lock|venv).*|No `pyproject\.toml`.*|No `project`.*|Distribution not found.*|The lockfile at .*|No virtual environment found.*|Project virtual environment .*|Querying Python .*|No interpreter found .*|Unable to find lockfile .*|Multiple top-level .*))$/,
    ],
    continuation: [
      // Matches a hint that is indented like the cause; it is also part of the message.
      /^ {6,}(?<message>(?:help|hint): (?<help>.+))$/,
      /^ *(?:help|hint): (?<help>.+)$/,
      /^ {2}(?:[╰├]─▶|│) {0,3}(?<message>\S.*)$/,
      /^ {2}Caused by: (?<message>.+)$/,
      /^ {6,}(?<message>\S.*)$/,
      /^(?: {2}(?:[╰├]─▶|│))?\s*$/,
    ],
    noise:
      /^(?:Resolved|Audited|Installed|Prepared|Uninstalled|Checked|Downloaded) \d{1,6} packages? in |^Using (?:CPython|Python) |^Creating virtual environment at/,
  },
  commands: [
    {
      name: "uv.sync",
      description: "Install the locked dependencies",
      detect: (folder) => (folder.nearest("uv.lock") === undefined ? undefined : "uv.lock is here"),
      argv: () => ["uv", "sync"],
    },
  ],
});
