import { defineBuildTool } from "../../tool.ts";

export const androidLint = defineBuildTool({
  id: "android-lint",
  title: "Android lint and AAPT",
  url: "https://developer.android.com/studio/write/lint",
  ecosystem: "java",
  kinds: ["lint", "build"],
  signatures: [": Warning: ", ": Error: ", ": Information: ", "AAPT: error", ".xml:"],
  priority: 11,
  format: {
    complaints: [
      // Matches a problem, for example: /app/AndroidManifest.xml:3: Warning: Not targeting the latest version
      // [OldTargetApi]
      /^(?<file>\S.{0,1000}?\.\w{1,12})(?::(?<line>\d{1,9}))?: (?<severity>Error|Warning|Information|Fatal): (?<message>.{1,4000}) \[(?<code>\w{2,80})(?: from [^\]]{1,200})?\]$/,
      // Matches an error of the resource compiler: ERROR:/app/res/values/strings.xml:12:5: AAPT: error: resource not
      // found.
      /^(?:ERROR: ?)?(?<file>\S.{0,1000}?\.(?:xml|png|json|9\.png))(?::(?<line>\d{1,9})(?::(?<column>\d{1,9}))?(?:-\d{1,9}(?::\d{1,9})?)?)?: (?:AAPT: )?error: (?<message>.*)$/,
    ],
  },
});
