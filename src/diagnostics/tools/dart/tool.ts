import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { DartParser } from "./parse.ts";

export const dart = defineBuildTool({
  id: "dart",
  title: "Dart and Flutter",
  url: "https://dart.dev/tools/dart-analyze",
  ecosystem: "general",
  kinds: ["build", "lint", "format"],
  signatures: [".dart:", ".dart"],
  priority: 5,
  parser: (sink) => new DartParser(sink),
  commands: [
    {
      name: "dart.analyze",
      description: "Analyse the package",
      detect: hasPubspec,
      argv: (folder) => (usesFlutter(folder) ? ["flutter", "analyze"] : ["dart", "analyze"]),
    },
  ],
});

/** Returns why the folder is a Dart package. */
export function hasPubspec(folder: FolderFacts): string | undefined {
  return folder.has("pubspec.yaml") ? "pubspec.yaml is here" : undefined;
}

/** Returns whether the package is built with Flutter. */
export function usesFlutter(folder: FolderFacts): boolean {
  return /^\s+sdk:\s*flutter\b/m.test(folder.nearest("pubspec.yaml") ?? "");
}
