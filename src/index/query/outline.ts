import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { outlineOf } from "../../languages/outline.ts";
import { languageById } from "../../languages/registry.ts";
import type { FileOutline, NestedImport } from "../../model/index-report.ts";
import type { CodeSymbol, ImportedName, Outline } from "../../model/symbol.ts";
import { readContent } from "../../workspace/files/file-signature.ts";
import { metadataOf } from "../code-queries.ts";
import { contentOfFile, decode } from "../store/content.ts";
import { createFileReader, isStale } from "./hits.ts";
import { relativePath, type IndexCore } from "../core.ts";
import { wantedLanguage } from "./language-name.ts";
import { openFresh } from "../live/open-fresh.ts";
import type { SkipReason } from "../store/store.ts";

export interface OutlineRequest {
  readonly root: string;
  readonly path: string;
  readonly ref?: string;
  readonly depth: "all" | "top";
  /** Parses the file as this language instead of the one given by its name. */
  readonly language?: string;
  /** True for a file that belongs to no indexed folder, such as a Python module that is a single file. */
  readonly isAlone?: boolean;
  readonly signal?: AbortSignal;
}

/** Returns the outline of one file: all symbols that it defines. */
export async function outlineFile(core: IndexCore, request: OutlineRequest): Promise<FileOutline> {
  const path = relativePath(request.root, request.path);
  if (request.isAlone === true) return outlineAlone(core, path, request);
  const { source, freshness } = await openFresh(core, { ...request, paths: [path], policy: "balanced" });
  const { view, index, project, ref } = source;
  const language = wantedLanguage(request.language);
  // If the file is missing from the index or has changed since it was indexed, it is read from disk.
  const isKnown = freshness.isUnchecked !== true && !freshness.pending.has(path);
  const waiting = isKnown ? index.entries.has(path) && index.isStale(path) : index.isStale(path);
  const onDisk =
    ref === "live" && waiting
      ? await outlineOnDisk(project.root, path, {
          maxFileBytes: core.settings.maxFileBytes,
          language,
        })
      : undefined;
  if (onDisk !== undefined) {
    const { outline, lineCount } = onDisk;
    const metadata = metadataOf({ ...freshness, pending: new Set(), isUnchecked: false }, ref, false);
    return { ...shapeOutline(outline, request.depth), path, lineCount, stale: false, metadata };
  }
  const file = view.fileAt(path);
  if (file === undefined)
    throw missingFile(path, index.entries.get(path)?.skipped, [
      ...view.files.map((known) => known.path),
      ...freshness.pending,
    ]);
  const outline =
    language === undefined
      ? await createFileReader(source).outline(file)
      : await outlineOf((await project.textOf(file, ref))?.text ?? "", language);
  const stale = isStale(file, source);
  // Freshness is reported for the requested file alone, and this file has been checked.
  const about = { ...freshness, pending: new Set(stale ? [path] : []), isUnchecked: false };
  return {
    ...shapeOutline(outline, request.depth),
    path,
    lineCount: view.documentOf(file).lineCount,
    stale,
    metadata: metadataOf(about, ref, false),
  };
}

async function outlineAlone(core: IndexCore, path: string, request: OutlineRequest): Promise<FileOutline> {
  const found = await outlineOnDisk(request.root, path, {
    maxFileBytes: core.settings.maxFileBytes,
    language: wantedLanguage(request.language),
  });
  if (found === undefined) throw missingFile(path, "unreadable", []);
  const metadata = metadataOf({ pending: new Set(), isComplete: true, isWorking: false }, "live", false);
  const { outline, lineCount } = found;
  return { ...shapeOutline(outline, request.depth), path, lineCount, stale: false, metadata };
}

/** Reads and parses a file whose current version is not in the index yet; for a single file, this takes little time. */
async function outlineOnDisk(
  root: string,
  path: string,
  options: { readonly maxFileBytes: number; readonly language: string | undefined },
): Promise<{ readonly outline: Outline | undefined; readonly lineCount: number } | undefined> {
  const content = readContent(root, path, options.maxFileBytes);
  if (content === undefined || "tooLarge" in content) return undefined;
  const file = contentOfFile(path, content.bytes, "");
  if ("skipped" in file) return undefined;
  const text = decode(file.bytes) ?? "";
  const language = options.language ?? languageById(file.language)?.id;
  const outline = language === undefined ? undefined : await outlineOf(text, language);
  const isOpen = text !== "" && !text.endsWith("\n");
  return { outline, lineCount: text.split("\n").length - (isOpen ? 0 : 1) };
}

function shapeOutline(
  outline: Outline | undefined,
  depth: OutlineRequest["depth"],
): Pick<FileOutline, "language" | "symbols" | "imports" | "symbolCount" | "hasErrors" | "parsed"> {
  const symbols = outline?.symbols ?? [];
  const imports = nestedImports(outline);
  return {
    language: outline?.language ?? "text",
    symbols: depth === "top" ? topOf(symbols) : symbols,
    imports: depth === "top" ? topOf(imports) : imports,
    symbolCount: symbols.length + imports.length,
    hasErrors: outline?.hasErrors ?? false,
    parsed: outline !== undefined,
  };
}

function topOf<T extends { readonly parent?: number }>(nested: readonly T[]): T[] {
  return nested.filter(({ parent }) => parent === undefined);
}

/** Adds to each import the innermost definition around it, because imports may be inside a function or a module. */
function nestedImports(outline: Outline | undefined): NestedImport[] {
  const { imports = [], symbols = [] } = outline ?? {};
  return imports
    .toSorted((a, b) => a.line - b.line)
    .map((found) => {
      const parent = symbols.findLastIndex((symbol) => isAround(symbol, found));
      return parent < 0 ? found : { ...found, parent };
    });
}

/**
 * Returns true if the symbol encloses the import. A symbol that starts on the same line does not: `const a =
 * require("a")`.
 */
function isAround({ lineStart, lineEnd }: CodeSymbol, { line, lineEnd: last = line }: ImportedName): boolean {
  return lineStart < line && lineEnd >= last;
}

const SKIP_MESSAGES: Readonly<Record<SkipReason, string>> = {
  too_large: "exceeds the size limit of the index",
  binary: "is not a text file",
  minified: "is minified, or data in a few long lines",
  unreadable: "cannot be read",
};

function missingFile(path: string, skipped: SkipReason | undefined, paths: readonly string[]): PithError {
  if (skipped !== undefined)
    return new PithError(
      skipped === "binary" ? "not_text" : "file_not_found",
      `${path} ${SKIP_MESSAGES[skipped]}`,
      {
        path,
        ...(skipped !== "binary" && {
          suggestion: [
            { text: "See it: CALL", call: { tool: "read", args: { file_path: path } } },
            { text: "See it in an editor or a shell." },
          ],
        }),
      },
    );
  if (paths.some((known) => known.startsWith(`${path}/`)))
    return new PithError("invalid_input", `${path} is a folder`, {
      path,
      suggestion: [
        {
          text: "Outline one of its files; list them: CALL",
          call: { tool: "grep", args: { pattern: "", path, output: "files" } },
        },
        { text: "Outline one of its files." },
      ],
    });
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const name = path.slice(folder.length);
  const same = paths.filter((known) => known === name || known.endsWith(`/${name}`));
  const beside = paths
    .filter((known) => known.startsWith(folder) && !known.includes("/", folder.length))
    .map((known) => known.slice(folder.length));
  const nearest =
    same.length > 0 ? same.slice(0, 3) : nearestNames(name, beside).map((near) => `${folder}${near}`);
  return new PithError("file_not_found", `No file ${path} in the index`, {
    path,
    ...(nearest.length > 0 && { nearest, suggestion: `Did you mean ${nearest.join(", ")}?` }),
  });
}
