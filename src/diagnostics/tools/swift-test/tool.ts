import { defineBuildTool } from "../../tool.ts";
import { hasPackage } from "../swift/tool.ts";
import { SwiftTestParser } from "./parse.ts";

export const swiftTest = defineBuildTool({
  id: "swift-test",
  title: "XCTest and Swift Testing",
  url: "https://developer.apple.com/documentation/xctest",
  ecosystem: "swift",
  kinds: ["test"],
  programs: ["swift"],
  signatures: [
    "Test Case '",
    "Test case '",
    "Test Suite '",
    "Test run with ",
    " recorded an issue ",
    "Executed ",
    "  ✖ ",
    "  ✗ ",
    "XCTAssert",
  ],
  priority: 12,
  parser: (sink) => new SwiftTestParser(sink),
  commands: [
    {
      name: "swift.test",
      description: "Run the package's tests",
      detect: hasPackage,
      argv: () => ["swift", "test"],
    },
  ],
  rerun: "swift test --filter",
  selectTests: { filter: (text) => ["--filter", text] },
});
