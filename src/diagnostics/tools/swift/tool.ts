import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { SwiftParser } from "./parse.ts";

export const swift = defineBuildTool({
  id: "swift",
  title: "Swift, SwiftPM and xcodebuild",
  url: "https://www.swift.org",
  ecosystem: "swift",
  kinds: ["build", "install"],
  programs: ["swift", "xcodebuild"],
  signatures: [
    ".swift:",
    "xcodebuild: error",
    ".xcodeproj: ",
    "Building for ",
    "** BUILD ",
    "error: '",
    "warning: '",
    "Planning build",
    "❌ ",
    "error: build had ",
    ".storyboard:",
    ".xib:",
    "Command line invocation:",
  ],
  priority: 8,
  parser: (sink) => new SwiftParser(sink),
  commands: [
    {
      name: "swift.build",
      description: "Build the package",
      detect: hasPackage,
      argv: () => ["swift", "build"],
    },
  ],
  manifests: ["Package.swift"],
});

/** Returns why the folder is a Swift package. */
export function hasPackage(folder: FolderFacts): string | undefined {
  return folder.has("Package.swift") ? "Package.swift is here" : undefined;
}
