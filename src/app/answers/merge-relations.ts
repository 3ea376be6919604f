import { sortPlaces, type RelatedPlace, type RelationAnswer } from "../../model/relation.ts";
import { mergeMetadata, mergeSearched } from "./merge-answers.ts";

/** What one project answered, with prefixed paths. */
interface ProjectRelations {
  readonly project: string;
  readonly answer: RelationAnswer;
}

/** Merges what several projects answered about the same name into one list. */
export function mergeRelations(parts: readonly ProjectRelations[]): RelationAnswer {
  const [first] = parts;
  if (first === undefined) throw new Error("no answer to merge");
  const answers = parts.map(({ answer }) => answer);
  const sum = (count: (one: RelationAnswer) => number): number =>
    answers.reduce((total, one) => total + count(one), 0);
  const definitions = answers.flatMap((one) => one.definitions);
  const nearest = [...new Set(answers.flatMap((one) => one.nearest ?? []))];
  const elsewhere = parts.filter(({ answer }) => answer.definitions.length === 0 && answer.places.length > 0);
  const defining = answers.filter((one) => one.definitions.length > 0);
  const unsearched = sum(({ unsearchedDefinitions = 0 }) => unsearchedDefinitions);
  return {
    relation: first.answer.relation,
    name: first.answer.name,
    definitions,
    ...(unsearched > 0 && { unsearchedDefinitions: unsearched }),
    places: sortPlaces(placesOf(answers, definitions.length > 1)),
    unresolved: sum(({ unresolved }) => unresolved),
    ...unresolvedNamesOf(answers),
    otherUses: sum(({ otherUses }) => otherUses),
    ...mergedOthers(answers),
    isByName: defining.length > 0 && defining.every(({ isByName }) => isByName),
    metadata: mergeMetadata(
      answers.map(({ metadata }) => metadata),
      false,
    ),
    searched: mergeSearched(answers.map(({ searched }) => searched)),
    ...(elsewhere.length > 0 && { definedElsewhere: elsewhere.map(({ project }) => project) }),
    ...(definitions.length === 0 && nearest.length > 0 && { nearest }),
    ...(definitions.length === 0 && leftOutOf(answers)),
    ...(answers.every(({ places }) => places.length === 0) && occurrencesOf(answers)),
    projectId: answers.map(({ projectId }) => projectId).join(","),
    elapsedMs: sum(({ elapsedMs }) => elapsedMs),
  };
}

/** Returns the places of all answers; of several definitions, each says which ones of the whole list it may refer to. */
function placesOf(answers: readonly RelationAnswer[], isSeveral: boolean): RelatedPlace[] {
  let before = 0;
  return answers.flatMap(({ places, definitions }) => {
    const first = before;
    before += definitions.length;
    if (!isSeveral || definitions.length === 0) return places;
    return places.map(({ of = [0], ...place }) => ({ ...place, of: of.map((one) => one + first) }));
  });
}

/** Returns the places of other uses, if each answer with some has listed them. */
function mergedOthers(answers: readonly RelationAnswer[]): Pick<RelationAnswer, "otherPlaces"> {
  const some = answers.filter(({ otherUses }) => otherUses > 0);
  const isWhole = some.length > 0 && some.every(({ otherPlaces }) => otherPlaces !== undefined);
  return isWhole ? { otherPlaces: some.flatMap(({ otherPlaces = [] }) => otherPlaces) } : {};
}

function unresolvedNamesOf(answers: readonly RelationAnswer[]): Pick<RelationAnswer, "unresolvedNames"> {
  const names = new Set(answers.flatMap(({ unresolvedNames }) => unresolvedNames ?? []));
  return names.size === 0 ? {} : { unresolvedNames: [...names].sort() };
}

function leftOutOf(answers: readonly RelationAnswer[]): Pick<RelationAnswer, "leftOut"> {
  const all = answers.flatMap(({ leftOut }) => leftOut ?? []);
  if (all.length === 0) return {};
  const by = [...new Set(all.flatMap((one) => one.by))];
  return { leftOut: { definitions: all.flatMap(({ definitions }) => definitions), by } };
}

function occurrencesOf(answers: readonly RelationAnswer[]): Pick<RelationAnswer, "occurrences"> {
  const [first, ...others] = answers.flatMap(({ occurrences }) => occurrences ?? []);
  if (first === undefined) return {};
  const add = (a: typeof first, b: typeof first): typeof first => ({
    ...a,
    lines: a.lines + b.lines,
    files: a.files + b.files,
  });
  return { occurrences: others.reduce(add, first) };
}
