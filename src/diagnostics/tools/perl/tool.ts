import { defineBuildTool } from "../../tool.ts";

export const perl = defineBuildTool({
  id: "perl",
  title: "Perl",
  url: "https://www.perl.org",
  ecosystem: "general",
  kinds: ["run", "lint"],
  // The signatures contain a digit because every message ends with a line number; the word "line" alone is in too many
  // logs.
  signatures: [
    " line 1",
    " line 2",
    " line 3",
    " line 4",
    " line 5",
    " line 6",
    " line 7",
    " line 8",
    " line 9",
  ],
  priority: -5,
  format: {
    complaints: [
      // Matches Perl's own messages. The output of die and warn looks the same, but its severity is unknown.
      /^(?<message>(?:syntax error|Global symbol |Bareword |Can't (?:locate|find|call|use|modify|declare|open perl)|Undefined subroutine |Missing right |Unmatched |Illegal |Not enough arguments|Too many arguments|Type of arg|No such class|Invalid |Number found where|String found where|Unrecognized character|BEGIN not safe|Attempt to reload|Substitution |Search pattern ).{0,4000}) at (?<file>\S{1,800}(?:\.p[lmh]|\.t|\.cgi)|-e|-) line (?<line>\d{1,9})(?:, (?:near|at|within) .*|\.)?$/,
      {
        pattern:
          /^(?<message>(?:Use of uninitialized|Argument ".*" isn't numeric|Odd number of elements|Useless use of|Name ".*" used only once|Subroutine \S+ redefined|".*" variable .* masks|Possible |Deep recursion|Scalar value |Unquoted string|Found = in conditional|Applying |Statement unlikely|Wide character).{0,4000}) at (?<file>\S{1,800}(?:\.p[lmh]|\.t|\.cgi)|-e|-) line (?<line>\d{1,9})(?:, (?:near|at|within) .*|\.)?$/,
        severity: "warning",
      },
      // Matches Perl::Critic's format: lib/Cart.pm: Code is not tidy at line 1, column 1.  See page 33 of PBP.
      // (Severity: 1). The file is absent if only one was checked.
      {
        pattern:
          /^(?:(?<file>\S{1,800}?): )?(?<message>.{1,2000}) at line (?<line>\d{1,9}), column (?<column>\d{1,9})\. .{0,400}\bSeverity: \d\)?$/,
        severity: "warning",
        tool: "perlcritic",
      },
    ],
    // Matches lines that only report the consequence of an error above them.
    noise:
      /^(?:BEGIN failed--compilation aborted|Compilation failed in require|\S+ had compilation errors|Execution of \S+ aborted)/,
  },
});
