/** Questions with the files that answer them, over packages that package-lock.json pins. */
export interface LabelledQuery {
  readonly corpus: "zod/src" | "knip/dist";
  readonly kind: "symbol" | "semantic" | "architecture" | "issue";
  readonly query: string;
  readonly files: readonly string[];
}

function over(
  corpus: LabelledQuery["corpus"],
  kind: LabelledQuery["kind"],
  rows: Readonly<Record<string, string>>,
): LabelledQuery[] {
  return Object.entries(rows).map(([query, files]) => ({ corpus, kind, query, files: files.split(" ") }));
}

export const QUERIES: readonly LabelledQuery[] = [
  ...over("zod/src", "symbol", {
    ZodObject: "v4/classic/schemas.ts",
    $ZodRegistry: "v4/core/registries.ts",
    prettifyError: "v4/core/errors.ts",
    toJSONSchema: "v4/core/json-schema-processors.ts",
    JSONSchemaGenerator: "v4/core/json-schema-generator.ts",
    "ZodError.format": "v3/ZodError.ts",
    $ZodCheckLessThan: "v4/core/checks.ts",
    fromJSONSchema: "v4/classic/from-json-schema.ts",
  }),
  ...over("zod/src", "semantic", {
    "convert a schema to json schema": "v4/core/to-json-schema.ts v4/core/json-schema-processors.ts",
    "regular expression for email addresses": "v4/core/regexes.ts",
    "coerce input to number or date": "v4/classic/coerce.ts",
    "minimum and maximum length checks": "v4/core/checks.ts",
    "create a schema from json schema": "v4/classic/from-json-schema.ts",
    "format errors as a tree": "v4/core/errors.ts",
    "global configuration of error messages": "v4/core/core.ts",
  }),
  ...over("zod/src", "architecture", {
    "how are schema metadata registries implemented": "v4/core/registries.ts",
    "standard schema interface": "v4/core/standard-schema.ts",
    "how does just in time compilation of object parsers work":
      "v4/core/schemas.ts v4/core/doc.ts v4/core/compile.ts",
  }),
  ...over("knip/dist", "symbol", {
    ConfigurationChief: "ConfigurationChief.js",
    DependencyDeputy: "DependencyDeputy.js",
    IssueCollector: "IssueCollector.js",
    getImportsAndExports: "typescript/get-imports-and-exports.js",
    parseAndConvertGitignorePatterns: "util/parse-and-convert-gitignores.js",
    CacheConsultant: "CacheConsultant.js",
    graphSequencer: "util/graph-sequencer.js",
  }),
  ...over("knip/dist", "semantic", {
    "parse command line arguments": "util/parse-args.js util/cli-arguments.js",
    "remove an unused export from a file": "util/remove-export.js IssueFixer.js",
    "write results as sarif": "reporters/sarif.js",
    "parse shell scripts for binaries": "binaries/bash-parser.js",
    "load the knip configuration file": "util/load-config.js",
    "watch files for changes": "util/watch.js",
    "read tsconfig": "util/load-tsconfig.js",
    "map workspaces of a monorepo": "util/map-workspaces.js",
    "find owners of a file": "util/codeowners.js",
  }),
  ...over("knip/dist", "architecture", {
    "how is the module graph built": "graph/build.js",
    "how are unused exports analyzed": "graph/analyze.js",
    "module resolution": "typescript/resolve-module-names.js util/resolve.js",
    "caching between runs": "CacheConsultant.js util/disk-cache.js util/file-entry-cache.js",
  }),
  ...over("knip/dist", "issue", {
    "When I run knip in a repository with nested .gitignore files, files that are ignored by a pattern in a subfolder are still reported as unused. I expected that patterns in a nested gitignore are converted relative to the folder they are in, and that the negated ones are applied after the others. It works when I move the pattern to the root.":
      "util/parse-and-convert-gitignores.js util/glob-core.js",
    "The --fix option removes the wrong text: after running with fix the file has a syntax error because the comma after the removed export specifier stays. The export list was on one line with a type export first. Running the fixer again then removes another export too much, so I had to restore the file from git.":
      "util/remove-export.js IssueFixer.js",
  }),
];
