/** Shown to the model once a session, by some clients beside every tool: at most 400 characters. */
export const INSTRUCTIONS =
  "Find code with search_code or locate_symbol before grep; see a file with get_file_outline before read; give read, grep and " +
  "bash a context_focus_question that names identifiers. Run builds, tests and linters with build: every error, few tokens, the " +
  "log by runId. Replies fit a budget, say what was left out and how to get it. The index is always fresh: no need to sync.";
