import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { TestIndex } from "../../support/code-index.ts";
import { judge, rangesOf, scoreOf, type Answered } from "./measure.ts";
import { allQuestions } from "./questions.ts";

const MODULES = resolve(import.meta.dirname, "../../../node_modules");

/** Share of the questions over the pinned packages whose right file is shown with the right function. */
const MIN_PLACE = 0.75;

/** Checks which lines of the right file a search shows. */
export function checkPlaces(test: TestIndex): void {
  describe("the place that a search shows for the right file", () => {
    it("is the function that answers, for most questions over the pinned packages", async () => {
      const answered: Answered[] = [];
      for (const { repository, questions } of allQuestions(resolve(import.meta.dirname, "pinned"))) {
        const root = resolve(MODULES, repository);
        for (const question of questions) {
          const { hits } = await test.search(root, question.text, { level: "location" });
          answered.push(judge(question, hits, await rangesOf(root, question)));
        }
      }
      const wrong = answered.filter(({ isPlace }) => !isPlace).map(({ question }) => question.text);
      expect(scoreOf(answered).place, wrong.join("\n")).toBeGreaterThanOrEqual(MIN_PLACE);
    }, 60_000);

    it("is measured on questions over twelve repositories, none of which is part of this one", () => {
      const all = allQuestions(resolve(import.meta.dirname, "questions"));
      expect(all).toHaveLength(12);
      expect(all.flatMap(({ questions }) => questions)).toHaveLength(204);
      for (const { commit, name } of all) {
        expect(commit).toMatch(/^[0-9a-f]{10}$/);
        expect(existsSync(resolve(import.meta.dirname, name))).toBe(false);
      }
    });
  });
}
