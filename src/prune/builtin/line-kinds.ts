/** Comments, and not what begins with # and is code: directives of C, attributes of Rust. */
const COMMENT =
  /^\s*(?:\/\/|\/\*|\*|--|"""|'''|<!--|#(?!\s*(?:include|import|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|region|\[)))/;
/** Lines that bring names in, in the languages that have such lines. */
const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#\s*(?:include|import)\b|use\s+[\w:\\]|using\s+\w|package\s|require(?:_relative)?\b|(?:const|let|var|local)\s.{1,200}=\s*require\b)/;

/** Whether a line is a comment and nothing else. */
export function isComment(line: string): boolean {
  return COMMENT.test(line);
}

/** Whether a line brings names in from elsewhere. */
export function isImport(line: string): boolean {
  return IMPORT.test(line);
}

/** Whether there is nothing to see in a line. */
export function isBlank(line: string): boolean {
  return line.trim() === "";
}

/** Of a path (`a::b::C`, `a.b.C`) the last part is the name; what stands in quotes is a file. */
const QUOTED = /"[^"]*"|'[^']*'|<[^>]*>/g;
const NAME = /[A-Za-z_$][\w$]*(?![\w$]|\s*(?:\.|::|\\|\/)\s*[\w{*])/g;
const KEYWORD =
  /^(?:import|from|as|type|typeof|static|use|using|require|require_relative|const|let|var|local|package|pub|crate|self|include)$/;

/** The names that an import brings in. */
export function importedNames(line: string): readonly string[] {
  return (line.replaceAll(QUOTED, " ").match(NAME) ?? []).filter((name) => !KEYWORD.test(name));
}
