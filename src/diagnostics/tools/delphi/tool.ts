import { defineBuildTool } from "../../tool.ts";

// [dcc32 Error] Unit1.pas(43): E2003 Undeclared identifier: 'LastErrorCode'
// [dcc32 Fatal Error] StreamPlayer.dpr(6): F2063 Could not compile used unit 'Unit1.pas'
export const delphi = defineBuildTool({
  id: "delphi",
  title: "Delphi",
  url: "https://docwiki.embarcadero.com/RADStudio/en/DCC32",
  ecosystem: "general",
  kinds: ["build"],
  programs: ["dcc32", "dcc64"],
  signatures: ["[dcc", "[DCC ", ".pas(", ".dpr("],
  priority: 6,
  format: {
    complaints: [
      /^\s{0,8}\[(?:DCC|dcc\w{2,12}) (?<severity>Fatal Error|Error|Warning|Hint)\] (?:(?<file>[^\s(][^(]{0,500})\((?<line>\d{1,9})\): )?(?<code>[EFWHX]\d{4}):? (?<message>\S.*)$/,
      // The compiler itself, without MSBuild or the IDE.
      /^(?<file>[^\s(][^(]{0,500}\.(?:pas|dpr|dpk|inc))\((?<line>\d{1,9})\) (?<severity>Fatal|Error|Warning|Hint): (?<code>[EFWHX]\d{4}):? (?<message>\S.*)$/,
    ],
    severities: { Hint: "info", Fatal: "error", "Fatal Error": "error" },
  },
});
