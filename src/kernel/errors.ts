import { chooseStep, type Spell, type Suggestion, toolWords } from "./calls.ts";

/**
 * All error codes of Pith. Programs branch on the code, people read the message, agents follow the suggestion. A
 * released code keeps its meaning; new codes may be added.
 */
interface ErrorKind {
  /** Explains the error code in the generated documentation table. */
  readonly meaning: string;
  /** The next step to suggest if the function that throws the error gives no more specific one. */
  readonly suggestion: Suggestion;
  /** True if the same call, unchanged, may succeed later. */
  readonly retryable: boolean;
}

export const ERROR_KINDS = {
  invalid_input: {
    meaning: "An argument is missing, unknown, of the wrong type or out of bounds.",
    suggestion: "Correct the named fields and call again.",
    retryable: false,
  },
  unknown_tool: {
    meaning: "No tool or build tool of that name.",
    suggestion: [
      { text: "See the names: CALL", call: { tool: "build", args: { action: "list" } } },
      { text: "Check the name and call again." },
    ],
    retryable: false,
  },
  permission_required: {
    meaning: "The permission rules ask before this command may run.",
    suggestion: "Add the named rule to [permissions] and call again.",
    retryable: false,
  },
  permission_denied: {
    meaning: "The permission rules or the operating system forbid this.",
    suggestion: "Use another command, or change [permissions].",
    retryable: false,
  },
  workspace_not_registered: {
    meaning: "The workspace is not one that this server knows.",
    suggestion: "Pass an absolute path of a folder inside an allowed root.",
    retryable: false,
  },
  workspace_not_allowed: {
    meaning: "The path lies outside the workspace and the allowed roots.",
    suggestion: "Use a path inside the workspace, or add its root to [server] roots.",
    retryable: false,
  },
  project_not_found: {
    meaning: "No project with that id is in the store.",
    suggestion: [
      { text: "See the known projects: CALL", call: { tool: "index_status" } },
      { text: "Pass the absolute path of its folder." },
    ],
    retryable: false,
  },
  file_not_found: {
    meaning: "No such file or folder.",
    suggestion: "Check the spelling and call again.",
    retryable: false,
  },
  not_text: {
    meaning: "The file is binary, a device or a pipe, and has no lines to show.",
    suggestion: "Use a program made for this kind of file.",
    retryable: false,
  },
  symbol_not_found: {
    meaning: "No symbol of that name.",
    suggestion: [
      { text: "Check the spelling, or ask a question: CALL", call: { tool: "search_code" } },
      { text: "Check the spelling." },
    ],
    retryable: false,
  },
  ref_not_found: {
    meaning: "Git does not know that branch, tag or commit.",
    suggestion: "List the branches: git branch -a.",
    retryable: false,
  },
  ref_not_indexed: {
    meaning: "The ref exists but is not in the index.",
    suggestion: [
      { text: "Bring it in with CALL and this ref.", call: { tool: "sync_repo" } },
      { text: "Wait and try again." },
    ],
    retryable: true,
  },
  result_not_found: {
    meaning: "The result id or cursor is unknown or no longer valid.",
    suggestion: "Run the search again for new ids.",
    retryable: false,
  },
  index_not_ready: {
    meaning: "The index does not exist yet.",
    suggestion: [
      { text: "Build it with CALL, or wait and try again.", call: { tool: "index_repository" } },
      { text: "Wait and try again." },
    ],
    retryable: true,
  },
  index_in_progress: {
    meaning: "Another process is writing this index.",
    suggestion: [
      { text: "Follow it with CALL, then try again.", call: { tool: "index_status" } },
      { text: "Wait and try again." },
    ],
    retryable: true,
  },
  index_stale: {
    meaning: "The index is older than the files and the policy is strict.",
    suggestion: [
      { text: "Call CALL to update the index before querying.", call: { tool: "sync_repo" } },
      { text: "Wait and try again, or ask with freshness_policy=balanced." },
    ],
    retryable: true,
  },
  index_incompatible: {
    meaning: "The stored index was written by an incompatible version or is damaged.",
    suggestion: [
      {
        text: "Rebuild it: CALL",
        call: { tool: "index_repository", args: { force_reindex: true } },
      },
      { text: "Rebuild it in a shell: pith index --force." },
    ],
    retryable: false,
  },
  run_not_found: {
    meaning: "The run id is unknown or its log has been removed.",
    suggestion: "Run the command again; only the last runs are kept.",
    retryable: false,
  },
  invalid_cwd: {
    meaning: "The working directory does not exist or is not a folder.",
    suggestion: "Pass an existing folder inside the workspace.",
    retryable: false,
  },
  isolation_unavailable: {
    meaning: "The command was to run isolated, which is not possible here. Nothing was run.",
    suggestion: "Install bubblewrap, or change [runs] isolation.",
    retryable: false,
  },
  spawn_failed: {
    meaning: "The command could not be started.",
    suggestion: "Check that the program is installed and executable.",
    retryable: false,
  },
  timed_out: {
    meaning: "The work did not finish in its time.",
    suggestion: "Narrow the call or raise the timeout.",
    retryable: true,
  },
  cancelled: {
    meaning: "The caller cancelled the work.",
    suggestion: "Call again if the answer is still wanted.",
    retryable: true,
  },
  output_limit: {
    meaning: "The command wrote more than the limit and was stopped.",
    suggestion: "Reduce its output, or raise [runs] max_output_bytes.",
    retryable: false,
  },
  pool_unavailable: {
    meaning: "The build pool cannot be reached.",
    suggestion: "Check the store's URL and that a worker runs.",
    retryable: true,
  },
  worker_lost: {
    meaning: "The worker died and the job could not be run elsewhere.",
    suggestion: "Look at the attempts in the job's log, then submit it again.",
    retryable: true,
  },
  store_unavailable: {
    meaning: "The data folder or database cannot be read or written.",
    suggestion: "Check free space and permissions with pith doctor, or set PITH_DATA_DIR to another folder.",
    retryable: true,
  },
  config_invalid: {
    meaning: "A configuration value is unknown or not allowed.",
    suggestion: "Correct it; pith config shows every key with its source.",
    retryable: false,
  },
  internal_error: {
    meaning: "A fault in Pith itself.",
    suggestion: "Try again; if it stays, report it with the output of pith doctor.",
    retryable: true,
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

/**
 * Facts about an error for programs, in addition to the message; `suggestion` replaces the default next step of the
 * error code.
 */
export interface ErrorData {
  readonly suggestion?: Suggestion;
  readonly [fact: string]: unknown;
}

/**
 * The only error type that leaves a service. Any other error that reaches the MCP, HTTP or command-line interface
 * becomes an internal error.
 */
export class PithError extends Error {
  override readonly name = "PithError";
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, message: string, data: ErrorData = {}, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.data = data;
  }

  /** The suggested next step, written for a reader that can call every tool. */
  get suggestion(): string {
    return this.suggestionFor(toolWords);
  }

  /** Returns the suggested next step, with its call written in the syntax of a particular reader. */
  suggestionFor(spell: Spell): string {
    return chooseStep(this.data.suggestion ?? ERROR_KINDS[this.code].suggestion, spell);
  }

  get retryable(): boolean {
    return ERROR_KINDS[this.code].retryable;
  }
}

/** Converts any thrown value to a PithError: system errors by their errno, all others as internal errors with their cause. */
export function toPithError(thrown: unknown): PithError {
  if (thrown instanceof PithError) return thrown;
  if (!(thrown instanceof Error)) return new PithError("internal_error", String(thrown));
  if (thrown.name === "AbortError") return new PithError("cancelled", "Cancelled", {}, { cause: thrown });
  const errno = errnoOf(thrown) ?? "";
  const code = ERRNO_CODES[errno] ?? "internal_error";
  return new PithError(code, clipMessage(plainMessage(thrown.message)), adviceOn(errno), { cause: thrown });
}

/**
 * Returns advice on errors of the operating system. The default advice for a denied permission speaks of Pith's own
 * [permissions], which would mislead here.
 */
function adviceOn(errno: string): ErrorData {
  if (RESOURCE_EXHAUSTED.has(errno))
    return { suggestion: "End other programs or raise the limits (ulimit -n, ulimit -u), then try again." };
  if (errno === "EACCES" || errno === "EPERM")
    return { suggestion: "The system refuses it: look at the owner and the mode of that path." };
  return {};
}

/** Rewrites the message of a system error, `ENOENT: no such file or directory, open 'a'`, for people: `a: no such file or directory`. */
function plainMessage(message: string): string {
  const [, problem, path] = /^E[A-Z]+: ([^,]+), \w+ '([^']+)'$/.exec(message) ?? [];
  return problem === undefined ? message : `${path}: ${problem}`;
}

/** Shortens a long error message, because Node repeats a path in it, however long the path is. */
function clipMessage(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE)}…`;
}

const MAX_MESSAGE = 500;

/**
 * True if the error means that a database or file of Pith cannot be used at the moment, for example because of a
 * restart or a full disk; it may recover.
 */
export function isStoreUnavailable(thrown: unknown): thrown is PithError {
  return thrown instanceof PithError && thrown.code === "store_unavailable";
}

/** Returns the errno name (`ENOENT`) of a system error. */
export function errnoOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}

/** Errors that mean a limit of the operating system is exhausted: open files, processes, threads or memory. */
const RESOURCE_EXHAUSTED: ReadonlySet<string> = new Set([
  "EMFILE",
  "ENFILE",
  "EAGAIN",
  "ENOMEM",
  "ERR_WORKER_INIT_FAILED",
]);

const ERRNO_CODES: Record<string, ErrorCode> = {
  ENOENT: "file_not_found",
  ENOTDIR: "file_not_found",
  ENAMETOOLONG: "file_not_found",
  ELOOP: "file_not_found",
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  EMFILE: "permission_denied",
  ENFILE: "permission_denied",
  EAGAIN: "permission_denied",
  ENOMEM: "permission_denied",
  ERR_WORKER_INIT_FAILED: "permission_denied",
  ENOSPC: "store_unavailable",
  EROFS: "store_unavailable",
  EDQUOT: "store_unavailable",
};
