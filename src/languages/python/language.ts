import type { Language } from "../language.ts";
import { scanPython } from "./scan.ts";

/**
 * Python: functions, classes and the assignments of modules and classes. Scanned by hand, ten times as fast as by a
 * grammar: large Python repositories are where the time to the first index is decided.
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
