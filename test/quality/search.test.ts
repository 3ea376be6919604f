import { afterAll } from "vitest";
import { createTestIndex } from "../support/code-index.ts";
import { checkNames } from "./names/check-names.ts";
import { checkPlaces } from "./places/check-places.ts";
import { checkRanking } from "./ranking/check-ranking.ts";

/** One index for all, because reading the packages takes longer than most of the questions. */
const test = createTestIndex();
afterAll(() => test.dispose());

checkRanking(test);
checkPlaces(test);
checkNames(test);
