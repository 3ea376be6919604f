import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { countCharacters, firstCharacters } from "../../kernel/characters.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { LogLine } from "../../model/run.ts";
import { lineRange, type OutputRow } from "./output-row.ts";

/** A line of a list of variables: its name up to the equals sign, and its value. */
interface Variable {
  readonly line: LogLine;
  readonly name: string;
  readonly value: string;
}

/** An output counts as a list of variables if at least this share of its lines are such. */
const MIN_VARIABLE_SHARE = 0.9;
const VARIABLE = /^((?:export |declare -\w+ |set )?[A-Za-z_][\w.%()-]{0,200}=)(.*)$/s;

/** Parses a list of variables (`env`, `printenv`, `export -p`); undefined for other outputs. */
export function parseVariables(lines: readonly LogLine[]): readonly Variable[] | undefined {
  let count = 0;
  const variables = lines.map((line): Variable => {
    const [, name = "", value = line.text] = VARIABLE.exec(line.text) ?? [];
    if (name !== "") count++;
    return { line, name, value };
  });
  return count >= lines.length * MIN_VARIABLE_SHARE ? variables : undefined;
}

interface VariableRoom {
  readonly tokens: number;
  readonly write: (line: LogLine) => string;
}

/** The lengths to which values are cut, from the longest to none. */
const VALUE_LENGTHS: readonly number[] = [400, 200, 120, 80, 60, 40, 24, 12, 0];

/**
 * Shows the names of all variables and as much of their values as fits: the longest values are cut first. Undefined if
 * not even the names fit.
 */
export function fitVariables(
  variables: readonly Variable[],
  { tokens, write }: VariableRoom,
): OutputRow[] | undefined {
  for (const maxLength of VALUE_LENGTHS) {
    const rows = variables.map((variable) => rowOf(variable, maxLength, write));
    if (costOf(rows) <= tokens) return rows;
  }
  return [joinNames(variables, write), [namesRow(variables)]].find((rows) => costOf(rows) <= tokens);
}

/** Shows short values, and the names alone of variables with long ones. */
function joinNames(variables: readonly Variable[], write: VariableRoom["write"]): OutputRow[] {
  const rows: OutputRow[] = [];
  let long: Variable[] = [];
  const closeRun = (): void => {
    if (long.length > 0) rows.push(namesRow(long));
    long = [];
  };
  for (const variable of variables) {
    if (countCharacters(variable.value) > MIN_CUT_CHARACTERS) {
      long.push(variable);
      continue;
    }
    closeRun();
    rows.push(rowOf(variable, 0, write));
  }
  closeRun();
  return rows;
}

/** The names of variables without their values, in one row. */
function namesRow(variables: readonly Variable[]): OutputRow {
  const [number, end] = [variables[0]?.line.number ?? 0, variables.at(-1)?.line.number ?? 0];
  const names = variables.flatMap(({ name }) => (name === "" ? [] : [name.slice(0, -1)]));
  return {
    number,
    end,
    text: `${names.join(", ")} … values left out: ${lineRange(number, end)}`,
    isLossy: true,
  };
}

function costOf(rows: readonly OutputRow[]): number {
  return rows.reduce((sum, { text }) => sum + estimateTokens(`${text}\n`), 0) * TOKEN_SAFETY_FACTOR;
}

function rowOf({ line, name, value }: Variable, maxLength: number, write: VariableRoom["write"]): OutputRow {
  const { number } = line;
  const left = countCharacters(value) - maxLength;
  // A mark is about as long as the few characters that it would replace.
  if (left <= MIN_CUT_CHARACTERS || line.hidden !== undefined || line.column !== undefined)
    return { number, end: number, text: write(line), isLossy: false };
  const text = `${name}${firstCharacters(value, maxLength)}… (+${left} characters)`;
  return { number, end: number, text, isLossy: true };
}

const MIN_CUT_CHARACTERS = 30;
