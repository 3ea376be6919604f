import { defineBuildTool } from "../../tool.ts";

/**
 * Matches the messages of pyflakes/messages.py, because its lines have neither a code nor a severity: `shop/cart.py:3: 'os' imported but unused`.
 * Version 2 prints a column without a colon behind it.
 */
const COMPLAINT =
  /^(?<file>\S.{0,500}?\.pyw?):(?<line>\d{1,7}):(?:(?<column>\d{1,5}):?)? (?<message>(?:'.{1,200}' (?:imported but unused|may be undefined, or defined from star imports: .+|outside function|outside loop|not properly in loop|not supported inside 'finally' clause|with arguments? inside generator|only allowed at module level|used; unable to detect undefined names|should be 'raise NotImplementedError')|redefinition of (?:unused )?(?:function )?'.{1,200}' from line \d+|list comprehension redefines '.{1,200}' from line \d+|import '.{1,200}' from line \d+ shadowed by loop variable|undefined name '.{1,200}'(?: in __all__)?|local variable '.{1,200}' (?:is assigned to but never used|is annotated but never used|.{0,100}referenced before assignment)|duplicate argument '.{1,200}' in function definition|dictionary key .{1,200} repeated with different values|from __future__ imports must occur at the beginning of the file|future feature .{1,100} is not defined|default 'except:' must be last|(?:two starred|too many) expressions in (?:star-unpacking )?assignment|assertion is always true, perhaps remove parentheses\?|'if tuple literal' is always true, perhaps remove accidental comma\?|syntax error in (?:doctest|forward annotation .+|type comment .+)|f-string is missing placeholders|t-string is missing placeholders|use ==\/!= to compare .{1,80}|'\.\.\.'(?:\.format\(\.\.\.\)| % \.\.\.) (?:has|is|mixes|requires|expected) .+|`(?:global|nonlocal) .{1,200}` is unused: name is never assigned in scope|use of >> is invalid with print function))$/;

/** Matches a file that Python cannot parse, in the words of Python; the source line and a caret follow. */
const SYNTAX =
  /^(?<file>\S.{0,500}?\.pyw?):(?<line>\d{1,7}):(?:(?<column>\d{1,5}):?)? (?<message>(?:invalid |unexpected |expected |unterminated |unmatched |unindent does not |inconsistent use of tabs|EO[FL] while |cannot (?:assign|delete) |Missing parentheses in call|closing parenthesis|positional argument follows|leading zeros in|non-default argument|f-string: |'.{1,3}' was never closed).*)$/;

export const pyflakes = defineBuildTool({
  id: "pyflakes",
  title: "Pyflakes",
  url: "https://github.com/PyCQA/pyflakes",
  ecosystem: "python",
  kinds: ["lint"],
  signatures: [".py:", ".pyw:"],
  priority: 1,
  format: { complaints: [COMPLAINT, { pattern: SYNTAX, quotedLines: 2 }] },
});
