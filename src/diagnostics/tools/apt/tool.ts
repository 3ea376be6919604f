import { defineBuildTool } from "../../tool.ts";

export const apt = defineBuildTool({
  id: "apt",
  title: "apt and dpkg",
  url: "https://wiki.debian.org/Apt",
  ecosystem: "infra",
  kinds: ["install"],
  signatures: ["E: ", "W: ", "dpkg: "],
  priority: 2,
  format: {
    complaints: [
      {
        pattern:
          /^E: (?<message>(?:Unable to|Package |Couldn't|Could not|Failed to|The (?:repository|package|value|method|list)|Sub-process|Some (?:index )?files|Version |Unmet dependencies|You don't have|Malformed|Type |Invalid |dpkg was|Release file|No packages|Broken packages|Conflicting|Handler |Internal|Command line|Held packages|There (?:is|were)|Write error|Method ).*)$/,
      },
      {
        pattern:
          /^W: (?<message>(?:GPG error|Failed to fetch|Some index|Target |The repository|Skipping|An error occurred|Possible missing|Download is performed|Conflicting|Duplicate|\S+:\/\/|http).*)$/,
        severity: "warning",
      },
      /^dpkg: (?<message>(?<severity>error|warning)(?: (?:processing (?:package|archive) \S+ \(.*\)))?:.*)$/,
    ],
  },
});
