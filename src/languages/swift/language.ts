import type { Language } from "../language.ts";
import { scanSwift } from "./scan.ts";

/**
 * Swift. It has a scanner of its own, because the available grammar reads only 0.1 MB per second and fails on newer
 * syntax.
 */
export const swift: Language = {
  id: "swift",
  name: "Swift",
  extensions: [".swift", ".swiftinterface"],
  interpreters: ["swift"],
  holds:
    "classes, structs, actors, enums and cases, protocols, extensions, functions, initializers, subscripts, properties, type aliases, macros",
  outline: { by: "scanner", separator: ".", scan: scanSwift },
};
