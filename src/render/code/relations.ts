import { groupBy } from "../../kernel/group-by.ts";
import type { CallArguments } from "../../kernel/calls.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { InstalledPackage } from "../../model/installed-package.ts";
import {
  definitionOf,
  type OtherPlace,
  type RelatedDefinition,
  type RelatedPlace,
  type Relation,
  type RelationAnswer,
} from "../../model/relation.ts";
import { absenceText, occurrencesText } from "./absent-name.ts";
import { EVERY_TOOL, type Reader, spellAgain, spellFor } from "../reader/reader.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { shownPath } from "../shown-path.ts";
import { PROTOCOL_VERSION } from "./hits-fields.ts";
import type { SearchedParts } from "./hits-data.ts";
import { indexNotes } from "./index-notes.ts";
import { packageFields, packageNote } from "./package-note.ts";
import { projectFields, projectNotes } from "./project-notes.ts";
import { fileBlocks, markdownBlocks, type FileBlock } from "./related-files.ts";

/** What is related to a definition, and the position of the page to show. */
export interface RelationData {
  readonly related: RelationAnswer;
  /** The arguments that choose the definitions; a call for their other uses repeats them. */
  readonly filters: CallArguments;
  /** The installed dependency that the question is about, if the caller named one. */
  readonly package?: InstalledPackage;
  /** The projects that the question is about, if there are several. */
  readonly projects?: SearchedParts;
  /** The number of places on earlier pages. */
  readonly offset: number;
  /** The most places of a page. */
  readonly limit: number;
  readonly cursorAfter: (shown: number) => string;
}

const REST_SAMPLE = "+12345 more places: cursor=1234.abcdef\n? = possible: only the name matches\n";
/** The most definitions that the first line names. */
const MAX_NAMED = 3;

/** Writes the places by file, each with the function around it. What does not fit is counted and has a cursor. */
export function renderRelations(data: RelationData, view: View): Rendered {
  const { related, offset, limit } = data;
  const { format, budget, reader = EVERY_TOOL } = view;
  const page = related.places.slice(offset, offset + limit);
  if (format === "json") return relationsJson(data, page, view);
  const isMarkdown = format === "markdown";
  const head = headOf(data, reader);
  const notes = [...limitNotes(data, reader), ...notesOf(data, otherUsesCall(data, reader))];
  for (const line of [head, ...notes, REST_SAMPLE]) budget.reserve(`${line}\n`);
  const lines: string[] = [];
  let shown = 0;
  for (const { lines: own, places } of blocksOf(related, page, isMarkdown)) {
    // The first file is always shown, so that a cursor makes progress.
    if (!budget.take(`${own.join("\n")}\n`) && shown > 0) break;
    lines.push(...own);
    shown += places;
  }
  const left = related.places.length - offset - shown;
  const cursor = data.cursorAfter(offset + shown);
  const rest = left === 0 ? [] : [`+${pluralize(left, "more place")}: ${spellAgain(reader, { cursor })}`];
  return {
    text: [head, ...lines, ...rest, ...notes].join("\n"),
    meta: { ...metaOf(related), ...(left > 0 && { cursor }) },
  };
}

const TITLES: Readonly<Record<Relation, string>> = {
  callers: "callers of",
  callees: "calls of",
  uses: "uses of",
  implementations: "implementations of",
  tests: "tests of",
};

function headOf({ related, filters }: RelationData, reader: Reader): string {
  const { relation, name, definitions, places, limitedTo } = related;
  if (definitions.length === 0) return absenceText(related, filters, reader);
  const where = limitedTo === undefined ? "" : ` in ${limitedTo.where}`;
  if (places.length === 0) {
    const more = definitions.length > MAX_NAMED ? ` and ${definitions.length - MAX_NAMED} more` : "";
    const named = definitions.slice(0, MAX_NAMED).map(placeOf).join(", ");
    const none = `No ${TITLES[relation]} ${definitions[0]?.name ?? name} (${named}${more}) found${where}`;
    return `${none}${occurrencesText("; the name is", related, reader)}`;
  }
  const [only, ...others] = definitions;
  const what = others.length === 0 && only !== undefined ? nameAndPlace(only) : name;
  const many = others.length === 0 ? "" : ` (${definitions.length} definitions)`;
  const files = new Set(places.map(({ path }) => path)).size;
  return `${TITLES[relation]} ${what}${many}${where}: ${countText(places)} in ${pluralize(files, "file")}`;
}

function placeOf({ path, line }: RelatedDefinition): string {
  return `${shownPath(path)}:${line}`;
}

function nameAndPlace(definition: RelatedDefinition): string {
  return `${definition.name} (${placeOf(definition)})`;
}

/** Returns the blocks of a page, by definition if there are several: each definition is named before its first place. */
function blocksOf(
  { places, definitions }: RelationAnswer,
  page: readonly RelatedPlace[],
  isMarkdown: boolean,
): FileBlock[] {
  const write = isMarkdown ? markdownBlocks : fileBlocks;
  if (definitions.length < 2) return write(page);
  const all = groupBy(places, definitionOf);
  return [...groupBy(page, definitionOf)].flatMap(([position, own]) => {
    const definition = definitions[position];
    const what = definition === undefined ? "any of them" : nameAndPlace(definition);
    const title = `of ${what}: ${countText(all.get(position) ?? own)}`;
    const [first, ...rest] = write(own);
    if (first === undefined) return [];
    return [{ ...first, lines: [isMarkdown ? `# ${title}` : title, ...first.lines] }, ...rest];
  });
}

/** Names the definitions to which no place refers. */
function withoutPlaces({ definitions, places }: RelationAnswer): string[] {
  if (definitions.length < 2 || places.length === 0) return [];
  const meant = new Set(places.flatMap(({ of = [] }) => of));
  const without = definitions.filter((_, position) => !meant.has(position));
  if (without.length === 0) return [];
  const more = without.length > MAX_NAMED ? ` and ${without.length - MAX_NAMED} more` : "";
  return [`of ${without.slice(0, MAX_NAMED).map(nameAndPlace).join(", ")}${more}: none`];
}

function countText(places: readonly RelatedPlace[]): string {
  const sure = places.filter(({ certainty }) => certainty === "sure").length;
  const possible = places.length - sure;
  return [...(sure > 0 ? [`${sure} sure`] : []), ...(possible > 0 ? [`${possible} possible`] : [])].join(
    ", ",
  );
}

/** Says what the list does not contain: what is only possible, what could not be resolved, and what was not searched. */
function notesOf(
  { related, package: found, projects }: RelationData,
  otherCall: string | undefined,
): string[] {
  const { definitions, otherUses, unsearchedDefinitions = 0, metadata } = related;
  const last = [
    ...packageNote(found),
    ...(projects === undefined ? indexNotes(metadata) : projectNotes(projects)),
  ];
  if (definitions.length === 0) return last;
  const ask = otherCall === undefined ? "" : `: ${otherCall}`;
  return [
    ...(related.isElsewhere === true
      ? [
          `(${related.name} is not defined; this is about ${/[^.:#\\>]+$/u.exec(related.name)?.[0] ?? related.name})`,
        ]
      : []),
    ...withoutPlaces(related),
    ...possibleNotes(related),
    ...unresolvedNotes(related),
    ...(otherUses > 0
      ? [
          `+${pluralize(otherUses, "other use")}${related.otherPlaces === undefined ? ask : `: ${otherPlacesText(related.otherPlaces)}`}`,
        ]
      : []),
    ...(unsearchedDefinitions > 0
      ? [
          `(${pluralize(unsearchedDefinitions, "more definition")} of this name not searched: give path or kind)`,
        ]
      : []),
    ...notSearched(related),
    ...last,
  ];
}

/** Writes the places of the other uses: `src/a.ts:3,7?, src/b.ts:12`. */
function otherPlacesText(places: readonly OtherPlace[]): string {
  return [...groupBy(places, ({ path }) => path)]
    .map(([path, own]) => {
      const lines = own.map(({ line, certainty }) => `${line}${certainty === "sure" ? "" : "?"}`);
      return `${shownPath(path)}:${lines.join()}`;
    })
    .join(", ");
}

/** The most names that a note lists. */
const MAX_UNRESOLVED = 10;

/** Counts the places of which it is not known what they refer to, or names what is called there. */
function unresolvedNotes({ unresolved, unresolvedNames = [] }: RelationAnswer): string[] {
  if (unresolved === 0) return [];
  if (unresolvedNames.length === 0)
    return [
      `(+${pluralize(unresolved, "place")} with such a name not resolved: nothing shows what it refers to)`,
    ];
  const left = unresolvedNames.length - MAX_UNRESOLVED;
  const more = left > 0 ? ` and ${left} more` : "";
  return [
    `(also calls of ${unresolvedNames.slice(0, MAX_UNRESOLVED).join(", ")}${more}, not resolved: several definitions have the name, or none is found)`,
  ];
}

/** Says why places are only possible. */
function possibleNotes({
  places,
  otherPlaces = [],
  isByName,
  definedElsewhere = [],
}: RelationAnswer): string[] {
  if (isByName) return ["(uses by name only: names of this language are not resolved)"];
  const isElsewhere = ({ path }: RelatedPlace): boolean =>
    definedElsewhere.some((project) => path.startsWith(`${project}:`));
  const isOpen =
    places.some((place) => place.certainty === "possible" && !isElsewhere(place)) ||
    otherPlaces.some(({ certainty }) => certainty === "possible");
  return [
    ...(isOpen ? ["(? = possible: the name matches, but nothing proves that this definition is meant)"] : []),
    ...(definedElsewhere.length > 0
      ? [`(? in ${definedElsewhere.join(", ")}: not defined there, only the name matches)`]
      : []),
  ];
}

function notSearched({ searched: { tooLarge, minified } }: RelationAnswer): string[] {
  const left = [
    ...(tooLarge > 0 ? [`${tooLarge} too large`] : []),
    ...(minified > 0 ? [`${minified} minified`] : []),
  ];
  return left.length > 0 ? [`(not searched: ${left.join(", ")})`] : [];
}

function otherUsesCall({ related: { name }, filters }: RelationData, reader: Reader): string | undefined {
  return spellFor(reader)({ tool: "locate_symbol", args: { name, relation: "uses", ...filters } });
}

/** Counts the places outside of where the question asks for them, with the call that lists all. */
function limitNotes({ related, filters }: RelationData, reader: Reader): string[] {
  const { limitedTo, name, relation } = related;
  if (limitedTo === undefined) return [];
  const all = spellFor(reader)({ tool: "locate_symbol", args: { name, relation, ...filters } });
  return [`+${pluralize(limitedTo.leftOut, "place")} elsewhere${all === undefined ? "" : `: ${all}`}`];
}

function metaOf(related: RelationAnswer): Record<string, unknown> {
  const { places, unresolved, otherUses, isByName, metadata, projectId } = related;
  const sure = places.filter(({ certainty }) => certainty === "sure").length;
  return {
    pith_protocol_version: PROTOCOL_VERSION,
    ...metadata,
    total: places.length,
    sure,
    possible: places.length - sure,
    unresolved,
    other_uses: otherUses,
    by_name_only: isByName,
    project_id: projectId,
  };
}

function relationsJson(data: RelationData, page: readonly RelatedPlace[], { budget }: View): Rendered {
  const { related, offset } = data;
  const { relation, name, definitions, nearest, searched, elapsedMs } = related;
  const {
    pith_protocol_version,
    project_id,
    total,
    sure,
    possible,
    unresolved,
    other_uses,
    by_name_only,
    ...rest
  } = metaOf(related);
  const frame = {
    relation,
    name,
    definitions: definitions.map(definitionJson),
    total_count: total,
    sure,
    possible,
    unresolved,
    ...(related.unresolvedNames !== undefined && { unresolved_names: related.unresolvedNames }),
    other_uses,
    by_name_only,
    files: new Set(related.places.map(({ path }) => path)).size,
    ...(related.otherPlaces !== undefined && { other_places: related.otherPlaces }),
    ...(related.limitedTo !== undefined && {
      limited_to: related.limitedTo.where,
      elsewhere: related.limitedTo.leftOut,
    }),
    ...(nearest !== undefined && { nearest_names: nearest }),
    ...(related.leftOut !== undefined && {
      left_out_by_filter: {
        filters: related.leftOut.by,
        definitions: related.leftOut.definitions.map(definitionJson),
      },
    }),
    ...(related.occurrences !== undefined && { occurs: related.occurrences }),
    ...(related.definedElsewhere !== undefined && { defined_elsewhere: related.definedElsewhere }),
    ...(related.unsearchedDefinitions !== undefined && {
      definitions_left_out: related.unsearchedDefinitions,
    }),
    not_searched: { too_large: searched.tooLarge, minified: searched.minified },
    ...packageFields(data.package),
    ...projectFields(data.projects),
    project_id,
    latency_ms: elapsedMs,
    metadata: { pith_protocol_version, ...rest },
  };
  budget.reserve(JSON.stringify(frame) + REST_SAMPLE);
  const shown = budget.fit(page, (place) => `${JSON.stringify(jsonPlace(place))},`);
  const kept = shown.length === 0 ? page.slice(0, 1) : shown;
  const left = related.places.length - offset - kept.length;
  const cursor = data.cursorAfter(offset + kept.length);
  const json = { ...frame, places: kept.map(jsonPlace), ...(left > 0 && { left_out: left, cursor }) };
  return jsonReply(json, { meta: { ...metaOf(related), ...(left > 0 && { cursor }) } });
}

function definitionJson({ line, ...one }: RelatedDefinition): object {
  return { ...one, line_start: line };
}

function jsonPlace({ isTest, ...place }: RelatedPlace): object {
  return { ...place, ...(isTest === true && { is_test: true }) };
}
