import { defineBuildTool, type FolderFacts } from "../../tool.ts";
import { cargoTestParser } from "./parse.ts";
import { CARGO_PROGRESS } from "../cargo/messages.ts";

export const cargoTest = defineBuildTool({
  id: "cargo-test",
  title: "cargo test (libtest)",
  url: "https://doc.rust-lang.org/cargo/commands/cargo-test.html",
  ecosystem: "rust",
  kinds: ["test"],
  programs: ["cargo"],
  signatures: [
    "test result: ",
    " ... ok",
    " ... FAILED",
    " --- FAILED",
    "stdout ----",
    "failed, to rerun pass",
    "running ",
    '{ "type": "suite"',
    '{"type":"suite"',
  ],
  priority: 8,
  parser: cargoTestParser,
  commands: [
    {
      name: "cargo.test",
      description: "Run the package's tests",
      detect: (folder) => (folder.nearest("Cargo.toml") === undefined ? undefined : "Cargo.toml is here"),
      argv: () => ["cargo", "test"],
    },
  ],
  rerun: "cargo test",
  ownsIndented: CARGO_PROGRESS,
  selectTests: { filter: (text) => [text], package: (name) => ["-p", name], files: cargoTargets },
});

/**
 * Cargo runs whole targets: the files and folders of `tests/` are one each, and tests beside the code belong to the
 * library.
 */
export function cargoTargets(
  argv: readonly string[],
  paths: readonly string[],
  folder: FolderFacts,
): readonly string[] {
  const targets = paths.map((path) => /^tests\/([^/]+?)(?:\.rs|\/.*)$/.exec(path)?.[1]);
  const named = [...new Set(targets.filter((name) => name !== undefined))].flatMap((name) => [
    "--test",
    name,
  ]);
  // Cargo refuses --lib where there is no library.
  const hasLibrary = folder.has("src/lib.rs") || /^\s*\[lib\]/mu.test(folder.nearest("Cargo.toml") ?? "");
  const own = hasLibrary ? ["--lib", "--bins"] : ["--bins"];
  return [...argv, ...(targets.includes(undefined) ? own : []), ...named];
}
