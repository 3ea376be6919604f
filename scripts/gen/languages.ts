import { LANGUAGES } from "../../src/languages/registry.ts";

/** The page of languages: by which names a file is known, and what its outline holds. */
export function languagesPage(): string[] {
  const rows = LANGUAGES.map(({ name, extensions, fileNames = [], outline, holds }) => {
    const files = [...extensions, ...fileNames].map((one) => `\`${one}\``).join(", ");
    return `| ${name} | ${files} | ${outline.by === "grammar" ? "tree-sitter" : "scanner"} | ${holds} |`;
  });
  return [
    "Every other text file is searchable too, as chunks without symbols. A file with errors still gives the symbols that can",
    "be found in it.",
    "",
    "| language | files | read by | its outline holds |",
    "|---|---|---|---|",
    ...rows,
  ];
}
