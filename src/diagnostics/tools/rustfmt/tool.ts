import { defineBuildTool } from "../../tool.ts";

export const rustfmt = defineBuildTool({
  id: "rustfmt",
  title: "rustfmt --check",
  url: "https://rust-lang.github.io/rustfmt/",
  ecosystem: "rust",
  kinds: ["format"],
  signatures: ["Diff in "],
  priority: 10,
  format: {
    complaints: [
      {
        pattern: /^Diff in (?<file>.+?)(?: at line (?<line>\d{1,7})|:(?<line2>\d{1,7})):$/,
        message: "not formatted as rustfmt would",
        help: "cargo fmt",
      },
    ],
    // Matches the lines of the diff that follows a complaint.
    continuation: [/^(?:[-+ ]|@@ |$)/],
  },
  commands: [
    {
      name: "cargo.fmt",
      description: "Check the formatting without changing files",
      detect: (folder) => (folder.nearest("Cargo.toml") === undefined ? undefined : "Cargo.toml is here"),
      argv: () => ["cargo", "fmt", "--check"],
    },
  ],
});
