/** The content of a command's page in addition to its options. Lines that begin with `pith` are run, and the page shows their output. */
export interface VerbPage {
  readonly about: string;
  readonly lines: readonly string[];
  readonly more?: string;
  /** Pasted output of a real run, if it depends on the machine. */
  readonly pasted?: readonly string[];
  /** Files of a data folder for this page only, because several days of use cannot be produced in a test. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Returns the ledger of a day; each call has a tool, its tokens, the raw tokens, and whether it was a retrieval. */
function ledger(
  day: string,
  calls: readonly (readonly [string, number, (number | undefined)?, boolean?])[],
): string {
  const lines = calls.map(([tool, tokens, raw, retrieval]) =>
    JSON.stringify({
      time: `${day}T10:11:12.000Z`,
      tool,
      client: "claude-code",
      session: day,
      tokens,
      ...(raw === undefined ? {} : { raw_tokens: raw }),
      ...(retrieval === true ? { retrieval } : {}),
      failed: false,
      duration_ms: 12,
    }),
  );
  return `${lines.join("\n")}\n`;
}

/** The pages in the order in which they are run: later ones show the runs of earlier ones. `RUN` is the id of the previous run. */
export const VERB_PAGES: Readonly<Record<string, VerbPage>> = {
  index: {
    about:
      "Indexes a repository, with a progress bar on a terminal. This is optional, because the first question does it too.",
    lines: ["pith index", "pith index --json"],
  },
  sync: {
    about:
      "Updates the index with what has changed. Questions do it themselves; this command is for scripts and hooks.",
    lines: ["pith sync"],
  },
  search: {
    about:
      "Finds code by a question in words, a name, a path, an error message or a quoted phrase. One line per location, the best first.",
    lines: [
      "pith search how is tax added to the total",
      "pith search applyCoupon --detail concise",
      "pith search '\"takes its share\"' --explain basic",
    ],
    more: "What is indexed, how results are ranked and when they are marked stale: [finding code](../search.md).",
  },
  changes: {
    about:
      "Shows which definitions changed between two states: `+` added, `-` removed, `!` new signature, `~` new body, `>` renamed or moved. Lock files, generated files and data are only named.",
    lines: ["pith changes", "pith changes --path src/tax.js --json"],
    more: "The forms of a question about changes, for agents: [what changed](../search.md#what-changed).",
  },
  uses: {
    about:
      "Shows the places that use a definition, by file, with the function around each. What an import chain or the scope proves is counted as sure; `?` marks places of which only the name matches.",
    lines: ["pith uses taxFor"],
    more: "What sure and possible mean, and for which languages: [relations](../relations.md).",
  },
  callers: {
    about: "Shows the functions that call a definition. Other uses of it are counted.",
    lines: ["pith callers taxFor"],
    more: "The other relations, and the questions that `search_code` understands: [relations](../relations.md).",
  },
  symbol: {
    about:
      "Finds definitions by name: exact, qualified, then similar. If there is none, it suggests the most similar names.",
    lines: [
      "pith symbol taxFor Cart.total",
      "pith symbol taxFor --detail detailed",
      "pith symbol aplyCoupon",
    ],
  },
  outline: {
    about:
      "Shows all symbols of a file with their lines, instead of the file; of a folder a map: its areas, entry points and most used definitions.",
    lines: ["pith outline src/cart.js", "pith outline src/cart.js --top", "pith outline"],
    more: "How the map is made: [outlines](../outlines.md#a-map-of-a-folder).",
  },
  read: {
    about:
      "Shows lines of a file with their numbers: all, a range, the context of a line, or only what answers a question.",
    lines: [
      "pith read src/cart.js --lines 29-33",
      "pith read src/tax.js --around 5 --radius 1",
      "pith read taxFor src/cart.js:29-31",
    ],
    more: "Asking a question with `--focus`: [focus](../focus.md).",
  },
  grep: {
    about:
      "ripgrep with its common flags and ignore rules, within a token budget. On a terminal matches are listed under their file; a pipe gets `path:line:text`, sorted by path, and stderr says what was left out.",
    lines: [
      "pith grep coupon",
      "pith grep -i TAX -l",
      "pith grep -wn price src/cart.js src/tax.js -m 2",
      "pith grep -e coupon -e tax src '!cart.js' -l",
      "pith grep no_such_thing",
    ],
  },
  exec: {
    about:
      "Runs a command and shows what matters in its output. The exit code is the command's own; the whole log is stored under the run's id.",
    lines: ["pith exec -- node --test", "pith exec --json -- true", "pith exec -- no-such-program"],
    more: "What counts as a pass, verbosity, and the comparison with the last run: [running builds and tests](../running.md).",
  },
  test: {
    about:
      "Runs the tests of a folder with the runner that fits it. With `--changed`, it runs only the test files that your changes most likely concern, and says which and why.",
    lines: ["pith test"],
    pasted: [
      "$ pith test --changed\n1 of 5 test files for 1 changed file: test/cart.test.js (uses applyCoupon, named like cart.js)\nnot chosen: 4 other test files; all: npm test\nPASS tap 1 passed exit 0 run r294196",
    ],
    more: "How the files are chosen, and how often the choice is right: [running builds and tests](../running.md#tests-of-your-changes).",
  },
  logs: {
    about: "Shows lines of a run's log, by range, stream or pattern.",
    lines: ["pith logs RUN --lines 1-4", "pith logs RUN --grep coupon"],
  },
  runs: { about: "Lists the runs of this workspace, newest first.", lines: ["pith runs"] },
  ui: {
    about:
      "Serves a page on this machine that shows runs, logs, history, tokens, code, the index and the pool.",
    lines: [],
    pasted: [
      "$ pith ui",
      "Pith for /home/ada/shop: http://127.0.0.1:3910/ui/#token=mZk2q0Xw1rW8s5b6Tn3yUe9aJc4dLf7h",
      "Ctrl-C ends it.",
    ],
    more: "What the page shows and how it is protected: [the page](../ui.md).",
  },
  parse: {
    about: "Finds the errors and test results in an existing log: a file, or a pipe.",
    lines: ["pith parse ci.log", "pith parse ci.log --json"],
    more: "How a log is judged and what is left out: [logs that already exist](../running.md#logs-that-already-exist).",
  },
  ci: {
    about:
      "Explains why a CI run failed: the failed step of each job, its command and exit code, and the cause. It reads a job's log, the output of `gh run view --log`, or a folder of unpacked logs.",
    lines: ["pith ci ci.log"],
    more: "With `--against` it says what is new against a run that passed: [CI logs](../ci-logs.md).",
  },
  stats: {
    about:
      "Shows what agents' calls cost, compared with the raw output that the client would have shown after its own truncation. Replies that were larger than the raw output, later retrievals and the tool list of each session are drawn as what they are: paid tokens.",
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
        ["bash", 34, 12],
      ]),
    },
    more: "A reply stays in the context for the rest of the session, so a token of an early reply is read in every later turn. The column `resident` weighs each token with those turns. Pith sees calls and not turns: it assumes one turn per call, so that turns without a call of Pith are missing and several calls in one turn count as several. It also assumes that nothing leaves the context before the session ends, although clients compact long conversations. Calls over HTTP without a session, and those of older versions, have no resident cost.",
  },
  serve: {
    about:
      "Runs the MCP server over stdio, or over HTTP with `--http`. Agents start it themselves once `pith init` has configured them.",
    lines: [],
    pasted: [
      `$ pith serve --http 0
pith: serving ~/shop on http://127.0.0.1:44249/mcp`,
    ],
    more: "Each client as measured: [clients](../clients.md).",
  },
  init: {
    about:
      "Writes the entry into your clients' configuration, shows the change first, and removes it again with `--undo`.",
    lines: [],
    pasted: [
      `$ pith init codex --scope user
Codex:
--- (no file)
+++ ~/.codex/config.toml
@@ -0,0 +1,3 @@
+[mcp_servers.pith]
+command = "npx"
+args = ["-y", "pith", "serve"]

Nothing written. Pass --yes to write without being asked.`,
    ],
    more: "Each client as measured: [clients](../clients.md).",
  },
  run: {
    about:
      "Starts a server for one run of an agent, watches it and stops it. Your configuration is not changed.",
    lines: [],
    pasted: [
      `$ pith run -- sh -c 'echo agent ran; exit 4'; echo "exit $?"
agent ran
exit 4`,
    ],
    more: "Claude Code, Codex and others: [clients](../clients.md).",
  },
  doctor: {
    about: "Starts the server as an agent would, in both protocol eras, and explains how to fix problems.",
    lines: [],
    pasted: [
      `$ pith doctor
  ok   node                 v20.20.2
  ok   data folder          ~/.local/share/pith
  ok   run store            ~/.local/share/pith/runs/runs.db
  ok   index store          ~/.local/share/pith/index.db
  ok   environment of runs  yours, stdin closed, and PAGER=cat GIT_PAGER=cat GIT_TERMINAL_PROMPT=0 GCM_INTERACTIVE=never, PITH_RUN_<ID>=1; the project's own programs appended to PATH
  ok   embeddings           off: no code is sent anywhere
  ok   server (initialize)  7 tools, protocol 2025-11-25, 238 ms
  ok   server (discover)    7 tools, protocol 2026-07-28, 250 ms
  ok   tool list            at most 1305 tokens
  ok   Codex                not set up; pith init codex

All is well.`,
    ],
    more: "The tokens are a quick estimate that errs on the high side; the exact count is in [benchmarks](../benchmarks.md). By symptom: [troubleshooting](../troubleshooting.md).",
  },
  tour: {
    about:
      "Asks about what your own code uses most, and shows each answer with its tokens. None of it enters `pith stats`.",
    lines: [],
    pasted: [
      `$ pith tour
pith outline  92 tokens
  . 5 files, 100 lines: JavaScript 100 %
  Areas (share of uses outside tests, files; most used definitions)
   src/ 100 % 2: taxFor
   test/ 0 % 1 (tests)
  Most used (share of uses; files that use a definition; tests not counted)
   src/tax.js 100 %
    4 export function taxFor(country, net) (1 file)

pith search "how does tax for work"  202 tokens
  src/tax.js:4-8 export function taxFor(country, net)
  4| export function taxFor(country, net) {
  |   const rate = RATES[country];
  |   if (rate === undefined) throw new Error(\`no tax rate for \${country}\`);
  |   return Math.round(net * rate);
  | }
  src/cart.js:23-26 total() in Cart
  23|   total() {
  … 9 more lines

pith callers taxFor  28 tokens
  callers of taxFor (src/tax.js:4): 1 sure in 1 file
  src/cart.js Cart.total:25

Run your tests (npm test) to see the answer? [y/N] y

pith test  39 tokens
  FAIL tap 1/2 failed, exit 1, run r662241
  test/cart.test.js
   :12 a coupon takes its share
    -740
    +750

Attach it to your agent:  pith init   (check it with pith doctor)`,
    ],
    more: "Where nobody can be asked, as in a pipe, the tests are not run. Tests that take longer than 6 seconds go on after the tour, which says how to follow them.",
  },
  tools: {
    about:
      "Lists the tools that pith.toml and your config.toml describe in `[tools.NAME]`, and shows what one of them reads in a file.",
    lines: ["pith tools"],
    pasted: [
      `$ acme-lint . | pith tools test acme
acme read 2 diagnostics in 5 lines:
 {"file":"recipes/soup.acme","line":12,"severity":"error","code":"order","message":"salt before water","help":["Swap the two steps."],"tool":"acme"}
 {"file":"recipes/cake.acme","line":3,"severity":"warning","code":"oven","message":"oven not preheated","tool":"acme"}
It left 1 line unread:
 1: checking 2 recipes`,
    ],
    more: "How to describe a tool: [tools of your own](../custom-tools.md).",
  },
  config: {
    about: "Shows every setting, its value, and where the value comes from.",
    lines: [],
    pasted: [
      `$ pith config runs
  runs.keep = 50                      Completed runs kept per workspace.
  runs.max_age_days = 14              Runs older than this are removed.
  runs.max_bytes = 2000000000         Total size of the logs of one workspace.
  runs.max_output_bytes = 4000000000  A run that writes more is stopped.
  runs.timeout_ms = 1800000           A run that lasts longer is stopped.
  runs.reports = true                 Add machine-readable reports to commands that Pith builds itself.
  runs.env = {}                       Extra environment variables for every run: \`env = { CI = "1" }\`; in a variable or a flag \`CI=1,LANG=C\`.

Files: ~/shop/pith.toml, ~/.config/pith/config.toml`,
    ],
    more: "All settings: [configuration](../configuration.md).",
  },
  shell: {
    about:
      "Runs a script unchanged, with its own exit code, and shortens only long output: for agents whose shell tool can use another program. A script that reads from a pipe or a file is left alone.",
    lines: [],
    pasted: [
      `$ pith shell 'sh build.sh'; echo "exit $?"
FAIL exit 2, 1 error, run r679922
src/a.ts:3 error TS2304: Cannot find name 'x'.
exit 2`,
    ],
  },
  projects: {
    about: "Lists the repositories in the store, or removes one.",
    lines: [],
    pasted: [
      `$ pith projects
fy7n2fnt18gg  2026-11-15        4 files  ~/shop`,
    ],
    more: "One store for several people: [team](../team.md).",
  },
  store: {
    about: "Checks or prepares a team's PostgreSQL store.",
    lines: [],
    pasted: [
      `$ pith store migrate
db.example.com/pith has schema 18
$ pith store
db.example.com/pith, schema 18, role owner (pith_owner)`,
    ],
    more: "Setting one up: [team](../team.md).",
  },
  worker: {
    about: "Runs jobs of the team's pool on this machine until it is stopped.",
    lines: [],
    pasted: [
      `$ pith worker --slots 2 --label gpu
16:55:14 worker build1: 2 slots, arch=x64 gpu os=linux
16:55:14 ready for jobs
16:55:18 r017134 started: node --test
16:55:18 r017134 exit 1, 0.5 s`,
    ],
    more: "Setting one up: [team](../team.md).",
  },
  workers: {
    about: "Lists the connected workers of the pool.",
    lines: [],
    pasted: [
      `$ pith workers
build1: 0/2 slots busy, up 0 min, arch=x64 gpu os=linux
0 running, 0 queued`,
    ],
    more: "[team](../team.md)",
  },
  jobs: {
    about: "Lists the jobs of the pool: queued, running and ended.",
    lines: [],
    pasted: [
      `$ pith exec --pool -- node --test
FAIL tap 1/2 failed, exit 1, run r017134
test/cart.test.js
 :12 a coupon takes its share
  -740
  +750
$ pith jobs
r017134   2026-11-15 16:55:18  exit 1                    build1            node --test
$ pith jobs show r017134
r017134   2026-11-15 16:55:18  exit 1                    build1            node --test
  attempt 1 won, on build1, 40 lines`,
    ],
    more: "[team](../team.md)",
  },
  completion: {
    about:
      "Completes commands, options and file names in bash, zsh and fish. The script is generated from the tables of commands and options.",
    lines: ["pith completion fish | head -3"],
  },
};
