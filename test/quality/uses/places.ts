import { join } from "node:path";
import type { CodeIndex } from "../../../src/index/service.ts";
import type { Certainty, RelatedDefinition, RelatedPlace } from "../../../src/model/relation.ts";

export interface ListedPlaces {
  readonly definitions: readonly RelatedDefinition[];
  /** `path:line` of each place. */
  readonly places: ReadonlyMap<string, Certainty>;
  readonly listed: readonly RelatedPlace[];
}

/** Returns the places that Pith lists as uses of a name that a file defines. */
export async function placesOf(
  index: CodeIndex,
  root: string,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<ListedPlaces> {
  const { definitions, places } = await index.relate({
    limit: 50,
    offset: 0,
    level: "signature",
    policy: "balanced",
    relation: "uses",
    root,
    name,
    path: join(root, path),
  });
  return {
    definitions,
    places: new Map(places.map((one) => [`${one.path}:${one.line}`, one.certainty])),
    listed: places,
  };
}
