import type { Place } from "../../../model/diagnostic.ts";
import { colonPlace } from "../../parsing/place.ts";

/** A test as Playwright names it: `[project] › file:3:5 › suite › test`. */
export interface Title {
  /** As printed, without the rule that fills the line. */
  readonly text: string;
  readonly project: string | undefined;
  readonly place: Place;
  /** Project, suites and test. */
  readonly name: string;
}

const PROJECT = /^\[([^\]]{1,200})\] [›>] /;

/** Reads a title; undefined where the text is none. */
export function readTitle(line: string): Title | undefined {
  if (line.length > 4_000) return undefined;
  const text = line.replace(/[ ─]+$/, "").trim();
  const project = PROJECT.exec(text)?.[1];
  const rest = text.replace(PROJECT, "");
  const arrow = rest.search(/ [›>] /);
  const place = arrow < 0 ? undefined : colonPlace(rest.slice(0, arrow));
  if (place?.column === undefined) return undefined;
  const name = rest.slice(arrow + 3);
  return { text, project, place, name: project === undefined ? name : `[${project}] › ${name}` };
}
