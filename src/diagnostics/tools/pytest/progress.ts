import type { Sink } from "../../tool.ts";

const PROGRESS = /^(?:(\S.*\.py) )?([.FEsxXR,p]+)(?: *\[ *\d{1,3}%\])?$/;

/** Reads `tests/test_a.py ..s.F [ 40%]`: a letter per test. A long file goes on in lines without its name. */
export class FileProgress {
  readonly #sink: Sink;
  #file: string | undefined;
  #skipped = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const match = PROGRESS.exec(text);
    if (match === null) return false;
    const [, file, letters = ""] = match;
    if (file !== undefined) {
      this.end();
      this.#file = file;
    }
    this.#skipped += letters.split(/[sx]/).length - 1;
    return true;
  }

  /** The file that was open has come to its end. */
  end(): void {
    if (this.#file !== undefined) this.#sink.ranFile({ file: this.#file, skipped: this.#skipped });
    this.#file = undefined;
    this.#skipped = 0;
  }
}
