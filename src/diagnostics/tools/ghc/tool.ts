import { defineBuildTool } from "../../tool.ts";
import { GhcParser } from "./parse.ts";

export const ghc = defineBuildTool({
  id: "ghc",
  title: "GHC, cabal and stack",
  url: "https://www.haskell.org/ghc",
  ecosystem: "general",
  kinds: ["build"],
  signatures: [".hs:", ".lhs:"],
  priority: 8,
  parser: (sink) => new GhcParser(sink),
  commands: [
    {
      name: "cabal.build",
      description: "Build the package",
      detect: (folder) =>
        folder.has("*.cabal") || folder.has("cabal.project") ? "it has a cabal file" : undefined,
      argv: () => ["cabal", "build"],
    },
  ],
});
