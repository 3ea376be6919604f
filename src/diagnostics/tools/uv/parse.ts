import type { Line, LineParser, Sink } from "../../tool.ts";

/** Other tools draw the same cross: these are uv's own words. */
const CROSS =
  /^ {2}× ((?:No solution found|Failed to (?:build|download|fetch|resolve|install|prepare|read|parse|inspect)|Because |Requirement|Dependency |Distribution|Request failed|Invalid |The requested).*)$/;
const BRANCH = /^ {2}(?:[╰├]─▶|│) {0,3}(.*)$/;
const MORE = /^ {6,}(\S.*)$/;
const HINT = /^ *(?:help|hint): (.+)$/;
const ERROR =
  /^error: ((?:Failed to (?:parse|build|download|fetch|spawn|install|prepare|resolve|determine|read|discover|inspect|uninstall|generate|initialize)[: ].*(?:`|pyproject\.toml|requirements|wheel|interpreter|Python|distribution|lockfile|uv\.lock|venv).*|No `pyproject\.toml`.*|No `project`.*|Distribution not found.*|The lockfile at .*|No virtual environment found.*|Project virtual environment .*|Querying Python .*|No interpreter found .*|Unable to find lockfile .*|Multiple top-level .*))$/;
const CAUSE = /^ {2}Caused by: (.+)$/;
const NOISE =
  /^(?:Resolved|Audited|Installed|Prepared|Uninstalled|Checked|Downloaded) \d{1,6} packages? in |^Using (?:CPython|Python) |^Creating virtual environment at/;

/** Reads uv's failures: a resolution that has no solution, a build that failed. */
export function uvParser(sink: Sink): LineParser {
  let lines: string[] = [];
  let help: string[] = [];

  function close(): void {
    if (lines.length > 0)
      sink.diagnostic({ severity: "error", message: lines.join("\n"), ...(help.length > 0 ? { help } : {}) });
    lines = [];
    help = [];
  }

  return {
    take({ text }: Line): boolean {
      const begun = CROSS.exec(text) ?? ERROR.exec(text);
      if (begun !== null) {
        close();
        lines.push(begun[1] ?? "");
        return true;
      }
      if (lines.length > 0) {
        const hint = HINT.exec(text);
        if (hint !== null) help.push(hint[1] ?? "");
        const branch = BRANCH.exec(text) ?? CAUSE.exec(text) ?? MORE.exec(text);
        if (branch !== null && branch[1] !== "") lines.push(branch[1] ?? "");
        if (hint !== null || branch !== null || text.trim() === "") return true;
      }
      close();
      return NOISE.test(text);
    },
    end: close,
  };
}
