/**
 * The server's instructions for the model. They have at most 400 characters, because some clients repeat them with
 * every tool.
 */
export function instructionsFor(tools: ReadonlySet<string>): string {
  const offered = (...names: string[]): string[] => names.filter((name) => tools.has(name));
  const search = offered("search_code", "locate_symbol").join(" or ");
  const view = offered("read", "get_file_outline").join(" or ");
  const focused = offered("read", "grep", "bash");
  const advice = [
    search !== "" && `find code with ${search}, not grep`,
    view !== "" && `view files with ${view}, not cat`,
    tools.has("build") && "run builds, tests and linters with build, not a raw shell",
    !tools.has("build") && tools.has("run_tests") && "run tests with run_tests, not a raw shell",
  ].filter((part) => part !== false);
  const sentences = [
    advice.length > 0 && `${capitalised(advice.join("; "))}.`,
    focused.length > 0 && `Give ${listed(focused)} a context_focus_question when you expect much text.`,
    `Replies ${search === "" ? "" : "are up to date with the files, "}fit a budget and name the call for what they leave out.`,
  ];
  return sentences.filter((sentence) => sentence !== false).join(" ");
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
