import type { Ecosystem } from "../../model/installed-package.ts";

/** What the lookup rules of an ecosystem depend on. */
export interface LookupPlace {
  /** The workspace folder. */
  readonly root: string;
  /** The top folder of the repository around the workspace; the workspace itself if there is none. */
  readonly top: string;
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A package as its ecosystem has installed it. */
export interface PackageFolder {
  readonly name: string;
  readonly version?: string;
  /** Absolute path of its folder, or of its only file; it may be a symbolic link. */
  readonly folder: string;
  /**
   * The folders of installed packages, one of which the real path of the package must be in. A link to any other place
   * is followed only inside the workspace.
   */
  readonly within: readonly string[];
}

/** A package that a text names, and the path behind its name. */
export interface NamedPackage extends PackageFolder {
  readonly inside: string;
}

/** A package that a project requires and that is not installed. */
export interface RequiredPackage {
  readonly name: string;
  readonly version: string;
  /** The command that installs it. */
  readonly install: string;
}

/** Finds installed packages by the rules of one ecosystem, without running any of its programs. */
export interface PackageSource {
  readonly ecosystem: Ecosystem;
  /** Returns the versions that fit a text such as `zod/src/index.ts` or `zod@3.22.4`; the one that code resolves is first. */
  find(text: string, place: LookupPlace): Promise<readonly NamedPackage[]>;
  /** Returns the names of all packages that are installed here. */
  names(place: LookupPlace): Promise<readonly string[]>;
  /** Returns the package that a text names and the project requires, if it is not installed. */
  required?(text: string, place: LookupPlace): Promise<RequiredPackage | undefined>;
}

/** Splits `@scope/name@version/path` as npm, pip and cargo write it; undefined if the text is no such name. */
export function splitPackageText(
  text: string,
): { readonly name: string; readonly version?: string; readonly inside: string } | undefined {
  const [, name, version, inside = ""] =
    /^((?:@[^/@\s]+\/)?[^/@\s]+)(?:@([^/\s]+))?(?:\/(.*))?$/s.exec(text) ?? [];
  if (name === undefined || name === "." || name === "..") return undefined;
  return { name, ...(version !== undefined && { version }), inside };
}

/** Returns those of the found versions that were asked for; all of them if no version was named. */
export function ofVersion<T extends { readonly version?: string }>(
  found: readonly T[],
  version: string | undefined,
): readonly T[] {
  if (version === undefined) return found;
  const exact = found.filter((one) => one.version === version);
  return exact.length > 0 ? exact : found.filter((one) => one.version?.startsWith(`${version}.`) === true);
}
