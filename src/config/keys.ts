import { choice, flag, list, share, text, variables, whole } from "./key.ts";
import type { Key } from "./key.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Every key there is. The documentation table, `pith config` and the checks are made from this one. */
export const CONFIG_KEYS = {
  server: {
    toolsets: list(
      ["code", "run", "files", "index"],
      "The toolsets to offer: code, run, files, index, jobs.",
      { personal: true },
    ),
    slim: flag(false, "Offer build and search_code alone."),
    read_only: flag(false, "Offer only the tools that change nothing.", { personal: true, modest: true }),
    structured: flag(false, "Also send structuredContent with each result."),
    response_format: choice(
      ["text", "json", "markdown"],
      "text",
      "The format of replies that do not ask for one.",
    ),
    roots: list([], "Folders beside the workspace that tools may work in.", { personal: true }),
    answer_timeout_ms: whole(45_000, [50, DAY], "A call that lasts longer answers `running` and goes on."),
    http_token: text("", "The bearer token that HTTP clients must send.", { secret: true, personal: true }),
    log_level: choice(
      ["debug", "info", "notice", "warn", "error"],
      "notice",
      "The least important event written to stderr.",
    ),
    prewarm: flag(true, "Read the index of recent workspaces into memory at start."),
    store: text("", "postgres:// URL of a team's store; empty for this machine's own.", {
      env: "PITH_STORE",
      secret: true,
      personal: true,
    }),
    data_dir: text("", "Where indexes, runs and logs live; empty for the user's data folder.", {
      env: "PITH_DATA_DIR",
      personal: true,
    }),
  },
  query: {
    freshness_policy: choice(
      ["strict", "balanced", "best_effort"],
      "balanced",
      "What a stale index does to a query.",
    ),
    ranking_explain_level: choice(
      ["off", "basic", "full"],
      "off",
      "How much of the ranking a reply explains.",
    ),
  },
  index: {
    max_file_bytes: whole(1_500_000, [1_000, 100_000_000], "Larger files are not indexed."),
    time_budget_ms: whole(200, [0, 60_000], "How long a query may spend on bringing changes in."),
    workers: whole(
      0,
      [0, 64],
      "Parser threads; 0 for as many as the files and the cores pay for, at most four.",
    ),
  },
  "search.semantic": {
    provider: text(
      "off",
      "Who computes embeddings: off, ollama, or openai for any /v1/embeddings. A repository may only say off.",
      {
        personal: true,
        modest: "off",
      },
    ),
    endpoint: text("", "Where texts are sent; empty for Ollama on this machine.", { personal: true }),
    model: text("", "The embedding model.", { personal: true }),
    api_key: text("", "The provider's key; from the environment alone.", {
      env: "PITH_EMBEDDINGS_API_KEY",
      secret: true,
      personal: true,
      environmentOnly: true,
    }),
    dimensions: whole(0, [0, 16_384], "Dimensions to ask the model for; 0 for its own.", { personal: true }),
    query_prefix: text("", "What the model wants before a question.", { personal: true }),
    document_prefix: text("", "What the model wants before a text that is searched.", { personal: true }),
    batch_size: whole(32, [1, 2_048], "Texts a call.", { personal: true }),
    concurrency: whole(2, [1, 32], "Calls at once.", { personal: true }),
    requests_per_minute: whole(0, [0, 100_000], "Calls a minute at most; 0 for no limit.", {
      personal: true,
    }),
    timeout_ms: whole(60_000, [100, 600_000], "How long to wait for a batch of texts.", { personal: true }),
    query_timeout_ms: whole(2_000, [50, 60_000], "How long a search may wait for its question's vector.", {
      personal: true,
    }),
    max_memory_mb: whole(
      512,
      [16, 65_536],
      "Memory for vectors; what is beyond is read anew by each search.",
      {
        personal: true,
      },
    ),
  },
  runs: {
    keep: whole(50, [1, 10_000], "Completed runs kept for each workspace."),
    max_age_days: whole(14, [1, 3_650], "Runs older than this are removed."),
    max_bytes: whole(2_000_000_000, [1_000_000, 1_000_000_000_000], "Logs of one workspace together."),
    max_output_bytes: whole(4_000_000_000, [1_000, 1_000_000_000_000], "A run that writes more is stopped."),
    timeout_ms: whole(30 * 60_000, [100, 7 * DAY], "A run that lasts longer is stopped."),
    reports: flag(true, "Add machine-readable reports to commands that Pith builds itself."),
    env: variables(
      {},
      'Environment variables that every run gets beside yours: `env = { CI = "1" }`; in a variable or a flag `CI=1,LANG=C`.',
      { personal: true, secret: true },
    ),
  },
  permissions: {
    allow: list(["*"], "Commands that may run.", { personal: true }),
    ask: list([], "Commands that answer permission_required.", { additive: true }),
    deny: list([], "Commands that may not run; wins over the others.", { additive: true }),
    roots: list([], "Folders a command's cwd may be in; empty for the workspace and [server] roots.", {
      personal: true,
    }),
    env: list(["*"], "Environment variables that commands see; `!NAME` takes one away.", { personal: true }),
  },
  security: {
    mask_files: flag(
      true,
      "Mask secrets in what is shown of files. Logs, commands and errors are always masked.",
      { personal: true, modest: true },
    ),
  },
  pool: {
    jobs: flag(true, "Send builds, tests and jobs to the pool when a store is set.", {
      personal: true,
      modest: false,
    }),
    submitter: text("", "Who shares the pool's slots with others; empty for user@machine.", {
      personal: true,
    }),
    requires: list([], "Labels that a worker must have for the jobs of this workspace: os=linux, gpu."),
    fallback: flag(true, "Run jobs on this machine while no worker is connected that could."),
    slots: whole(0, [0, 1_000], "Worker: jobs at the same time; 0 for one a core.", { personal: true }),
    labels: list([], "Worker: labels beside os=… and arch=….", { personal: true }),
    lease_ms: whole(30_000, [500, 3_600_000], "A worker that is not heard of for so long loses its jobs.", {
      personal: true,
    }),
    heartbeat_ms: whole(5_000, [50, 600_000], "How often a worker is heard of.", { personal: true }),
    max_attempts: whole(3, [1, 100], "A job is given up when so many workers died with it.", {
      personal: true,
    }),
  },
  pruner: {
    provider: choice(
      ["auto", "builtin", "http", "off"],
      "auto",
      "Who prunes; auto is http where an endpoint is set.",
    ),
    endpoint: text("", "URL of a swe-pruner service.", { personal: true }),
    keep: share(0.35, "The share of the text that pruning keeps."),
    threshold: share(0.5, "The http pruner's line threshold."),
    timeout_ms: whole(10_000, [10, 600_000], "How long to wait for the http pruner."),
    max_prune_input_bytes: whole(524_288, [1_000, 100_000_000], "Larger outputs are not pruned."),
  },
} as const satisfies Record<string, Record<string, Key<unknown>>>;

type Keys = typeof CONFIG_KEYS;
type ValueOf<K> = K extends Key<infer T> ? T : never;

/** The resolved configuration: every key has a value. */
export type Config = {
  readonly [S in keyof Keys]: { readonly [K in keyof Keys[S]]: ValueOf<Keys[S][K]> };
};

/** The environment variable that sets a key. */
export function environmentName(section: string, key: string): string {
  return `PITH_${section}_${key}`.toUpperCase().replaceAll(".", "_");
}
