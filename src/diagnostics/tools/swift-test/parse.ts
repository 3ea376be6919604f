import type { Line, LineParser, Sink } from "../../tool.ts";
import { SwiftTestingReader } from "./swift-testing.ts";
import { XctestReader } from "./xctest.ts";

/** Reads the lines of XCTest and Swift Testing; one run may use both. */
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
