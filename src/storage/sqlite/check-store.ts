import { existsSync } from "node:fs";
import { isDamaged } from "./database.ts";
import { openDatabase, type Database } from "./driver.ts";

/** Looks at the structure of every page, 0.2 s for 130 MB, and says what is wrong with the first bad one. */
export function faultInPages(database: Database): string | undefined {
  const word = String(database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"]);
  if (word === "ok") return undefined;
  return word
    .replace(/^\*\*\* in database \w+ \*\*\*/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** What is wrong with a database, and what helps against damage; undefined where nothing is, or where there is none. */
export async function faultOf(path: string, remedy: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  const damaged = (word: string): string => `${path} is damaged (${word}); ${remedy}`;
  try {
    const database = await openDatabase(path);
    try {
      const fault = faultInPages(database);
      return fault === undefined ? undefined : damaged(fault);
    } finally {
      database.close();
    }
  } catch (error) {
    const word = error instanceof Error ? error.message : String(error);
    return isDamaged(error, path) ? damaged(word) : `${path}: ${word}`;
  }
}
