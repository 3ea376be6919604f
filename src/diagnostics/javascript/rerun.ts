/** A test's name as an exact regular expression in double quotes, as the runners' name filters take it. */
export function quotedPattern(name: string): string {
  return JSON.stringify(name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
}
