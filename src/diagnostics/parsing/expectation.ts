/** The expected and the actual value of an assertion, as the runner prints them. */
export interface Expectation {
  readonly expected: string;
  readonly received: string;
}

const JUNIT = /expected: ?<([\s\S]{0,2000}?)> but was: ?<([\s\S]{0,2000}?)>/;
const TESTNG = /expected \[([^\n]{0,2000}?)\] but found \[([^\n]{0,2000}?)\]/;
const LABELLED =
  /^[ \t]*Expected(?: value)?: +(.{0,2000})\n[ \t]*(?:Received|Actual|But was|Got)(?: value)?: +(.{0,2000})$/im;
const XUNIT = /^[ \t]*Expected: +(.{0,2000})\n[ \t]*(?:Actual|But was): +(.{0,2000})$/m;
/** Matches the fields that Node prints below an assertion error. */
const NODE_FIELDS = /^ *actual: (.{0,2000}),\n *expected: (.{0,2000}),$/m;
const NODE = /^(.{0,500}) !== (.{0,500})$/m;

/**
 * Number of characters of a failure's text that are searched for the expected and actual value, which precede the stack
 * trace.
 */
const MAX_READ = 8_000;

/**
 * Finds the expected and the actual value in the text of a failed assertion, in the notations of the common libraries.
 */
export function findExpectation(whole: string): Expectation | undefined {
  const text = whole.slice(0, MAX_READ);
  const match = JUNIT.exec(text) ?? TESTNG.exec(text) ?? LABELLED.exec(text) ?? XUNIT.exec(text);
  if (match !== null) return { expected: (match[1] ?? "").trim(), received: (match[2] ?? "").trim() };
  const node = text.includes("strictly equal") ? NODE.exec(text) : null;
  if (node !== null) return { expected: node[2] ?? "", received: node[1] ?? "" };
  const fields = text.includes("AssertionError") ? NODE_FIELDS.exec(text) : null;
  if (fields !== null) return { expected: fields[2] ?? "", received: fields[1] ?? "" };
  return readDiff(text);
}

/** Reads a diff below `- Expected` and `+ Received`; each value consists of the lines that only its side has. */
function readDiff(text: string): Expectation | undefined {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^\s*- (?:Expected|expected)/.test(line));
  if (start < 0 || !/^\s*\+ (?:Received|actual|Actual)/.test(lines[start + 1] ?? "")) return undefined;
  const expected: string[] = [];
  const received: string[] = [];
  for (const line of lines.slice(start + 2)) {
    if (/^\s*(?:❯|at ) ?\S/.test(line)) break;
    const text = line.trimStart();
    if (text.startsWith("- ")) expected.push(text.slice(2).trim());
    else if (text.startsWith("+ ")) received.push(text.slice(2).trim());
  }
  if (expected.length + received.length === 0) return undefined;
  return { expected: expected.join("\n"), received: received.join("\n") };
}
