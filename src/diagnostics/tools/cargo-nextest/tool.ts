import { CARGO_PROGRESS } from "../cargo/progress.ts";
import { defineBuildTool } from "../../tool.ts";
import { nextestParser } from "./parse.ts";

export const cargoNextest = defineBuildTool({
  id: "cargo-nextest",
  title: "cargo nextest",
  url: "https://nexte.st",
  ecosystem: "rust",
  kinds: ["test"],
  programs: ["cargo-nextest", "nextest"],
  signatures: ["Nextest run ID", "PASS [", "FAIL [", "TIMEOUT [", "SIGABRT [", "SIGSEGV [", "Summary ["],
  priority: 9,
  parser: nextestParser,
  commands: [
    {
      name: "cargo.nextest",
      description: "Run the package's tests with nextest",
      detect: (folder) =>
        folder.nearest("Cargo.toml") !== undefined && folder.nearest(".config/nextest.toml") !== undefined
          ? ".config/nextest.toml is here"
          : undefined,
      argv: () => ["cargo", "nextest", "run"],
    },
  ],
  rerun: "cargo nextest run",
  ownsIndented: CARGO_PROGRESS,
  selectTests: { filter: (text) => [text], package: (name) => ["-p", name] },
});
