const OPENED = /^\(("?)((?:[A-Za-z]:)?[^\s()"<>|*?{}]{1,500}\.[A-Za-z]\w{0,7})\1(?=[\s()]|$)/;
/** Files inside files inside files; text in brackets must not make this grow. */
const MAX_DEPTH = 200;

/** The files that TeX has open: it prints `(` and the name where it opens one, `)` where it closes it. */
export class OpenFiles {
  readonly #stack: (string | undefined)[] = [];

  get current(): string | undefined {
    return this.#stack.findLast((file) => file !== undefined);
  }

  read(text: string): void {
    if (text.length > 4_000) return;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === ")") this.#stack.pop();
      if (text[at] !== "(" || this.#stack.length >= MAX_DEPTH) continue;
      this.#stack.push(OPENED.exec(text.slice(at, at + 520))?.[2]);
    }
  }
}
