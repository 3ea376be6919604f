import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HealthCheck } from "../../model/health.ts";
import { isDamaged } from "./database.ts";
import { openDatabase } from "./driver.ts";
import { listAside } from "./set-aside.ts";

/** Whether the runs of a data folder can be read, and what was set aside because it could not. */
export async function checkRunStore(folder: string): Promise<HealthCheck> {
  const name = "run store";
  const path = join(folder, "runs.db");
  const aside = listAside(path);
  const left =
    aside.length === 0 ? "" : `; damaged and set aside: ${aside.join(", ")} (remove what is not needed)`;
  const fault = existsSync(path) ? await faultOf(path) : undefined;
  return { name, ok: fault === undefined, detail: `${fault ?? path}${left}` };
}

async function faultOf(path: string): Promise<string | undefined> {
  try {
    const database = await openDatabase(path);
    try {
      const [row] = database.prepare("PRAGMA quick_check(1)").all();
      const word = Object.values(row ?? {})[0];
      return word === "ok" ? undefined : damaged(path, String(word));
    } finally {
      database.close();
    }
  } catch (error) {
    const word = error instanceof Error ? error.message : String(error);
    return isDamaged(error, path) ? damaged(path, word) : `${path}: ${word}`;
  }
}

function damaged(path: string, word: string): string {
  return `${path} is damaged (${word.replaceAll(/\s+/g, " ")}); the next run that meets the damage sets it aside and begins a new one`;
}
