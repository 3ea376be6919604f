import { expect, it } from "vitest";
import { isCompatible } from "../../../src/index/changes/signature-fit.ts";

it.each([
  ["function f(a: string)", "function f(a: string, b = 1)"],
  ["function f(a: string): void", "function f(a: string, b?: number): void"],
  ["function f(a: string)", "export function f(a: string)"],
  ["fn f(a: u8)", "pub fn f(a: u8)"],
  ["function f(a, b)", "function f(\n  a,\n  b,\n)"],
  ["def f(a: dict[str, int])", "def f(a: dict[str, int], *rest, flag=False)"],
  ["func f(a int)", "func f(a int, more ...string)"],
  ["const f = (a: (x: number) => void): void", "const f = (a: (x: number) => void, b?: string): void"],
])("fits: %s, then %s", (before, after) => {
  expect(isCompatible(before, after)).toBe(true);
});

it.each([
  ["function f(a: string)", "function f(a: string, b: string)"],
  ["function f(a: string, b = 1)", "function f(a: string)"],
  ["function f(a, b)", "function f(b, a)"],
  ["function f(a): string", "function f(a, b = 1): number"],
  ["function f(a)", "async function f(a)"],
  ["export function f(a)", "function f(a)"],
  ["def f(a)", "def f(a, *, b)"],
  ["type A = string", "type A = number"],
])("does not fit: %s, then %s", (before, after) => {
  expect(isCompatible(before, after)).toBe(false);
});
