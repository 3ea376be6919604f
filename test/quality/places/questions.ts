import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/** Questions over one public repository at a commit. The repositories themselves are not part of this one. */
export interface Questions {
  /** The name of the checkout's folder, such as `click`. */
  readonly name: string;
  readonly repository: string;
  readonly commit: string;
  readonly language: string;
  readonly questions: readonly Question[];
}

/** A question, the file that answers it, and the functions in it of which each is a right answer. */
export interface Question {
  readonly text: string;
  readonly path: string;
  readonly functions: readonly string[];
}

const FOLDER = resolve("test/quality/places/questions");

/** Reads the questions over one repository: a head line, then `question | path#function` on each line. */
export function readQuestions(file: string): Questions {
  const [head = "", ...rows] = readFileSync(file, "utf8").trim().split("\n");
  const [repository = "", commit = "", language = ""] = head.split(" ");
  const questions = rows.map((row): Question => {
    const [, text, path, names] = /^(.*) \| (\S+?)#(.+)$/.exec(row) ?? [];
    if (text === undefined || path === undefined || names === undefined)
      throw new Error(`${file}: no question and place in: ${row}`);
    return { text, path, functions: names.split(" ") };
  });
  return { name: basename(file, ".txt"), repository, commit, language, questions };
}

export function allQuestions(folder = FOLDER): readonly Questions[] {
  return readdirSync(folder)
    .sort()
    .map((file) => readQuestions(join(folder, file)));
}
