import { defineBuildTool } from "../../tool.ts";

// Error (2314): Expected ';' but got '}'
//  --> src/Dup.sol:2:65:
//   |
// 2 | contract Dup { string s = 1; function f() public { uint x = "a" } }
//   |                                                                 ^
export const solc = defineBuildTool({
  id: "solc",
  title: "Solidity compiler",
  url: "https://docs.soliditylang.org",
  ecosystem: "general",
  kinds: ["build"],
  programs: ["solc", "solcjs"],
  signatures: [".sol:", "Compiler run "],
  priority: 6,
  format: {
    complaints: [
      /^(?<severity>Error|Warning|Info) \((?<code>\d{3,5})\): (?<message>\S.*)$/,
      /^(?<severity>error|warning)\[(?<code>\d{3,5})\]: (?<message>\S.*)$/,
      // The compiler without Foundry names the kind of an error. JavaScript's errors have some of these names too.
      {
        pattern:
          /^(?<kind>(?:Declaration|Parser|Type|Syntax|DocstringParsing|Compiler|InternalCompiler|UnimplementedFeature|CodeGeneration|Fatal)Error|YulException): (?<words>\S.*)$/,
        message: "{kind}: {words}",
        unproven: true,
      },
      { pattern: /^(?<severity>Warning|Info): (?<message>\S.*)$/, unproven: true },
      // Versions before 0.6 start with the location.
      /^(?<file>\S.{0,500}\.sol):(?<line>\d{1,9}):(?<column>\d{1,9}): (?:(?<severity>Warning)|(?:\w{2,30}Error)): (?<message>\S.*)$/,
    ],
    continuation: [
      /^ *--> (?<file>\S.{0,500}?):(?<line>\d{1,9}):(?<column>\d{1,9}):?$/,
      /^ *\d{0,9} \|/,
      /^Note: /,
    ],
    noise: /^(?:Error: )?Compiler run (?:failed|successful).*$/,
  },
});
