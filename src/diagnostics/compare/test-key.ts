import { contentId } from "../../kernel/ids.ts";

/** Long enough that no two of some thousand names share one, short enough to be kept with every run. */
const KEY_LENGTH = 10;

/** What a test is known by from run to run: its name, and the file that the runner names it by, if any. */
export function testKey(name: string, file = ""): string {
  return contentId(`${file}\0${name}`).slice(0, KEY_LENGTH);
}
