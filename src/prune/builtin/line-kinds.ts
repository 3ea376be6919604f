/** Matches comments, but not code that starts with #, such as C directives, Rust attributes and private methods of JavaScript. */
const COMMENT =
  /^\s*(?:\/\/|\/\*|\*|--|"""|'''|<!--|#(?!\w+\(|\s*(?:include|import|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|region|\[)))/;
/** Matches import lines of many languages. */
const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#\s*(?:include|import)\b|use\s+[\w:\\]|using\s+\w|package\s|require(?:_relative)?\b|(?:const|let|var|local)\s.{1,200}=\s*require\b)/;

/** Returns true if a line contains only a comment. */
export function isComment(line: string): boolean {
  return COMMENT.test(line);
}

export function isImport(line: string): boolean {
  return IMPORT.test(line);
}

export function isBlank(line: string): boolean {
  return line.trim() === "";
}

/**
 * Patterns that find the names in an import line: quoted parts are file names, and of a path (`a::b::C`, `a.b.C`) only
 * the last part is imported.
 */
const QUOTED = /"[^"]*"|'[^']*'|<[^>]*>/g;
const NAME = /[A-Za-z_$][\w$]*(?![\w$]|\s*(?:\.|::|\\|\/)\s*[\w{*])/g;
const KEYWORD =
  /^(?:import|from|as|type|typeof|static|use|using|require|require_relative|const|let|var|local|package|pub|crate|self|include)$/;

/** Returns the names that an import line imports. */
export function importedNames(line: string): readonly string[] {
  return (line.replaceAll(QUOTED, " ").match(NAME) ?? []).filter((name) => !KEYWORD.test(name));
}
