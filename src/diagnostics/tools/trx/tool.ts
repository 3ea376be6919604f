import { defineBuildTool } from "../../tool.ts";
import { parseTrx } from "./parse.ts";

export const trx = defineBuildTool({
  id: "trx",
  title: "Visual Studio test results (TRX)",
  url: "https://learn.microsoft.com/dotnet/core/tools/dotnet-test",
  ecosystem: "dotnet",
  kinds: ["test"],
  signatures: [],
  document: {
    matches: (start) => start.includes("<TestRun") && start.includes("TeamTest"),
    parse: parseTrx,
  },
  repeats: "report",
});
