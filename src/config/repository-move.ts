/**
 * Which way a repository's pith.toml may move a setting. A repository can come from anyone, so it may restrict what
 * Pith does, but it may not widen it, and it cannot choose where code is sent.
 */
export interface RepositoryMove<T> {
  /** What a repository may do with the setting, for messages and the documentation. */
  readonly about: string;
  /** Returns the setting after the repository's wish; undefined if the repository may not move it there. */
  apply(asked: T, current: T): T | undefined;
}

/** A repository may not touch the setting. */
export const NOTHING: RepositoryMove<never> = { about: "not set it", apply: () => undefined };

/** A repository may lower a limit, never raise it. */
export const LOWER: RepositoryMove<number> = {
  about: "only lower it",
  apply: (asked, current) => (asked <= current ? asked : undefined),
};

/** A repository may add to a list of restrictions, never remove from it. */
export const ADD: RepositoryMove<readonly string[]> = {
  about: "only add to it",
  apply: (asked, current) => [...current, ...asked],
};

/** A repository may set one value, the one that restricts most. */
export function only<T>(value: T): RepositoryMove<T> {
  return {
    about: `only set ${JSON.stringify(value)}`,
    apply: (asked) => (asked === value ? value : undefined),
  };
}

/** A repository may move a choice towards the first of these values, which are ordered from the narrowest to the widest. */
export function towardsFirst<const C extends string>(...order: readonly C[]): RepositoryMove<C> {
  return {
    about: `only choose an earlier one of ${order.join(", ")}`,
    apply(asked, current) {
      const at = order.indexOf(asked);
      return at >= 0 && at <= order.indexOf(current) ? asked : undefined;
    },
  };
}
