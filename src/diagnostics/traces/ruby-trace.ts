/** A place in a Ruby backtrace. */
export interface RubyFrame {
  readonly file: string;
  readonly line: number;
}

const FRAME = /^(.{1,1000}?):(\d{1,9})(?::in [`'].*)?$/;
/** Gems, the standard library, and files that only the interpreter knows. */
const FOREIGN =
  /\/gems\/|\/ruby\/\d|\/lib\/ruby\/|\/rubygems|\/vendor\/bundle\/|^<internal:|^\(eval|^\/usr\/(?:local\/)?bin\/|\/bin\/(?:rspec|rake|rails|bundle)$/;

/** Reads `path:12:in 'method'`, as backtraces write it. */
export function rubyFrame(text: string): RubyFrame | undefined {
  const match = FRAME.exec(text);
  if (match === null) return undefined;
  const [, file = "", line] = match;
  return { file, line: Number(line) };
}

/** Whether the frame is in a gem or in Ruby itself. */
export function isForeignRuby(frame: RubyFrame): boolean {
  return FOREIGN.test(frame.file);
}
