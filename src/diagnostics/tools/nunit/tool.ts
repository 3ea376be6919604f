import { defineBuildTool } from "../../tool.ts";
import { parseNunit } from "./parse.ts";

export const nunit = defineBuildTool({
  id: "nunit",
  title: "NUnit XML report",
  url: "https://docs.nunit.org/articles/nunit/technical-notes/usage/Test-Result-XML-Format.html",
  ecosystem: "dotnet",
  kinds: ["test"],
  signatures: [],
  document: { matches: (start) => /<test-(?:run|results)[\s>]/.test(start), parse: parseNunit },
});
