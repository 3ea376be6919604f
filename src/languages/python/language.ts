import type { Language } from "../language.ts";
import { scanPython } from "./scan.ts";

/**
 * Python: functions, classes and the assignments of modules and classes. It is scanned by hand, which is ten times
 * faster than with a grammar; large Python repositories take the longest to index.
 */
export const python: Language = {
  id: "python",
  name: "Python",
  extensions: [".py", ".pyi", ".pyw", ".pyx", ".pxd", ".bzl", ".bazel", ".star"],
  fileNames: ["sconstruct", "sconscript", "wscript"],
  interpreters: ["python", "pypy", "uv"],
  holds: "functions, methods, properties, classes, module and class variables, type aliases",
  outline: { by: "scanner", separator: ".", scan: scanPython },
};
