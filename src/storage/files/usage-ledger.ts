import { appendFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { compareText } from "../../kernel/nearest.ts";
import type { UsageEntry, UsageLedger } from "../../model/usage.ts";

/**
 * Stores one file per day with one JSON line per call. Appending a short line is atomic, so servers can share the folder without a lock; a
 * line cut off by a crash is skipped when reading.
 */
export function createUsageLedger(folder: string, logger: Logger): UsageLedger {
  let queue: Promise<void> = Promise.resolve();
  const partly = new Set<string>();
  const append = async (entry: UsageEntry): Promise<void> => {
    try {
      await makePrivateFolder(folder);
      await appendFile(join(folder, `${entry.time.slice(0, 10)}.jsonl`), `${JSON.stringify(entry)}\n`, {
        mode: 0o600,
      });
    } catch (error) {
      logger.event("usage.write_failed", { error: String(error) }, "warn");
    }
  };
  return {
    record({ about, ...usage }) {
      const again = about !== undefined && partly.has(about.subject);
      if (about?.partly === true) partly.add(about.subject);
      const entry = {
        time: new Date().toISOString(),
        ...usage,
        ...(again ? { retrieval: true as const } : {}),
      };
      queue = queue.then(() => append(entry));
    },
    read: (days) => readUsage(folder, days),
    flush: () => queue,
  };
}

async function readUsage(folder: string, days: number): Promise<UsageEntry[]> {
  const files = (await listFiles(folder)).sort(compareText).slice(-days);
  const entries: UsageEntry[] = [];
  for (const file of files)
    for (const line of (await readFile(join(folder, file), "utf8")).split("\n")) {
      const entry = parseEntry(line);
      if (entry !== undefined) entries.push(entry);
    }
  return entries;
}

async function listFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return [];
    throw error;
  }
}

function parseEntry(line: string): UsageEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The line is skipped, because it is empty or was cut off by a crash.
    return undefined;
  }
  return isEntry(value) ? value : undefined;
}

function isEntry(value: unknown): value is UsageEntry {
  return (
    typeof value === "object" &&
    value !== null &&
    "time" in value &&
    typeof value.time === "string" &&
    "tool" in value &&
    typeof value.tool === "string" &&
    "tokens" in value &&
    typeof value.tokens === "number"
  );
}
