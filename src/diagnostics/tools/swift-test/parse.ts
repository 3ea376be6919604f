import type { Line, LineParser, Sink } from "../../tool.ts";
import { SwiftTestingReader } from "./swift-testing.ts";
import { XctestReader } from "./xctest.ts";

/** Reads XCTest's and Swift Testing's lines; one run may have both. */
export class SwiftTestParser implements LineParser {
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
