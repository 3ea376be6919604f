import type { Language } from "../language.ts";
import { scanSwift } from "./scan.ts";

/** Swift. Scanned by hand: the grammar at hand reads a tenth of a megabyte a second and stumbles over newer syntax. */
export const swift: Language = {
  id: "swift",
  name: "Swift",
  extensions: [".swift", ".swiftinterface"],
  interpreters: ["swift"],
  holds:
    "classes, structs, actors, enums and cases, protocols, extensions, functions, initializers, subscripts, properties, type aliases, macros",
  outline: { by: "scanner", separator: ".", scan: scanSwift },
};
