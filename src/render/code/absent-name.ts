import type { CallArguments } from "../../kernel/calls.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { RelationAnswer } from "../../model/relation.ts";
import { type Reader, spellAgain, spellFor } from "../reader/reader.ts";
import { shownPath } from "../shown-path.ts";

/** The most definitions that are named of those that a filter leaves out. */
const MAX_NAMED = 3;

/** Says that a name has no definitions: because filters leave them out, or although the name occurs. */
export function absenceText(related: RelationAnswer, filters: CallArguments, reader: Reader): string {
  const { name, leftOut, nearest, searched } = related;
  if (leftOut !== undefined) {
    const named = leftOut.definitions
      .slice(0, MAX_NAMED)
      .map(({ kind, path, line }) => `${kind} at ${shownPath(path)}:${line}`);
    const more = leftOut.definitions.length - named.length;
    const rest = more > 0 ? ` and ${more} more` : "";
    const by = Object.fromEntries(Object.entries(filters).filter(([filter]) => leftOut.by.includes(filter)));
    return `${name} is defined (${named.join(", ")}${rest}), but left out by ${spellAgain(reader, by)}`;
  }
  const near = nearest === undefined ? "" : `; nearest names: ${nearest.join(", ")}`;
  const absent = `${name} is not defined in ${pluralize(searched.files, "file")}`;
  return `${absent}${occurrencesText(", but occurs", related, reader)}${near}`;
}

/** Says in how many lines a name occurs, with the call that lists them; nothing if that is not known. */
export function occurrencesText(verb: string, { occurrences }: RelationAnswer, reader: Reader): string {
  if (occurrences === undefined) return "";
  const { lines, files, pattern } = occurrences;
  const call = spellFor(reader)({ tool: "grep", args: { pattern } });
  const how = call === undefined ? "" : `: ${call}`;
  return `${verb} in ${pluralize(lines, "line")} of ${pluralize(files, "file")}${how}`;
}
