/** What a verb's page tells beside its options. Lines that begin with `pith` are run, and what they print is shown. */
export interface VerbPage {
  readonly about: string;
  readonly lines: readonly string[];
  readonly more?: string;
  /** Files of a data folder of the page's own: what a machine has after some days cannot be made in a moment. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Calls of a day as the ledger keeps them: tool, tokens, raw tokens, and whether it fetched what was left out before. */
function ledger(
  day: string,
  calls: readonly (readonly [string, number, (number | undefined)?, boolean?])[],
): string {
  const lines = calls.map(([tool, tokens, raw, retrieval]) =>
    JSON.stringify({
      time: `${day}T10:11:12.000Z`,
      tool,
      client: "claude-code",
      tokens,
      ...(raw === undefined ? {} : { raw_tokens: raw }),
      ...(retrieval === true ? { retrieval } : {}),
      failed: false,
      duration_ms: 12,
    }),
  );
  return `${lines.join("\n")}\n`;
}

/** The pages in the order they are run: later ones look at the runs of earlier ones. `RUN` is the run before. */
export const VERB_PAGES: Readonly<Record<string, VerbPage>> = {
  index: {
    about:
      "Brings a repository into the code index, with a progress bar on a terminal. You never have to: the first question does it too, and answers from what is there already.",
    lines: ["pith index", "pith index --json"],
  },
  sync: {
    about: "Brings in what changed since. Questions do it themselves; this is for scripts and hooks.",
    lines: ["pith sync"],
  },
  search: {
    about:
      "Finds code by a question in words, a name, a path, an error message or a quoted phrase. One line a place, the best first.",
    lines: [
      "pith search how is tax added to the total",
      "pith search applyCoupon --detail concise",
      "pith search '\"takes its share\"' --explain basic",
    ],
    more: "What the index sees, how it ranks and when it says stale: [finding code](../search.md).",
  },
  symbol: {
    about: "Finds definitions by name: exact, qualified, then near. A miss answers with the nearest names.",
    lines: ["pith symbol taxFor", "pith symbol Cart.total", "pith symbol aplyCoupon"],
  },
  outline: {
    about: "All symbols of a file with their lines, instead of the file.",
    lines: ["pith outline src/cart.js", "pith outline src/cart.js --depth top"],
  },
  read: {
    about:
      "Lines of a file with their numbers: all, a range, the surroundings of a line, or only what answers a question.",
    lines: ["pith read src/cart.js --lines 29-33", "pith read src/tax.js --around 5 --radius 1"],
    more: "Asking a question with `--focus`: [focus](../focus.md).",
  },
  grep: {
    about: "ripgrep with ignore rules, grouped by file, inside a budget.",
    lines: ["pith grep coupon", "pith grep -i TAX -l", "pith grep no_such_thing"],
  },
  exec: {
    about:
      "Runs a command and shows what matters of its output. The exit code is the command's own; the whole log is kept by id.",
    lines: ["pith exec -- node --test", "pith exec --json -- true", "pith exec -- no-such-program"],
    more: "What counts as a pass, verbosity, and what is compared with the last run: [running things](../running.md).",
  },
  logs: {
    about: "Any line of a run's log, by range, stream or pattern.",
    lines: ["pith logs RUN --lines 1-4", "pith logs RUN --grep coupon"],
  },
  runs: { about: "The runs of this workspace, newest first.", lines: ["pith runs"] },
  parse: {
    about: "Finds the errors and test results in a log that somebody else made: a file, or a pipe.",
    lines: ["pith parse ci.log", "pith parse ci.log --json"],
  },
  stats: {
    about:
      "An honest meter: tokens returned, against what the client would have shown of raw output with its own cut, less what was fetched later and less the tool list of each session.",
    lines: ["pith stats"],
    data: {
      "usage/2026-02-01.jsonl": ledger("2026-02-01", [
        ["tools/list", 1_490],
        ["search_code", 310],
        ["build", 420, 2_900],
        ["build", 180, undefined, true],
      ]),
      "usage/2026-02-02.jsonl": ledger("2026-02-02", [
        ["tools/list", 1_490],
        ["build", 260, 31_000],
        ["read", 1_100, 4_100],
        ["bash", 900, 5_200],
      ]),
      "usage/2026-02-03.jsonl": ledger("2026-02-03", [
        ["tools/list", 1_490],
        ["grep", 640, 900],
      ]),
    },
  },
  serve: {
    about:
      "The MCP server, over stdio, or over HTTP with `--http`. Agents start it themselves once `pith init` has told them how.",
    lines: [],
    more: "Each client as measured: [clients](../clients.md).",
  },
  init: {
    about:
      "Writes the entry into your clients' configuration, shows the change first, and takes it out again with `--undo`.",
    lines: [],
    more: "Each client as measured: [clients](../clients.md).",
  },
  run: {
    about:
      "Starts a server, hands it to one agent for one run, watches it and stops it. Your configuration stays as it is.",
    lines: [],
    more: "Claude Code, Codex and others: [clients](../clients.md).",
  },
  doctor: {
    about: "Starts the server as an agent would, in both protocol eras, and says how to fix what is wrong.",
    lines: [],
    more: "By symptom: [troubleshooting](../troubleshooting.md).",
  },
  tour: {
    about: "Ten seconds on your own repository: each verb once, with its tokens beside the raw ones.",
    lines: [],
  },
  config: {
    about: "Every setting, its value, and where the value comes from.",
    lines: [],
    more: "All settings: [configuration](../configuration.md).",
  },
  shell: {
    about:
      "What an agent's own shell tool runs when `pith init --with-hooks` was said: the script as it is, its exit code, and its output shortened only where it is long.",
    lines: [],
  },
  projects: {
    about: "The repositories that the store knows, and how to remove one.",
    lines: [],
    more: "One store for several people: [team](../team.md).",
  },
  store: {
    about: "Looks after a team's PostgreSQL store.",
    lines: [],
    more: "Setting one up: [team](../team.md).",
  },
  worker: {
    about: "Takes jobs of the team's pool on this machine, until it is told to stop.",
    lines: [],
    more: "Setting one up: [team](../team.md).",
  },
  workers: { about: "Who works for the pool at the moment.", lines: [], more: "[team](../team.md)" },
  jobs: {
    about: "The jobs of the pool: those that wait, run and have ended.",
    lines: [],
    more: "[team](../team.md)",
  },
};
