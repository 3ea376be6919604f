import type { LabelledQuery } from "./queries.ts";

/**
 * Reports, in our own words, of real bugs, with the files that their fixes changed. The pinned packages already contain the
 * fixes and therefore their words; only the order of the files is measured.
 */
type Report = readonly [text: string, files: string];

const ZOD: readonly Report[] = [
  [
    `Length checks count emoji twice
### What happens
\`z.string().max(3)\` refuses a string of three emoji. The message says that it is too long although a user sees three characters.
I expected that the length of a string is counted in code points and not in UTF-16 units, as other validators do it.
### Version
4.4.3`,
    "v4/core/checks.ts v4/core/compile.ts v4/core/util.ts",
  ],
  [
    `fromJSONSchema ignores escaped pointers
When a definition's key has a slash or a tilde, a \`$ref\` to it is not found. JSON Pointer writes them as ~1 and ~0, so the tokens
have to be unescaped before the lookup.
\`\`\`ts
z.fromJSONSchema({ $defs: { "a/b": { type: "string" } }, $ref: "#/$defs/a~1b" });
// Error: Reference not found: #/$defs/a~1b
\`\`\``,
    "v4/classic/from-json-schema.ts",
  ],
  [
    `Tuples read from a JSON schema are closed
By the specification an array with prefixItems may have any further items unless \`items: false\` stands beside it. The schema that
\`z.fromJSONSchema()\` gives back rejects every further element. I think a rest of unknown should be there by default, for the older draft with an items array as well.`,
    "v4/classic/from-json-schema.ts",
  ],
  [
    `date-time with a numeric offset is rejected after conversion
- [x] I searched for duplicates

We read an OpenAPI document and convert its schemas. A property with \`format: date-time\` accepts 2024-01-01T00:00:00Z but not
2024-01-01T00:00:00+02:00, although RFC 3339 allows the offset. The conversion from json schema should ask the iso datetime for offsets.`,
    "v4/classic/from-json-schema.ts",
  ],
  [
    `$ref in the generated JSON schema is broken for ids with a slash
\`z.toJSONSchema\` with a registry whose ids have a "/" or "~" writes them as they are into the reference, so validators resolve a
path that does not exist. The characters that JSON Pointer reserves have to be escaped when the refs are extracted into definitions.`,
    "v4/core/to-json-schema.ts",
  ],
  [
    `minItems of a tuple is wrong with io: "input"
If the last element of a tuple is an optional behind a transform or a catch, the JSON schema for the input still says that it is
required: minItems is the full length. The processor for tuples looks at the outermost schema only and not at what is inside the pipe.`,
    "v4/core/json-schema-processors.ts",
  ],
  [
    `ReDoS: the emoji validation hangs
A long string of digits that ends with a letter takes minutes in \`z.string().emoji()\`. The regular expression backtracks exponentially
because the two classes in it overlap. We see 100 % CPU on a server that validates user names. Both major versions are affected.
    at RegExp.test (<anonymous>)
    at inst._zod.check (node_modules/zod/v4/core/checks.js:402:31)`,
    "v3/types.ts v4/core/regexes.ts",
  ],
  [
    `hostname and domain accept labels of any length
A domain name may have at most 253 characters and each label 63 (RFC 1035). The pattern that is exported from regexes for a domain
accepts a label with 200 letters. Please limit the length, it is used for the allow list of our mail server.`,
    "v4/core/regexes.ts",
  ],
  [
    `treeifyError throws for a path element called "toString"
When a field's name is that of a member of Object.prototype, such as constructor or toString, formatting the error as a tree or with
\`formatError\` fails with TypeError: fieldErrors[el]._errors.push is not a function. The walkers should only look at own properties.`,
    "v4/core/errors.ts",
  ],
  [
    `xor reports a generic union error when two options match
For \`z.xor([a, b])\` the issue is the same invalid_union if no option matches and if several do. Users cannot tell which of the two it
was. It would help if the issue said that more than one option matched, and if the English message said so.`,
    "v4/core/errors.ts v4/core/schemas.ts v4/locales/en.ts",
  ],
  [
    `Scandinavian translations call an IP address a range
In Danish, Norwegian (both) and Swedish the message for an invalid ipv4 or ipv6 speaks of an address range. That is what cidrv4 and
cidrv6 are. The names of the formats in these locales seem to be swapped or copied from each other.`,
    "v4/locales/da.ts v4/locales/nn.ts v4/locales/no.ts v4/locales/sv.ts",
  ],
  [
    `Issues of a memoized recursive schema grow with every parse
After parsing the same invalid value twice, the second error has paths that are prefixed twice. It looks as if the issues that the
memoizer keeps for a node are handed out themselves and not as a copy, so the caller that prefixes the path changes the cache.`,
    "v4/core/memoizer.ts",
  ],
];

const KNIP: readonly Report[] = [
  [
    `Absolute paths in scripts are reported as entry files
**Describe the bug**
A package.json script such as \`cat /etc/hosts\` or \`/usr/local/bin/deploy.sh now\` makes knip look for an entry at that path. Words of an
unknown binary's arguments that are absolute paths should not be taken for files of the project by the fallback.`,
    "binaries/fallback.js",
  ],
  [
    `Assets used by url() in SCSS files are unused
We have \`background: url("./images/logo.svg")\` in a .scss file and the image is reported as an unused file. The scss compiler only keeps
@import and @use of other stylesheets. References by url should be tracked as imports as well.`,
    "compilers/scss.js compilers/shared.js",
  ],
  [
    `Dynamic import in the markup of a Svelte component is not seen
\`{#await import("./Chart.svelte") then chart}\` stands in the template and not in the script. The component that is loaded is reported as
unused, since only what is between the script tags is compiled. Works fine if I move the import into the script.`,
    "compilers/svelte.js plugins/svelte/compiler.js",
  ],
  [
    `Endless globbing with a circular symbolic link
Since the update a run never ends in a repository with a symlink to a parent folder. The asynchronous glob follows symbolic links, the
synchronous one does not. Killing the process shows that it is still collecting files from link/link/link.`,
    "util/glob-core.js",
  ],
  [
    `Cached globs are stale after a change of .gitignore
1. run with --cache
2. add a folder to .gitignore
3. run with --cache again

The files of the folder are still reported. The entry in the glob cache should be invalid when a gitignore file has changed, but only the
patterns and the folders are part of its key.`,
    "util/glob-cache.js util/glob-core.js util/glob.js",
  ],
  [
    `A negated gitignore pattern brings back unrelated files
With \`dist\` and \`!packages/a/dist/keep.js\` in the ignore file, files in packages/b/dist are suddenly part of the project. It seems that every
pattern that could be shadowed by the negation is dropped, even if it is about siblings that the negation does not match.`,
    "util/glob-core.js util/glob.js",
  ],
  [
    `Types imported in JSDoc are reported as unused exports
\`\`\`js
/** @import { Options } from "./types.ts" */
/** @param {Options} options */
export function run(options) {}
\`\`\`
Options is reported as an unused type. The comments are parsed for imports of modules, but the members that they name are not counted as referenced.`,
    "typescript/comments.js",
  ],
  [
    `import() in an example of a doc comment is taken for a real import
A JSDoc block with an @example that shows \`await import("some-package")\` leads to an unlisted dependency. Code in examples is documentation;
only type expressions of a comment should be searched for imports.`,
    "typescript/comments.js",
  ],
  [
    `paths of an extended tsconfig are resolved from the wrong folder
Our apps/web/tsconfig.json extends ../../tsconfig.base.json, which has \`paths\` without a baseUrl. Knip resolves the aliases relative to
apps/web and reports all of those imports as unresolved. TypeScript resolves them from the directory of the config that has them.`,
    "util/load-tsconfig.js",
  ],
  [
    `import.meta.glob with an alias finds nothing
\`import.meta.glob("@/pages/**/*.vue")\` in a Vite project: all pages are unused files. With a relative pattern it works. The visitor should
resolve the alias by the configured paths before it is globbed.`,
    "plugins/vite/visitors/importMetaGlob.js",
  ],
  [
    `node: prefixed built-ins show up as unlisted
With an unusual resolver the specifier \`node:test/reporters\` is not known as a builtin module and ends up in the list of unlisted
dependencies, with the name node:test. A specifier that begins with node: can never be a package that has to be listed in package.json.`,
    "DependencyDeputy.js",
  ],
  [
    `bun run with a local binary
A script \`bun run --bun eslint .\` does not mark eslint as used, so the dependency is reported. The resolver treats what follows as a file or
a script name. If there is no such script and no such file, it should be resolved as a binary from node_modules.`,
    "binaries/resolvers/bun.js",
  ],
];

function labelled(corpus: LabelledQuery["corpus"], reports: readonly Report[]): LabelledQuery[] {
  return reports.map(([query, files]) => ({ corpus, kind: "issue", query, files: files.split(" ") }));
}

/** Issue texts about the packages of the other queries. */
export const ISSUES: readonly LabelledQuery[] = [...labelled("zod/src", ZOD), ...labelled("knip/dist", KNIP)];
