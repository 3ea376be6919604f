import { defineBuildTool } from "../../tool.ts";

export const lerna = defineBuildTool({
  id: "lerna",
  title: "Lerna",
  url: "https://lerna.js.org",
  ecosystem: "js",
  kinds: ["build", "test", "run"],
  signatures: ["lerna ERR!", "lerna WARN", "lerna info", "lerna notice"],
  priority: 5,
  format: {
    complaints: [
      // A line that ends in "stdout:" or "stderr:" is not a complaint; it announces the output of the package that
      // failed.
      /^lerna (?<severity>ERR!|WARN) (?!.*(?:stdout|stderr):$)(?:(?<code>E[A-Z]{3,}) (?=\S))?(?<message>.+)$/,
    ],
    severities: { "ERR!": "error" },
    noise: /^lerna (?:ERR!|WARN|info|notice|success|verb|http|timing)/,
  },
});
