import type { CustomTool } from "../model/custom-tool.ts";
import { choice, flag, list, share, shareOrNone, text, variables, whole } from "./key.ts";
import type { Key } from "./key.ts";
import { ADD, LOWER, NOTHING, only, towardsFirst } from "./repository-move.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Caches of package managers; they hold downloads, and no programs on PATH or credentials. */
const CACHES = [
  "~/.npm/_cacache",
  "~/.cache/node/corepack",
  "~/.bun/install/cache",
  "~/.cache/pip",
  "~/.cache/uv",
  "~/.cache/pypoetry",
  "~/.cache/yarn",
  "~/.yarn/berry/cache",
  "~/.cache/go-build",
  "~/.local/share/pnpm/store",
  "~/.cargo/registry",
  "~/.cargo/git",
  "~/go/pkg/mod",
  "~/.m2/repository",
  "~/.m2/wrapper",
  "~/.gradle/caches",
  "~/.gradle/wrapper",
  "~/.cache/composer",
  "~/.nuget/packages",
];
/** Where language tools are installed for one user. */
const TOOLS = [
  "~/.local/bin",
  "~/.local/lib",
  "~/.local/share/uv",
  "~/.local/share/pipx",
  "~/.local/share/pypoetry",
  "~/.local/share/pnpm",
  "~/.local/share/mise",
  "~/.local/share/fnm",
  "~/.nvm",
  "~/.volta",
  "~/.asdf",
  "~/.bun/bin",
  "~/.deno/bin",
  "~/.cargo/bin",
  "~/.rustup",
  "~/go/bin",
  "~/.pyenv",
  "~/.rbenv",
  "~/.sdkman/candidates",
  "~/.dotnet",
];

/** All configuration keys. The documentation table, `pith config` and validation are generated from this table. */
export const CONFIG_KEYS = {
  server: {
    toolsets: list(["code", "run", "files"], "The toolsets to offer: code, run, files, index, jobs.", {
      repository: NOTHING,
    }),
    slim: flag(false, "Offer only build and search_code.", { repository: only(true) }),
    read_only: flag(false, "Offer only the tools that change nothing.", {
      repository: only(true),
    }),
    structured: flag(false, "Also send structuredContent with each result.", { repository: only(false) }),
    response_format: choice(
      ["text", "json", "markdown"],
      "text",
      "The format of replies that do not ask for one.",
      { repository: NOTHING },
    ),
    roots: list([], "Folders outside the workspace that tools may also use.", { repository: NOTHING }),
    answer_timeout_ms: whole(
      45_000,
      [50, DAY],
      "A longer call answers `running` and continues in the background.",
      { repository: LOWER },
    ),
    http_token: text("", "The bearer token that HTTP clients must send.", {
      secret: true,
      repository: NOTHING,
    }),
    log_level: choice(
      ["debug", "info", "notice", "warn", "error"],
      "notice",
      "The lowest level of events written to stderr.",
      { repository: NOTHING },
    ),
    prewarm: flag(true, "Load the index of recent workspaces into memory at start.", {
      repository: only(false),
    }),
    store: text("", "postgres:// URL of a team's store; empty for this machine's own store.", {
      env: "PITH_STORE",
      secret: true,
      repository: NOTHING,
    }),
    data_dir: text("", "Folder for indexes, runs and logs; empty for the user's data folder.", {
      env: "PITH_DATA_DIR",
      repository: NOTHING,
    }),
  },
  query: {
    freshness_policy: choice(
      ["strict", "balanced", "best_effort"],
      "balanced",
      "How a query treats a stale index.",
      { repository: towardsFirst("strict", "balanced", "best_effort") },
    ),
    ranking_explain_level: choice(["off", "basic", "full"], "off", "How much a reply explains its ranking.", {
      repository: towardsFirst("off", "basic", "full"),
    }),
  },
  index: {
    max_file_bytes: whole(1_500_000, [1_000, 100_000_000], "Larger files are not indexed.", {
      repository: LOWER,
    }),
    time_budget_ms: whole(200, [0, 60_000], "How long a query may spend on indexing changes first.", {
      repository: LOWER,
    }),
    workers: whole(0, [0, 64], "Parser threads; 0 chooses by the number of files and cores, at most four.", {
      repository: NOTHING,
    }),
  },
  "search.semantic": {
    provider: text("off", "The embedding provider: off, ollama, or openai for any /v1/embeddings endpoint.", {
      repository: only("off"),
    }),
    endpoint: text("", "URL that texts are sent to; empty for Ollama on this machine.", {
      repository: NOTHING,
    }),
    model: text("", "The embedding model.", { repository: NOTHING }),
    api_key: text("", "The provider's API key; read only from the environment.", {
      env: "PITH_EMBEDDINGS_API_KEY",
      secret: true,
      repository: NOTHING,
      environmentOnly: true,
    }),
    dimensions: whole(0, [0, 16_384], "Vector dimensions to request; 0 for the model's default.", {
      repository: NOTHING,
    }),
    query_prefix: text("", "Prefix that the model expects before a query.", { repository: NOTHING }),
    document_prefix: text("", "Prefix that the model expects before an indexed text.", {
      repository: NOTHING,
    }),
    batch_size: whole(32, [1, 2_048], "Texts per request.", { repository: NOTHING }),
    concurrency: whole(2, [1, 32], "Concurrent requests.", { repository: NOTHING }),
    requests_per_minute: whole(0, [0, 100_000], "Maximum requests per minute; 0 for no limit.", {
      repository: NOTHING,
    }),
    timeout_ms: whole(60_000, [100, 600_000], "Timeout for a batch of texts.", {
      repository: NOTHING,
    }),
    query_timeout_ms: whole(2_000, [50, 60_000], "How long a search may wait for the query's vector.", {
      repository: NOTHING,
    }),
    max_memory_mb: whole(512, [16, 65_536], "Memory for vectors; each search reads the rest from disk.", {
      repository: NOTHING,
    }),
  },
  runs: {
    keep: whole(50, [1, 10_000], "Completed runs kept per workspace.", { repository: LOWER }),
    max_age_days: whole(14, [1, 3_650], "Runs older than this are removed.", { repository: LOWER }),
    max_bytes: whole(
      2_000_000_000,
      [1_000_000, 1_000_000_000_000],
      "Total size of the logs of one workspace.",
      { repository: LOWER },
    ),
    max_output_bytes: whole(4_000_000_000, [1_000, 1_000_000_000_000], "A run that writes more is stopped.", {
      repository: LOWER,
    }),
    timeout_ms: whole(30 * 60_000, [100, 7 * DAY], "A run that lasts longer is stopped.", {
      repository: LOWER,
    }),
    reuse: choice(
      ["checks", "tests", "off"],
      "checks",
      "Which commands are answered from their last run while nothing has changed: type checkers and linters, also passed tests, or none.",
      { repository: towardsFirst("off", "checks", "tests") },
    ),
    reports: flag(true, "Add machine-readable reports to commands that Pith builds itself.", {
      repository: only(false),
    }),
    env: variables(
      {},
      'Extra environment variables for every run: `env = { CI = "1" }`; in a variable or a flag `CI=1,LANG=C`.',
      { repository: NOTHING, secret: true },
    ),
    isolation: choice(
      ["none", "bubblewrap", "command"],
      "none",
      "What runs are isolated by: nothing, bubblewrap (Linux), or isolation_command.",
      { repository: towardsFirst("bubblewrap", "none") },
    ),
    isolation_command: list(
      [],
      'The command that a run is appended to: ["podman", "run", "-v", "{workspace}:{workspace}", …]; {workspace}, {cwd} and {files} are replaced.',
      { repository: NOTHING },
    ),
    isolation_network: flag(true, "Let runs in bubblewrap use the network.", { repository: only(false) }),
    isolation_caches: list(CACHES, "What runs in bubblewrap may change besides the workspace.", {
      repository: NOTHING,
    }),
    isolation_tools: list(TOOLS, "What runs in bubblewrap may read in the home folder.", {
      repository: NOTHING,
    }),
  },
  permissions: {
    allow: list(["*"], "Commands that may run.", { repository: NOTHING }),
    ask: list([], "Commands that are refused with permission_required.", { repository: ADD, additive: true }),
    deny: list([], "Commands that may not run; overrides allow and ask.", {
      repository: ADD,
      additive: true,
    }),
    roots: list([], "Folders a command may run in; empty for the workspace and [server] roots.", {
      repository: NOTHING,
    }),
    env: list(["*"], "Environment variables that commands see; `!NAME` removes one.", {
      repository: NOTHING,
    }),
  },
  security: {
    mask_files: flag(true, "Mask secrets in file contents. Logs, commands and errors are always masked.", {
      repository: only(true),
    }),
  },
  pool: {
    jobs: flag(true, "Send builds, tests and jobs to the pool when a store is set.", {
      repository: only(false),
    }),
    submitter: text("", "Submitter name, used for fair scheduling; empty for user@machine.", {
      repository: NOTHING,
    }),
    requires: list([], "Labels that a worker must have for the jobs of this workspace: gpu, node>=20.", {
      repository: ADD,
    }),
    infer_needs: flag(
      true,
      "Choose workers by the versions that a project names: engines, go.mod, .python-version.",
      {
        repository: only(false),
      },
    ),
    split: whole(1, [1, 100], "Run tests in up to this many parts at the same time; 1 for no parts.", {
      repository: LOWER,
    }),
    priority: choice(["low", "normal", "high"], "normal", "Jobs of a higher priority are started first.", {
      repository: towardsFirst("low", "normal", "high"),
    }),
    reuse: choice(
      ["off", "checks"],
      "off",
      "Which commands are answered from the store if anybody has run them on the same files: type checkers and linters, or none.",
      { repository: towardsFirst("off", "checks") },
    ),
    fallback: flag(true, "Run jobs on this machine while no suitable worker is connected.", {
      repository: only(false),
    }),
    slots: whole(0, [0, 1_000], "Worker: concurrent jobs; 0 for one per core.", { repository: NOTHING }),
    labels: list([], "Worker: labels in addition to those of its system, cores, memory and toolchains.", {
      repository: NOTHING,
    }),
    lease_ms: whole(30_000, [500, 3_600_000], "A worker without a heartbeat for this long loses its jobs.", {
      repository: NOTHING,
    }),
    heartbeat_ms: whole(5_000, [50, 600_000], "Heartbeat interval of a worker.", { repository: NOTHING }),
    max_time_ms: whole(0, [0, 30 * DAY], "Worker: a job that takes longer is stopped; 0 for no limit.", {
      repository: NOTHING,
    }),
    max_memory_mb: whole(
      0,
      [0, 10_000_000],
      "Worker: memory of a job's processes together; 0 for no limit.",
      {
        repository: NOTHING,
      },
    ),
    max_processes: whole(0, [0, 1_000_000], "Worker: processes of a job at once; 0 for no limit.", {
      repository: NOTHING,
    }),
    max_disk_mb: whole(0, [0, 100_000_000], "Worker: size of a job's folder; 0 for no limit.", {
      repository: NOTHING,
    }),
    max_attempts: whole(3, [1, 100], "A job fails after this many workers died running it.", {
      repository: NOTHING,
    }),
  },
  "pool.prepare": {
    detect: flag(true, "Install what lock files name before a job runs.", { repository: only(false) }),
    folders: list([], "Further folders with lock files: frontend, services/api.", { repository: ADD }),
    commands: list([], "Commands that install the rest; they run in a folder that has only `files`.", {
      repository: ADD,
    }),
    files: list([], "Globs of the files that decide what `commands` install.", { repository: ADD }),
    timeout_ms: whole(20 * 60_000, [1_000, DAY], "A package manager that takes longer is stopped.", {
      repository: LOWER,
    }),
  },
  store: {
    objects: text(
      "",
      "Object store for large logs and snapshots: s3://BUCKET/PREFIX?endpoint=URL&region=NAME or file:///FOLDER; empty for the database.",
      { repository: NOTHING },
    ),
    object_bytes: whole(
      1_000_000,
      [0, 1_000_000_000],
      "Snapshots larger than this, and what a log has beyond it, go to the object store.",
      { repository: NOTHING },
    ),
    access_key: text("", "Access key of an s3:// object store.", {
      env: "AWS_ACCESS_KEY_ID",
      secret: true,
      environmentOnly: true,
      repository: NOTHING,
    }),
    secret_key: text("", "Secret key of an s3:// object store.", {
      env: "AWS_SECRET_ACCESS_KEY",
      secret: true,
      environmentOnly: true,
      repository: NOTHING,
    }),
    session_token: text("", "Session token of an s3:// object store.", {
      env: "AWS_SESSION_TOKEN",
      secret: true,
      environmentOnly: true,
      repository: NOTHING,
    }),
  },
  pruner: {
    provider: choice(
      ["auto", "builtin", "http", "off"],
      "auto",
      "The pruner; auto means http if an endpoint is set, else builtin.",
      { repository: towardsFirst("off", "builtin", "auto", "http") },
    ),
    endpoint: text("", "URL of a swe-pruner service.", { repository: NOTHING }),
    keep: shareOrNone("The share of the text that pruning keeps; 0 means what the question needs.", {
      repository: NOTHING,
    }),
    threshold: share(0.5, "The http pruner's line threshold.", { repository: NOTHING }),
    timeout_ms: whole(10_000, [10, 600_000], "Timeout for the http pruner.", { repository: LOWER }),
    max_prune_input_bytes: whole(
      524_288,
      [1_000, 100_000_000],
      "Larger outputs are not sent to the http pruner.",
      { repository: LOWER },
    ),
  },
} as const satisfies Record<string, Record<string, Key<unknown>>>;

type Keys = typeof CONFIG_KEYS;
type ValueOf<K> = K extends Key<infer T> ? T : never;

/** The complete configuration, in which every key has a value. */
export type Config = {
  readonly [S in keyof Keys]: { readonly [K in keyof Keys[S]]: ValueOf<Keys[S][K]> };
} & {
  /** The tools that the files describe in `[tools.NAME]`. */
  readonly tools: readonly CustomTool[];
};

/** Returns the name of the environment variable that sets a configuration key. */
export function environmentName(section: string, key: string): string {
  return `PITH_${section}_${key}`.toUpperCase().replaceAll(".", "_");
}
