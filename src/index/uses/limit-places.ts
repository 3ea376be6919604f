import type { RelatedPlace, RelationAnswer } from "../../model/relation.ts";
import type { PlaceLimit } from "./relation-question.ts";

/**
 * Keeps the places that a question asks for, such as those in a folder, and counts the others. A word that is part of no
 * path is no limit.
 */
export function limitPlaces(related: RelationAnswer, limit: PlaceLimit): RelationAnswer {
  const { places } = related;
  const isInside = (place: RelatedPlace): boolean => fits(place, limit);
  const kept = places.filter(isInside);
  if (kept.length === places.length) return related;
  if (kept.length === 0 && limit.kind === "path" && !limit.path.includes("/")) return related;
  const where = limit.kind === "path" ? limit.path : limit.kind === "tests" ? "tests" : "code without tests";
  return { ...related, places: kept, limitedTo: { where, leftOut: places.length - kept.length } };
}

function fits({ path, isTest }: RelatedPlace, limit: PlaceLimit): boolean {
  if (limit.kind !== "path") return (isTest === true) === (limit.kind === "tests");
  const [own, wanted] = [`/${path.toLowerCase()}/`, limit.path.toLowerCase()];
  if (own.includes(`/${wanted}/`)) return true;
  // A file may be named without its extension.
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.startsWith(`${wanted}.`);
}
