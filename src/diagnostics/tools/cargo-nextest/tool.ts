import { defineBuildTool } from "../../tool.ts";
import { nextestParser } from "./parse.ts";

export const cargoNextest = defineBuildTool({
  id: "cargo-nextest",
  title: "cargo nextest",
  url: "https://nexte.st",
  ecosystem: "rust",
  kinds: ["test"],
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
});
