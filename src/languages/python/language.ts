import type { Language } from "../language.ts";
import { scanPython } from "./scan.ts";

/**
 * Python: functions, classes and the assignments of modules and classes. It has a scanner of its own, which is ten
 * times faster than a grammar, because large Python repositories take the longest to index.
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
