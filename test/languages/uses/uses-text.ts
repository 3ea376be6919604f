import { outlineOf } from "../../../src/languages/outline.ts";
import { usesOf } from "../../../src/languages/uses/extract.ts";

/** Returns the uses of a text, one line of the text after another: `line: name role receiver, …`. */
export async function usesText(text: string, language: string): Promise<string[]> {
  const { uses } = usesOf(text, await outlineOf(text, language));
  const lines = new Map<number, string[]>();
  for (const { name, line, role, receiver } of uses) {
    const shown = `${name} ${role}${receiver === "none" ? "" : ` ${receiver}`}`;
    lines.set(line, [...(lines.get(line) ?? []), shown]);
  }
  return [...lines].map(([line, shown]) => `${line}: ${shown.join(", ")}`);
}

/** Returns the import and export statements of a text: `line module { name as other }`. */
export async function linksText(text: string, language: string): Promise<string[]> {
  const { links } = usesOf(text, await outlineOf(text, language));
  return links.map(({ kind, line, module, names, all }) =>
    [
      `${line} ${kind}`,
      module === "" ? "(own)" : module,
      ...(all ? ["*all*"] : []),
      ...names.map(({ name, as }) => (name === as ? name : `${name}>${as}`)),
    ].join(" "),
  );
}
