import { defineBuildTool } from "../../tool.ts";

export const ninja = defineBuildTool({
  id: "ninja",
  title: "Ninja",
  url: "https://ninja-build.org",
  ecosystem: "c-cpp",
  kinds: ["build"],
  signatures: ["ninja: ", "FAILED: ", "[1/"],
  priority: 5,
  format: {
    complaints: [
      {
        pattern: /^ninja(?:\.exe)?: (?:error|fatal): (?<file>\S+\.ninja):(?<line>\d{1,7}): (?<message>.+)$/,
        oneLine: true,
      },
      { pattern: /^ninja(?:\.exe)?: (?:error|fatal): (?<message>.+)$/, oneLine: true },
      { pattern: /^ninja(?:\.exe)?: warning: (?<message>.+)$/, severity: "warning", oneLine: true },
      // Matches a failed build step. Without a message it is not reported, because the tool that failed prints the
      // reason.
      /^FAILED: /,
    ],
    // Matches the command line of the failed build step, which follows.
    continuation: [{ pattern: / -o \S| -c \S|^cd | && |^: && /, below: /^$/, subtitle: true }],
    // Package managers count their steps in the same way, so this matches only the words of typical build steps.
    noise:
      /^ninja(?:\.exe)?: |^\[\d{1,7}\/\d{1,7}\] (?!.*: (?:error|warning): )(?:Building|Linking|Generating|Re-running|Running utility|Compiling|CXX|CC|AR|LINK|STAMP|Automatic|Performing|Copying|Scanning|Install the project|\S*(?:cc|c\+\+|clang|gcc|g\+\+) )/,
  },
  commands: [
    {
      name: "ninja.build",
      description: "Build with Ninja",
      detect: (folder) => (folder.has("build.ninja") ? "build.ninja is here" : undefined),
      argv: () => ["ninja"],
    },
  ],
  announces: {
    enters: /^ninja: Entering directory [`'](?<folder>.{1,1000})'$/,
    leaves: /^ninja: Leaving directory /,
  },
});
