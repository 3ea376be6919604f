import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { CARGO_PROGRESS } from "./messages.ts";
import { cargoParser } from "./parse.ts";
import { rustStage } from "./stages.ts";

const hasManifest = (folder: FolderFacts): string | undefined =>
  folder.nearest("Cargo.toml") === undefined ? undefined : "Cargo.toml is here";

export const cargo = defineBuildTool({
  id: "cargo",
  title: "Cargo, rustc and Clippy",
  url: "https://doc.rust-lang.org/cargo/",
  ecosystem: "rust",
  kinds: ["build", "lint", "install"],
  programs: ["cargo", "rustc"],
  aliases: ["clippy"],
  signatures: [
    " --> ",
    "error[E",
    "could not compile",
    "   Compiling ",
    "    Checking ",
    "    Finished ",
    "Compiling ",
    "Cargo.toml",
    ".rs:",
    "' panicked at ",
    "no matching package",
    "error: failed to ",
    "no such command: `",
  ],
  priority: 6,
  parser: cargoParser,
  commands: [
    {
      name: "cargo.build",
      description: "Compile the package",
      detect: hasManifest,
      argv: () => ["cargo", "build"],
    },
    {
      name: "cargo.check",
      description: "Check the package without building it",
      detect: hasManifest,
      argv: () => ["cargo", "check"],
    },
    {
      name: "cargo.clippy",
      description: "Lint the package",
      detect: hasManifest,
      argv: () => ["cargo", "clippy"],
    },
  ],
  ownsIndented: CARGO_PROGRESS,
  manifests: ["Cargo.toml"],
  stageOf: rustStage,
});
