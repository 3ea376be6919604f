import type { InstalledPackage } from "../../model/installed-package.ts";

/** The line that says which installed version a reply is about. */
export function packageNote(found: InstalledPackage | undefined): string[] {
  if (found === undefined) return [];
  const { name, version, ecosystem, others } = found;
  const also = others.length === 0 ? "" : `; also ${others.join(", ")}`;
  return [`(${name}${version === undefined ? "" : ` ${version}`}, ${ecosystem}${also})`];
}

/** The same facts as JSON fields. */
export function packageFields(found: InstalledPackage | undefined): Record<string, unknown> {
  if (found === undefined) return {};
  const { name, version, ecosystem, others } = found;
  return {
    dependency: {
      name,
      ...(version !== undefined && { version }),
      ecosystem,
      ...(others.length > 0 && { others }),
    },
  };
}
