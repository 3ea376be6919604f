/** A location in a Ruby backtrace. */
export interface RubyFrame {
  readonly file: string;
  readonly line: number;
}

const FRAME = /^(.{1,1000}?):(\d{1,9})(?::in [`'].*)?$/;
/** Matches gems, the standard library, launcher scripts, and files internal to the interpreter. */
const FOREIGN =
  /\/gems\/|\/ruby\/\d|\/lib\/ruby\/|\/rubygems|\/vendor\/bundle\/|^<internal:|^\(eval|^\/usr\/(?:local\/)?bin\/|\/bin\/(?:rspec|rake|rails|bundle)$/;

/** Reads a backtrace line such as `path:12:in 'method'`. */
export function rubyFrame(text: string): RubyFrame | undefined {
  const match = FRAME.exec(text);
  if (match === null) return undefined;
  const [, file = "", line] = match;
  return { file, line: Number(line) };
}

/** Returns whether the frame is in a gem or in Ruby itself. */
export function isForeignRuby(frame: RubyFrame): boolean {
  return FOREIGN.test(frame.file);
}
