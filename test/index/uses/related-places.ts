import type { CodeIndex } from "../../../src/index/service.ts";

/** Returns the related places of a name: `path:line within`, with `?` after places that are only possible. */
export async function relatedPlaces(index: CodeIndex, root: string, name: string, more: object = {}) {
  const defaults = {
    limit: 50,
    offset: 0,
    level: "signature",
    policy: "balanced",
    relation: "uses",
  } as const;
  const answer = await index.relate({ ...defaults, root, name, ...more });
  const places = answer.places.map(
    ({ path, line, within, name: own, certainty }) =>
      `${path}:${line}${certainty === "sure" ? "" : "?"} ${own ?? within ?? "-"}`,
  );
  return { ...answer, places };
}
