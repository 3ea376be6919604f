import { defineBuildTool } from "../../tool.ts";
import { rustfmtParser } from "./parse.ts";

export const rustfmt = defineBuildTool({
  id: "rustfmt",
  title: "rustfmt --check",
  url: "https://rust-lang.github.io/rustfmt/",
  ecosystem: "rust",
  kinds: ["format"],
  signatures: ["Diff in "],
  priority: 10,
  parser: rustfmtParser,
  commands: [
    {
      name: "cargo.fmt",
      description: "Check the formatting without changing files",
      detect: (folder) => (folder.nearest("Cargo.toml") === undefined ? undefined : "Cargo.toml is here"),
      argv: () => ["cargo", "fmt", "--check"],
    },
  ],
});
