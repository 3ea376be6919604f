import { ACCESS_RULES } from "./access-schema.ts";
import { INDEX_TABLES } from "./index/schema.ts";
import { DROP_QUEUE_LIBRARY, JOB_TABLES, QUEUE_LIBRARY_ENTRIES } from "./queue/schema.ts";
import { RUN_TABLES } from "./runs/schema.ts";
import { VECTOR_TABLES } from "./vectors/schema.ts";

/** The schema of the team store, one entry per version. Append only: entry n takes a store from version n to n + 1. */
export const MIGRATIONS: readonly string[] = [
  INDEX_TABLES,
  RUN_TABLES,
  JOB_TABLES,
  ACCESS_RULES,
  VECTOR_TABLES,
  QUEUE_LIBRARY_ENTRIES,
  DROP_QUEUE_LIBRARY,
];
