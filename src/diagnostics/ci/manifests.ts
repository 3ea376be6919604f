import type { Line } from "../tool.ts";

/** A file that lists the dependencies of a project, as a log names it. */
export interface Manifest {
  readonly file: string;
  /** The number of the last log line that names it. */
  readonly seenAt: number;
}

/** Literal texts of the names of the files that list dependencies. */
export const MANIFEST_SIGNATURES: readonly string[] = [
  "requirements",
  "setup.py",
  "setup.cfg",
  "pyproject.toml",
  "Pipfile",
  "tox.ini",
  "environment.y",
  "package.json",
  "Gemfile",
  "pom.xml",
  "build.gradle",
];

/** Matches the path of a file that lists dependencies, unless it is that of a dependency. */
const PATH =
  /(?:^|[\s"'(=[])((?:[\w.@~-]{0,100}\/){0,20}(?:[\w.-]{0,60}requirements[\w.-]{0,60}\.(?:txt|in|pip)|setup\.(?:py|cfg)|pyproject\.toml|Pipfile|tox\.ini|environment\.ya?ml|package\.json|Gemfile|pom\.xml|build\.gradle(?:\.kts)?))(?=$|[\s"'),:;\]])/;
const FOREIGN = /node_modules\/|-packages\/|\.m2\/|\.gradle\/|\/gems\/|\/tmp\//;

/** How an ecosystem reports that a dependency is missing or has the wrong version, and which files list its dependencies. */
const ECOSYSTEMS: readonly { readonly error: RegExp; readonly manifest: RegExp }[] = [
  {
    error:
      /\b(?:ImportError|ModuleNotFoundError|DistributionNotFound|VersionConflict)\b|No matching distribution found|Could not find a version that satisfies/,
    manifest: /(?:requirements[\w.-]*\.\w+|setup\.\w+|pyproject\.toml|Pipfile|tox\.ini|environment\.ya?ml)$/,
  },
  {
    error: /Cannot find (?:module|package) '[^./]|Can't resolve '[^./]|\bERESOLVE\b|\bETARGET\b/,
    manifest: /package\.json$/,
  },
  { error: /cannot load such file -- [^./]|\bGem::\w*Error\b|\bBundler::/, manifest: /Gemfile$/ },
  {
    error:
      /\b(?:NoClassDefFoundError|ClassNotFoundException|NoSuchMethodError|NoSuchFieldError|UnsupportedClassVersionError)\b|\bpackage [\w.]+ does not exist|Could not (?:resolve|find) (?:all |artifact|dependencies)/,
    manifest: /(?:pom\.xml|build\.gradle(?:\.kts)?)$/,
  },
];

const MAX_MANIFESTS = 200;
const MAX_SHOWN = 3;

/** Collects the files that list dependencies, because they are the place to mend an error about a missing one. */
export class Manifests {
  readonly #seen = new Map<string, number>();

  /** Takes a line with one of `MANIFEST_SIGNATURES`. */
  take({ text, number }: Line): void {
    const file = PATH.exec(text.slice(0, 1_000))?.[1]?.replace(/^\.\//, "");
    if (file === undefined || FOREIGN.test(file)) return;
    if (this.#seen.size < MAX_MANIFESTS || this.#seen.has(file)) this.#seen.set(file, number);
  }

  all(): Manifest[] {
    return [...this.#seen].map(([file, seenAt]) => ({ file, seenAt }));
  }
}

/** Matches the report of Maven that a step of the build failed which the project's pom.xml configures. */
const MAVEN_PROJECT = /^Failed to execute goal .{0,300}?on project (\S{1,200}): /;

/**
 * Returns the files that list the dependencies, or configure the step of the build, which the errors speak of: those that
 * the log named last come first.
 */
export function manifestsFor(errors: readonly string[], known: readonly Manifest[]): string[] {
  const blamed = ECOSYSTEMS.filter(({ error }) => errors.some((one) => error.test(one)));
  const listed = known
    .filter(({ file }) => blamed.some(({ manifest }) => manifest.test(file)))
    .toSorted((one, other) => other.seenAt - one.seenAt)
    .map(({ file }) => file);
  const configured = errors.flatMap((one) => {
    const project = MAVEN_PROJECT.exec(one)?.[1];
    if (project === undefined) return [];
    return [known.find(({ file }) => file.endsWith(`${project}/pom.xml`))?.file ?? `pom.xml of ${project}`];
  });
  return [...new Set([...configured, ...listed])].slice(0, MAX_SHOWN);
}
