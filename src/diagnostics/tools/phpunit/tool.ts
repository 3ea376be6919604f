import { classNames } from "../../parsing/class-names.ts";
import { type FolderFacts, defineBuildTool } from "../../tool.ts";
import { PhpunitParser } from "./parse.ts";

export const phpunit = defineBuildTool({
  id: "phpunit",
  title: "PHPUnit",
  url: "https://phpunit.de",
  ecosystem: "php",
  kinds: ["test"],
  programs: ["phpunit"],
  signatures: ["PHPUnit ", "There was 1 ", "There were ", "OK (", "Tests: ", " triggered "],
  parser: (sink) => new PhpunitParser(sink),
  commands: [
    {
      name: "phpunit.test",
      description: "Run the tests",
      detect: (folder) =>
        folder.has("phpunit.xml") || folder.has("phpunit.xml.dist") || folder.has("phpunit.dist.xml")
          ? "it has a phpunit.xml"
          : undefined,
      argv: (folder) => [isDependency(folder) ? "vendor/bin/phpunit" : "phpunit"],
      report: (argv, file) =>
        argv.includes("--log-junit") ? undefined : { argv: [...argv, "--log-junit", file] },
    },
  ],
  rerun: "vendor/bin/phpunit",
  selectTests: {
    filter: (text) => ["--filter", text],
    package: (name) => ["--testsuite", name],
    // Versions before 10 take a single path, but all of them take a pattern of class names.
    files: (argv, paths) => [...argv, "--filter", `/\\b(?:${classNames(paths).join("|")})::/`],
  },
});

/** True if Composer installs PHPUnit for the project, where otherwise the installed program runs its tests. */
function isDependency(folder: FolderFacts): boolean {
  const manifest = folder.nearest("composer.json");
  return folder.has("vendor/bin/phpunit") || (manifest !== undefined && /"phpunit\/phpunit"/.test(manifest));
}
