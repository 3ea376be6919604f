import { defineBuildTool } from "../../tool.ts";

export const ghc = defineBuildTool({
  id: "ghc",
  title: "GHC, cabal and stack",
  url: "https://www.haskell.org/ghc",
  ecosystem: "general",
  kinds: ["build"],
  signatures: [".hs:", ".lhs:"],
  priority: 8,
  format: {
    complaints: [
      // Matches a location and severity, for example: Cart.hs:4:9-12: warning: [GHC-66111] [-Wunused-matches]. A range
      // of lines is printed as (3,1)-(5,10). Stack indents these lines.
      /^(?<indent>\s*)(?<file>\S.{0,1000}?\.l?hs(?:-boot|c)?):(?:(?<line>\d{1,9}):(?<column>\d{1,9})(?:-(?<lastColumn>\d{1,9}))?|\((?<line2>\d{1,9}),(?<column2>\d{1,9})\)-\((?<endLine>\d{1,9}),(?<lastColumn2>\d{1,9})\)): (?<severity>error|warning):(?: \[(?<code2>GHC-\d{4,6})\])?(?: \[(?<code>-W[\w-]{1,80})(?:, [^\]]*| \([^)]*\))?\])?\s*(?<message>\S.*)?$/,
    ],
    continuation: [
      // Matches the quoted source lines.
      /^ {0,8}\d{0,7} \||^ {0,8}\|/,
      /^ {4}(?<message>\s*\S.*)$/,
    ],
  },
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
