import { classNames } from "../../parsing/class-names.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { SwiftTestingReader } from "./swift-testing.ts";
import { XctestReader } from "./xctest.ts";
import { hasPackage } from "../swift/tool.ts";

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
  selectTests: {
    filter: (text) => ["--filter", text],
    files: (argv, paths) => [...argv, "--filter", `(?:${classNames(paths).join("|")})`],
  },
});

/** Reads the lines of XCTest and Swift Testing; one run may use both. */
class SwiftTestParser implements LineParser {
  readonly #xctest;
  readonly #testing;

  constructor(sink: Sink) {
    this.#xctest = new XctestReader(sink);
    this.#testing = new SwiftTestingReader(sink);
  }

  take({ text }: Line): boolean {
    if (this.#testing.take(text)) {
      this.#xctest.pause();
      return true;
    }
    return this.#xctest.take(text);
  }

  end(): void {
    this.#xctest.end();
    this.#testing.end();
  }
}
