import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestIndex, type TestIndex } from "../support/code-index.ts";
import { temporaryRepository, type GitFolder } from "../support/git-folder.ts";

const FILES = {
  "src/progress.py": `import time
from format_duration import format_duration


class ProgressBar:
    """A bar that shows how far a long operation is."""

    width = 40

    def __init__(self, length):
        self.length = length
        self.position = 0
        self.started = time.time()
        self.lines = []

    def advance(self, steps):
        self.position += steps
        if self.position > self.length:
            self.position = self.length
        self.lines.append(self.position)

    def remaining_time(self):
        """Estimates the seconds until the operation is finished."""
        spent = time.time() - self.started
        if self.position == 0:
            return None
        return spent / self.position * (self.length - self.position)

    def draw(self):
        """Draws the bar with the estimated seconds that remain."""
        filled = self.width * self.position // self.length
        left = self.remaining_time()
        return "#" * filled + format_duration(left)
`,
  "src/sizes.rs": `/// Splits a human readable size into number and suffix.
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let number = digits.parse::<u64>()?;
    let factor = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        other => return Err(SizeError::unknown(other)),
    };
    Ok(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_human_readable_size_with_suffix() {
        let size = parse_size("10K").expect("a human readable size with a suffix");
        assert_eq!(size, 10240);
        assert!(parse_size("a human readable size").is_err());
    }
}
`,
  "src/report.py": `from format_duration import format_duration


def summary(results):
    lines = [result.name for result in results]
    total = sum(result.seconds for result in results)
    lines.append(format_duration(total))
    return lines
`,
  "src/format_duration.py": `def format_duration(seconds):
    return f"{seconds:.1f} s"
`,
  "src/cookies.py": `def parse_cookie(header):
    """Parse the cookie header into names and values."""
    pairs = [part.split("=", 1) for part in header.split(";")]
    return {name.strip(): value for name, value in pairs}


def serialize_cookie(name, value):
    """Serialize the names and values of a cookie to a header."""
    encoded = value.replace(";", "%3B")
    return f"{name}={encoded}"


def unrelated(numbers):
    total = 0
    for number in numbers:
        total += number
    return total
`,
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, n) => [
      `src/other${n}.py`,
      `def other_${n}(value):\n    return value + "header"\n`,
    ]),
  ),
};

let folder: GitFolder;
let test: TestIndex;
beforeAll(() => {
  folder = temporaryRepository(FILES);
  test = createTestIndex();
});
afterAll(async () => {
  await test.dispose();
  folder.dispose();
});

const placeIn = async (path: string, query: string) =>
  (await test.search(folder.root, query)).hits.find((hit) => hit.path === path)?.name;

describe("the place shown for a file", () => {
  it("is the method that answers, not its class", async () => {
    expect(await placeIn("src/progress.py", "estimate the seconds until the operation is finished")).toBe(
      "remaining_time",
    );
  });

  it("is the class if the query is the name of the class in words", async () => {
    expect(await placeIn("src/progress.py", "progress bar")).toBe("ProgressBar");
  });

  it("is not in a module of tests, unless tests are asked for", async () => {
    const question = "parse a human readable size with a suffix";
    expect(await placeIn("src/sizes.rs", question)).toBe("parse_size");
    expect(await placeIn("src/sizes.rs", `test: ${question}`)).toBe("parses_human_readable_size_with_suffix");
  });

  it("is where a name is used, not the line that imports it", async () => {
    expect(await placeIn("src/report.py", "format_duration")).toBe("summary");
    expect(await placeIn("src/progress.py", "format_duration")).toBe("draw");
  });
});

describe("further places of a file", () => {
  it("are shown if they are better than the next file, and are not counted as results", async () => {
    const { hits, total } = await test.search(folder.root, "cookie header names and values");
    expect(hits.slice(0, 2)).toMatchObject([
      { path: "src/cookies.py", name: "parse_cookie" },
      { path: "src/cookies.py", name: "serialize_cookie", isFurther: true },
    ]);
    expect(hits.some(({ name }) => name === "unrelated")).toBe(false);
    expect(hits[1]?.score).toBeLessThanOrEqual(hits[0]?.score ?? 0);
    const all = await test.search(folder.root, "cookie header names and values", { limit: 50, offset: 1 });
    expect(total).toBe(1 + new Set(all.hits.map(({ path }) => path)).size);
  });

  it("are not shown to whoever asks for one result", async () => {
    const { hits } = await test.search(folder.root, "cookie header names and values", { limit: 1 });
    expect(hits).toHaveLength(1);
  });

  it("are all the results if only one file is searched, page by page", async () => {
    const ask = (more: object) =>
      test.search(folder.root, "the bar, its position and the seconds", { path: "src/progress.py", ...more });
    const whole = await ask({});
    expect(whole).toMatchObject({ counts: "places", total: whole.hits.length });
    expect(whole.hits.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["remaining_time", "draw", "advance", "__init__"]),
    );
    const pages = [await ask({ limit: 2 }), await ask({ limit: 2, offset: 2 })].flatMap(({ hits }) => hits);
    expect(pages.map(({ resultId }) => resultId)).toEqual(
      whole.hits.slice(0, 4).map(({ resultId }) => resultId),
    );
  });
});

describe("the end of the list", () => {
  it("is where relevance drops sharply; the rest follows with the cursor", async () => {
    const query = "parse the cookie header into names and values";
    const { hits, total, endsAtDrop } = await test.search(folder.root, query);
    const files = new Set(hits.map(({ path }) => path)).size;
    expect(endsAtDrop).toBe(true);
    expect(files).toBeLessThan(total);
    const rest = await test.search(folder.root, query, { offset: files, limit: 50 });
    expect(rest.endsAtDrop).toBeUndefined();
    expect(files + new Set(rest.hits.map(({ path }) => path)).size).toBe(total);
  });
});
