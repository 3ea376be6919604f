import { defineBuildTool } from "../../tool.ts";

export const detekt = defineBuildTool({
  id: "detekt",
  title: "detekt",
  url: "https://detekt.dev",
  ecosystem: "java",
  kinds: ["lint"],
  signatures: [".kt:", ".kts:"],
  priority: 12,
  format: {
    severity: "warning",
    complaints: [
      // Matches a problem, for example: /app/Cart.kt:9:5: This expression contains a magic number. [MagicNumber]
      /^(?<file>\S.{0,1000}?\.kts?):(?<line>\d{1,9}):(?<column>\d{1,9}): (?<message>.{1,4000}) \[(?<code>[A-Z]\w{2,80})\]$/,
      // Matches an entry of the list by rule set, with or without a message: MagicNumber - [total] at /app/Cart.kt:9:5
      /^\t(?<code>[A-Z]\w{2,80}) - (?<message>.{0,4000}?) ?(?:at )?(?<file>\/?\S[^ ]{0,1000}\.kts?):(?<line>\d{1,9}):(?<column>\d{1,9})(?: - Signature=.*)?$/,
    ],
  },
});
