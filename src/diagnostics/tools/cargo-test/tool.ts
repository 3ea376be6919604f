import { defineBuildTool } from "../../tool.ts";
import { cargoTestParser } from "./parse.ts";
import { CARGO_PROGRESS } from "../cargo/messages.ts";
import { cargoTargets, isMember, unitTests, wholeWorkspace } from "./targets.ts";

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
      argv: (folder) => ["cargo", "test", ...wholeWorkspace(folder)],
    },
  ],
  rerun: "cargo test",
  ownsIndented: CARGO_PROGRESS,
  selectTests: {
    filter: (text) => [text],
    package: (name) => ["-p", name],
    files: cargoTargets,
    isRootOf: isMember,
    runsBesides: unitTests,
  },
});
