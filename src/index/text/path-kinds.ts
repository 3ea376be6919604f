import { languageOf } from "../../languages/detect.ts";

/** What the words of a file are: source, prose, data, or something between, such as templates and build files. */
export type PathKind = "code" | "prose" | "data" | "other";

/** The kind of a file by its name. */
export function kindOf(file: string): PathKind {
  if (PROSE.test(file)) return "prose";
  if (DATA.test(file)) return "data";
  const extension = /\.([^.]+)$/.exec(file)?.[1]?.toLowerCase();
  if (extension === undefined || OTHER_LANGUAGES.has(extension)) return "code";
  return languageOf(file) === undefined ? "other" : "code";
}

const PROSE =
  /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|org|tex|man|\d)$|^(?:readme|changelog|changes|license|licence|copying|authors|contributors|notice|news|history|todo)(?:\.|$)/i;
const DATA =
  /\.(?:json|jsonc|json5|jsonl|ndjson|ya?ml|toml|ini|cfg|conf|properties|xml|svg|csv|tsv|po|pot|lock|lockb|sum|mod|plist|resx|xlf|strings|map|snap|geojson|graphqls?|env|editorconfig|gitignore|gitattributes|dat|log|diff|patch|pem|crt|ipynb|html?|css|scss|less)$|^\.|(?:-lock|\.lock)\.\w+$/i;

/** Extensions of programming languages that have no outline here, but are sources all the same. */
const OTHER_LANGUAGES: ReadonlySet<string> = new Set(
  `ex exs erl hrl hs lhs ml mli clj cljs cljc dart zig nim jl r pl pm vim el lisp lsp scm ss rkt fs fsi fsx vb m mm
  f f90 f95 f03 for pas pp adb ads d di v vh sv svh vhd vhdl asm s y yy l ll lex g4 jq proto thrift tf groovy gradle
  cmake mk vue svelte astro cu cuh cl glsl hlsl wgsl metal sol cr coffee hx purs elm idr agda lean tcl awk ps1 psm1
  bat cmd fish bzl star nix rego cue gd odin vala mojo ino pyx pxd inl ipp tpp inc luau phtml rake sbt`.split(
    /\s+/,
  ),
);
