import { FallbackMatcher } from "../fallback/matcher.ts";
import type { Collector } from "./collector.ts";
import { CwdTracker } from "./cwd-tracker.ts";
import { Channel } from "./dispatch.ts";
import type { Faults } from "./dispatch.ts";
import { ToolActivity } from "./tool-activity.ts";
import type { RankedTools } from "./tool-activity.ts";
import type { ToolFacts } from "./tool-facts.ts";

/**
 * Upper bound on channels (packages or services whose output is interleaved); any further ones share a single channel.
 */
const MAX_CHANNELS = 256;

/** Tool id under which findings of unknown tools are reported. */
const GENERAL = "general";

/** What reads the output of one package, service or job. */
export interface ChannelState {
  readonly activity: ToolActivity;
  readonly where: CwdTracker;
  readonly parsers: Channel;
  readonly general: FallbackMatcher;
}

interface ChannelsOptions {
  readonly collector: Collector;
  readonly faults: Faults;
  readonly facts: ToolFacts;
  /** The tools that are active in every channel. */
  readonly always: RankedTools;
}

/** The channels of a log by name. */
export class Channels {
  readonly #options: ChannelsOptions;
  readonly #states = new Map<string, ChannelState>();

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  get(name: string): ChannelState {
    const key = this.#states.size >= MAX_CHANNELS && !this.#states.has(name) ? "" : name;
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const created = this.#create(key);
    this.#states.set(key, created);
    return created;
  }

  end(): void {
    for (const { parsers, general } of this.#states.values()) {
      parsers.end();
      general.end();
    }
  }

  #create(name: string): ChannelState {
    const { collector, faults, facts, always } = this.#options;
    const cwdTracker = new CwdTracker(name);
    const where = (): string | undefined => cwdTracker.now;
    return {
      activity: new ToolActivity(always),
      where: cwdTracker,
      parsers: new Channel({ collector, faults, facts, where }),
      general: new FallbackMatcher({
        sure: collector.sink(GENERAL, { where }),
        fallback: collector.sink(GENERAL, { fallback: true, where }),
      }),
    };
  }
}
