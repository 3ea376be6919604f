import { defineBuildTool } from "../../tool.ts";

export const checkstyle = defineBuildTool({
  id: "checkstyle",
  title: "Checkstyle",
  url: "https://checkstyle.org",
  ecosystem: "java",
  kinds: ["lint"],
  signatures: ["Starting audit...", "[ERROR] ", "[WARN] ", "[INFO] ", ".java:"],
  // Checkstyle's lines look like Maven's, except for the rule at the end, so its parser is offered lines before
  // Maven's.
  priority: 25,
  format: {
    complaints: [
      /^ {0,8}(?:\[(?:ant:)?checkstyle\] )?\[(?<severity>ERROR|WARN|INFO)\] (?<file>\S.{0,1000}?):(?<line>\d{1,9}):(?:(?<column>\d{1,9}):)? (?<message>.{1,4000}) \[(?<code>[A-Za-z][\w.]{1,120})\]$/,
      // Matches the format of versions before 6.15, which print the severity after the location, and none for errors.
      /^(?=.*\.java:)(?<file>\S.{0,1000}?\.\w{1,12}):(?<line>\d{1,9}):(?:(?<column>\d{1,9}):)? (?:(?<severity>warning|info|error): )?(?<message>.{1,4000}) \[(?<code>[A-Z][A-Za-z]{3,80})\]$/,
      // Its Ant task before 6.15 prints no rule either.
      /^ {0,8}\[(?:ant:)?checkstyle\] (?<file>[^\s[].{0,1000}?\.\w{1,12}):(?<line>\d{1,9}):(?:(?<column>\d{1,9}):)? (?:(?<severity>warning|info|error): )?(?<message>.{1,4000})$/,
    ],
    noise:
      /^ {0,8}(?:\[(?:ant:)?checkstyle\] )?(?:Starting audit\.\.\.|Audit done\.|Checkstyle ends with \d+ errors?\.|Running Checkstyle .{1,200})$/,
  },
});
