import { defineBuildTool } from "../../tool.ts";
import { LatexParser } from "./parse.ts";

export const latex = defineBuildTool({
  id: "latex",
  title: "LaTeX and latexmk",
  url: "https://www.latex-project.org",
  ecosystem: "general",
  kinds: ["build"],
  signatures: [
    "This is pdfTeX",
    "TeX, Version ",
    "LaTeX Warning: ",
    "LaTeX Error: ",
    "Latexmk: ",
    "! Undefined control",
  ],
  priority: 6,
  parser: (sink) => new LatexParser(sink),
  commands: [
    {
      name: "latexmk",
      description: "Build the documents",
      detect: (folder) => (folder.has("*.tex") ? "it has .tex files" : undefined),
      argv: () => ["latexmk", "-pdf", "-interaction=nonstopmode", "-file-line-error"],
    },
  ],
});
