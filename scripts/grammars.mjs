// Copies the grammars' .wasm files from their npm packages at build time. Languages with a hand-written scanner need none.
import { copyFileSync, mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const modules = resolve(import.meta.dirname, "../node_modules");

const GRAMMARS = [
  "web-tree-sitter/web-tree-sitter.wasm",
  "tree-sitter-javascript/tree-sitter-javascript.wasm",
  "tree-sitter-typescript/tree-sitter-typescript.wasm",
  "tree-sitter-typescript/tree-sitter-tsx.wasm",
  "tree-sitter-go/tree-sitter-go.wasm",
  "tree-sitter-rust/tree-sitter-rust.wasm",
  "tree-sitter-java/tree-sitter-java.wasm",
  "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
  "tree-sitter-c/tree-sitter-c.wasm",
  "tree-sitter-cpp/tree-sitter-cpp.wasm",
  "tree-sitter-c-sharp/tree-sitter-c_sharp.wasm",
  "tree-sitter-ruby/tree-sitter-ruby.wasm",
  "tree-sitter-php/tree-sitter-php.wasm",
  "tree-sitter-scala/tree-sitter-scala.wasm",
  "@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm",
];

/** Returns the files that were copied. */
export function copyGrammars(target) {
  mkdirSync(target, { recursive: true });
  const files = GRAMMARS.map((grammar) => join(modules, grammar));
  for (const file of files) copyFileSync(file, join(target, basename(file)));
  return files;
}
