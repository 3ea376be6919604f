import { PithError } from "../../kernel/errors.ts";
import { LABEL_RULE, readLabels } from "../labels.ts";
import {
  isInRange,
  readRange,
  type Version,
  type VersionInterval,
  versionsBeginningWith,
} from "./version-range.ts";

/** What a machine has, by name: the versions of its toolchains, and its cores and memory as versions of one number. */
export type MachineFacts = Readonly<Record<string, readonly Version[]>>;

/** The names of facts that a worker finds out about its machine. */
export const FACT_NAMES = [
  "bun",
  "cores",
  "deno",
  "dotnet",
  "gcc",
  "go",
  "java",
  "memory",
  "node",
  "php",
  "python",
  "ruby",
  "rust",
] as const;
export type FactName = (typeof FACT_NAMES)[number];

/** A fact that a machine must have for a job. */
export interface Need {
  readonly name: FactName;
  /** The range as its author wrote it. */
  readonly text: string;
  /** The file of the project that says so; absent if the caller or the settings do. */
  readonly source?: string;
  readonly intervals: readonly VersionInterval[];
}

/** What a worker must have for a job: labels, which are compared as texts, and facts, which are compared as versions. */
export interface Requirements {
  readonly labels: readonly string[];
  readonly needs: readonly Need[];
}

/** A condition on a fact, such as `node>=20`, `cores>=8` or `python=3.11`. */
const CONDITION = /^(?<name>[a-z]+)(?<range>(?<operator>[<>]=?|=)\d[\d.]*)$/;

/** Separates the labels of a request from its conditions on facts. Throws for texts that are neither. */
export function readRequirements(texts: readonly string[], where: string): Requirements {
  const labels: string[] = [];
  const needs: Need[] = [];
  for (const text of new Set(texts.map((one) => one.trim()))) {
    const need = conditionOf(text);
    if (need !== undefined) needs.push(need);
    else if (/[<>]/.test(text))
      throw new PithError("invalid_input", `${where}: ${JSON.stringify(text.slice(0, 80))} is no condition`, {
        suggestion: `${LABEL_RULE} Versions and sizes are compared with names of: ${FACT_NAMES.join(", ")}.`,
      });
    else labels.push(text);
  }
  return { labels: readLabels(labels, where), needs };
}

/** Returns the texts of a request, or throws if one is neither a label nor a condition. */
export function checkRequirements(texts: readonly string[], where: string): string[] {
  const { labels, needs } = readRequirements(texts, where);
  return [...labels, ...needs.map(({ name, text }) => `${name}${text}`)];
}

/** Returns whether a machine meets all needs. The database decides in the same way when a worker asks for jobs. */
export function meetsNeeds(facts: MachineFacts, needs: readonly Need[]): boolean {
  return needs.every(({ name, intervals }) => isInRange(facts[name] ?? [], intervals));
}

/** Writes a need for a reader: `node >=20 (package.json)`. */
export function describeNeed({ name, text, source }: Pick<Need, "name" | "text" | "source">): string {
  return `${name} ${text.replace(/^=/, "")}${source === undefined ? "" : ` (${source})`}`;
}

/** Writes facts in the form of labels: `node=22.3.0`, `cores=8`. */
export function describeFacts(facts: MachineFacts): string[] {
  return Object.entries(facts).flatMap(([name, versions]) =>
    versions.map((version) =>
      name === "cores" || name === "memory" ? `${name}=${version[0]}` : `${name}=${version.join(".")}`,
    ),
  );
}

function conditionOf(text: string): Need | undefined {
  const { name: given = "", range = "", operator = "" } = CONDITION.exec(text)?.groups ?? {};
  const name = FACT_NAMES.find((one) => one === given);
  if (name === undefined) return undefined;
  const intervals = operator === "=" ? versionsBeginningWith(range) : readRange(range);
  return intervals && { name, text: range, intervals };
}
