/** Questions about packages pinned by package-lock.json, with the files that answer them. */
export interface LabelledQuery {
  readonly corpus: "zod/src" | "knip/dist" | "graphile-worker/dist";
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
  ...over("zod/src", "semantic", {
    "detect cycles while parsing recursive data": "v4/core/memoizer.ts",
    "walk through all nested schemas and transform them": "v4/core/visit.ts",
    "make every nested property optional":
      "v4/core/visit.ts v4/classic/deep-partial.ts v4/mini/deep-partial.ts",
    "build source code of a function line by line": "v4/core/doc.ts",
    "german error messages": "v4/locales/de.ts",
    "parse data and throw on failure": "v4/core/parse.ts v4/classic/parse.ts",
    "iso date and time strings": "v4/classic/iso.ts v4/mini/iso.ts",
  }),
  ...over("zod/src", "architecture", {
    "where are the default error messages in english": "v4/locales/en.ts",
    "how are issues collected and finalized into an error":
      "v4/core/util.ts v4/core/errors.ts v4/core/parse.ts",
    "which functions of the first schema classes are kept for compatibility": "v4/classic/compat.ts",
  }),
  ...over("zod/src", "issue", {
    "z.toJSONSchema drops the description of a nested schema when the same schema is used twice. I have an object whose two properties share one schema with .meta({ description }) and expected both to keep it. With the reused option set to ref the definition has the description, inlined it is gone. Happens in version 4 with target draft-7 as well.":
      "v4/core/to-json-schema.ts v4/core/json-schema-processors.ts",
  }),
  ...over("knip/dist", "semantic", {
    "order packages so that dependencies come first": "util/graph-sequencer.js",
    "measure time and memory of functions": "util/Performance.js",
    "extract imports from svelte files": "compilers/svelte.js",
    "fix issues in package.json": "IssueFixer.js util/package-json.js",
    "show results as markdown tables": "reporters/markdown.js",
    "annotations for github": "reporters/github-actions.js",
    "resolve binaries started by yarn": "binaries/resolvers/yarn.js",
    "jsdoc tags that exclude an export": "util/tag.js",
    "unused entries of a pnpm catalog": "CatalogCounselor.js util/catalog.js YamlCatalogPeeker.js",
    "find the source file of a built file": "util/to-source-path.js",
    "circular imports": "reporters/cycles.js",
    "choose workspaces on the command line": "util/workspace-selectors.js",
  }),
  ...over("knip/dist", "architecture", {
    "where are plugins registered and run for a workspace": "WorkspaceWorker.js plugins/index.js",
    "how are issue types included and excluded": "util/get-included-issue-types.js",
    "where does the command line program start": "cli.js run.js",
    "how is the graph explored upwards and downwards":
      "graph-explorer/walk-up.js graph-explorer/walk-down.js",
  }),
  ...over("graphile-worker/dist", "symbol", {
    makeAddJob: "helpers.js",
    LocalQueue: "localQueue.js",
    runTaskList: "main.js",
    parseCrontab: "crontab.js",
  }),
  ...over("graphile-worker/dist", "semantic", {
    "parse crontab lines": "crontab.js",
    "does a time match a schedule": "cronMatcher.js",
    "backfill runs that were missed": "cron.js",
    "run database migrations": "migrate.js",
    "mark jobs as failed": "sql/failJobs.js",
    "load tasks from a directory": "getTasks.js",
    "run executable files as tasks": "plugins/LoadTaskFromExecutableFilePlugin.js",
    "fetch a batch of jobs and hand them to workers": "localQueue.js",
    "unlock jobs of workers that died": "sql/resetLockedAt.js",
    "remove unused task identifiers and queues": "cleanup.js",
    "retry with exponential delay": "lib.js",
  }),
  ...over("graphile-worker/dist", "architecture", {
    "graceful shutdown on signals": "main.js signals.js",
    "how does a worker take and run a job": "worker.js sql/getJobs.js",
    "where are options and presets merged": "lib.js config.js preset.js",
  }),
  ...over("graphile-worker/dist", "issue", {
    "After the database restarts, the worker no longer gets told about new jobs. It keeps polling, so jobs still run, but with the delay of the poll interval. In the log I see that listening for notifications failed with a lost connection and then nothing. I expected that it connects again, with some delay between the attempts, and listens as before.":
      "main.js",
  }),
];
