import { defineBuildTool } from "../../tool.ts";
import { ctestParser } from "./parse.ts";

export const ctest = defineBuildTool({
  id: "ctest",
  title: "CTest",
  url: "https://cmake.org/cmake/help/latest/manual/ctest.1.html",
  ecosystem: "c-cpp",
  kinds: ["test"],
  programs: ["ctest"],
  signatures: [
    "Test project ",
    "% tests passed, ",
    "tests FAILED:",
    " Test  #",
    " Test #",
    "No tests were found!!!",
  ],
  priority: 8,
  parser: ctestParser,
  commands: [
    {
      name: "ctest.test",
      description: "Run the tests of the build folder",
      detect: (folder) => {
        if (folder.has("CTestTestfile.cmake")) return "CTestTestfile.cmake is here";
        return folder.nearest("CMakeLists.txt")?.includes("enable_testing") === true
          ? "CMakeLists.txt enables testing"
          : undefined;
      },
      argv: (folder) =>
        folder.has("CTestTestfile.cmake")
          ? ["ctest", "--output-on-failure"]
          : ["ctest", "--test-dir", "build", "--output-on-failure"],
    },
  ],
  rerun: "ctest",
  selectTests: { filter: (text) => ["-R", text] },
});
