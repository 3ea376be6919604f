/**
 * The server's instructions for the model. They have at most 400 characters, because some clients repeat them with
 * every tool.
 */
export function instructionsFor(tools: ReadonlySet<string>): string {
  const offered = (...names: string[]): string[] => names.filter((name) => tools.has(name));
  const search = offered("search_code", "locate_symbol").join(" or ");
  const focused = offered("read", "grep", "bash");
  const advice = [
    search !== "" && `Find code with ${search}${tools.has("grep") ? " before grep" : ""}`,
    tools.has("get_file_outline") &&
      `see a file with get_file_outline before ${tools.has("read") ? "read" : "reading it"}`,
    focused.length > 0 && `give ${listed(focused)} a context_focus_question that names identifiers`,
  ].filter((part) => part !== false);
  const sentences = [
    advice.length > 0 && `${capitalised(advice.join("; "))}.`,
    tools.has("build") &&
      "Run builds, tests and linters with build: every error, few tokens, the log by runId.",
    !tools.has("build") &&
      tools.has("run_tests") &&
      "Run tests with run_tests, other commands with run_command.",
    "Replies fit a budget, say what was left out and how to get it.",
    search !== "" && "The index is always fresh: no need to sync.",
  ];
  return sentences.filter((sentence) => sentence !== false).join(" ");
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
