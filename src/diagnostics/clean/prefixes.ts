/** A line without the prefix of what wrapped its tool, and the channel that the prefix names. */
export interface Unwrapped {
  readonly channel: string;
  readonly rest: string;
}

/** Takes off what task runners, containers and CI systems put before each line of a tool's output. */
export class PrefixUnwrapper {
  unwrap(text: string): Unwrapped {
    return { channel: "", rest: text };
  }
}
