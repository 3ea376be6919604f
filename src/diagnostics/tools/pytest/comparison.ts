interface Sides {
  readonly expected: string;
  readonly received: string;
}

/**
 * Reads the two values of a failed comparison from pytest's output: from the assertion if it shows them completely,
 * otherwise from the lines of its diff. The result is undefined if neither is complete.
 */
export function readSides(errors: readonly string[]): Sides | undefined {
  const compared = errors.findIndex((line) => /(?:^|: )assert .+ == .+|(?:^|: ).+ != .+/.test(line));
  const line = errors[compared];
  if (line === undefined) return undefined;
  const whole = splitSides(line);
  if (whole !== undefined && !isCut(whole)) return whole;
  return fromDiff(errors.slice(compared + 1));
}

/** Reads `assert LEFT == RIGHT`, or unittest's `FIRST != SECOND`. */
function splitSides(line: string): Sides | undefined {
  const assertion = /(?:^|: )assert (.+)$/.exec(line);
  const operator = assertion === null ? " != " : " == ";
  const text = assertion?.[1] ?? line.replace(/^AssertionError: (?:\w+ differ: )?/, "");
  const at = text.indexOf(operator);
  if (at < 0 || text.indexOf(operator, at + 1) >= 0) return undefined;
  if (assertion === null && !/^[A-Za-z]*Error: /.test(line)) return undefined;
  const received = text.slice(0, at);
  const expected = text.slice(at + operator.length).replace(/ : .*$/, "");
  return { expected, received };
}

function isCut(sides: Sides): boolean {
  return sides.expected.includes("...") || sides.received.includes("...");
}

/** Reads a diff, in which pytest marks the expected side with `-` and the received one with `+`; lines with `?` only point. */
function fromDiff(lines: readonly string[]): Sides | undefined {
  const expected: string[] = [];
  const received: string[] = [];
  for (const line of lines) {
    const text = line.startsWith("  ") ? line.slice(2) : line;
    if (
      /^(?:Skipping|Omitting|\.\.\.|Use -v|Full diff|@@|At index|Differing|Left contains|Right contains|Extra items)/.test(
        text.trim(),
      )
    )
      return undefined;
    if (text.startsWith("- ")) expected.push(text.slice(2));
    else if (text.startsWith("+ ")) received.push(text.slice(2));
    else if (text.startsWith("? ") || text.trim() === "") continue;
    else if (text.startsWith("  ")) {
      expected.push(text.slice(2));
      received.push(text.slice(2));
    } else return undefined;
  }
  if (expected.length === 0 || received.length === 0) return undefined;
  return { expected: expected.join("\n"), received: received.join("\n") };
}
