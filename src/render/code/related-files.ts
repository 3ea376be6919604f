import { groupBy } from "../../kernel/group-by.ts";
import type { RelatedPlace } from "../../model/relation.ts";
import { shownPath } from "../shown-path.ts";

/** The lines about one file, which a reply shows together or not at all. */
export interface FileBlock {
  readonly lines: readonly string[];
  readonly places: number;
}

/**
 * Writes places by file, each with the functions around them. Files that follow each other in one folder are listed
 * under it, because their paths would make up most of the reply.
 */
export function fileBlocks(places: readonly RelatedPlace[]): FileBlock[] {
  const files = [...groupBy(places, ({ path }) => path)];
  const folders = files.map(([path]) => folderOf(path));
  return files.map(([path, own], at) => {
    const folder = folders[at] ?? "";
    const isFollowing = at > 0 && folders[at - 1] === folder;
    const isGrouped = folder !== "" && (isFollowing || folders[at + 1] === folder);
    const lines = isGrouped
      ? fileLines(shownPath(path.slice(folder.length)), own).map((line) => ` ${line}`)
      : fileLines(shownPath(path), own);
    return {
      lines: isGrouped && !isFollowing ? [shownPath(folder), ...lines] : lines,
      places: own.length,
    };
  });
}

/** Writes places by file for Markdown, in which a heading has the whole path. */
export function markdownBlocks(places: readonly RelatedPlace[]): FileBlock[] {
  return Array.from(
    groupBy(places, ({ path }) => path),
    ([path, own]) => ({
      lines: [`## ${shownPath(path)}`, ...entriesOf(path, own).map((entry) => `- ${entry}`)],
      places: own.length,
    }),
  );
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

function fileLines(path: string, places: readonly RelatedPlace[]): string[] {
  const entries = entriesOf(path, places);
  return entries.length === 1
    ? [`${path} ${entries.join("")}`]
    : [path, ...entries.map((entry) => ` ${entry}`)];
}

/**
 * Writes the functions around places with the lines, and `?` after a line that is not certain. A type with the name of
 * its file, as in Java, is not repeated.
 */
function entriesOf(path: string, places: readonly RelatedPlace[]): string[] {
  const fileType = `${/([^/.]*)[^/]*$/u.exec(path)?.[1] ?? ""}.`;
  const groups = groupBy(places, ({ name, within }) => {
    const around = name ?? within ?? "";
    return around.startsWith(fileType) ? around.slice(fileType.length) : around;
  });
  return Array.from(groups, ([around, own]) => {
    const lines = own.map(({ line, certainty }) => `${line}${certainty === "sure" ? "" : "?"}`).join(",");
    return around === "" ? lines : `${around}:${lines}`;
  });
}
