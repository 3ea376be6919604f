import type { View, ViewFile } from "../live/view.ts";
import { termsOfIdentifier, foldName } from "../text/terms.ts";

/** Returns the files of code that contain one of these names, by the words of the index. */
export function filesWithAnyName(view: View, names: readonly string[]): readonly ViewFile[] {
  const found = new Set<number>();
  for (const name of names) {
    // The number sign of a private member of JavaScript or of `r#type` in Rust is no part of the word, nor the mark of a
    // setter of Ruby.
    const word = name.replaceAll(/^r?#|=$/gu, "");
    const term = foldName(word);
    // A name of one letter is no term of the index, so every file may contain it.
    if (!termsOfIdentifier(word).includes(term))
      return view.files.filter(({ facts }) => facts.kind === "code");
    for (const [number, { segment }] of view.segments.entries()) {
      const index = segment.vocabulary.indexOf(term);
      if (index < 0) continue;
      const end = segment.postingStart[index + 1] ?? 0;
      for (let at = segment.postingStart[index] ?? end; at < end; at++) {
        const document = segment.chunkDocument[segment.postingChunk[at] ?? 0] ?? 0;
        view.eachFile(number, document, (file) => found.add(file));
      }
    }
  }
  return [...found].flatMap((number) => view.files[number] ?? []);
}

/** Returns the files with an import that may lead to a file: it contains the name of the file or of its folder. */
export function filesImporting(view: View, { path, facts }: ViewFile): readonly ViewFile[] {
  const folder = path.split("/").at(-2) ?? "";
  const words = new Set([facts.stem, ...(facts.stem === "index" || facts.stem === "main" ? [folder] : [])]);
  return view.files.filter(
    (file) =>
      file.facts.kind === "code" &&
      view.documentOf(file).imports.some((source) => {
        const last =
          source
            .replace(/\.[cm]?[jt]sx?$/u, "")
            .split("/")
            .at(-1) ?? "";
        return words.has(last) || last === "." || last === ".." || last === "index";
      }),
  );
}
