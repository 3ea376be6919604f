/** How a circuit breaker judges the service it protects. */
export interface CircuitBreakerOptions<Failure extends Error> {
  /** Number of consecutive failures that opens the circuit. */
  readonly failuresToOpen: number;
  /**
   * Returns for how many milliseconds the circuit stays open after a failure; `consecutive` is the number of failures
   * in a row, including this one.
   */
  readonly openMs: (failure: Failure, consecutive: number) => number;
  /** Converts what a call threw into the failure that is remembered and thrown again. */
  readonly toFailure: (error: unknown) => Failure;
  /**
   * Returns false for a failure that was caused by the input, because the service is healthy then. By default every
   * failure counts.
   */
  readonly isServiceFault?: (failure: Failure) => boolean;
  /** The clock to use, in milliseconds. */
  readonly now?: () => number;
}

/**
 * Remembers whether a service fails, so that callers do not pay the timeout of a dead service again and again. The
 * breaker never rejects a call itself: callers check `isOpen` first, or sleep for `waitMs`.
 */
export interface CircuitBreaker<Failure extends Error> {
  /** True while the service should be left alone, also while a single trial call is checking whether it has recovered. */
  isOpen(): boolean;
  /** Milliseconds until the service may be called again; 0 means now. */
  waitMs(): number;
  /** The most recent failure, or undefined after a successful call. */
  lastFailure(): Failure | undefined;
  /** Runs a call and learns from its outcome. A call that its caller aborted does not count as a failure. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createCircuitBreaker<Failure extends Error>(
  options: CircuitBreakerOptions<Failure>,
): CircuitBreaker<Failure> {
  const { failuresToOpen, openMs, toFailure, isServiceFault = () => true, now = Date.now } = options;
  let failures = 0;
  let openUntil = 0;
  let isTrialRunning = false;
  let last: Failure | undefined;
  return {
    isOpen: () => failures >= failuresToOpen && (now() < openUntil || isTrialRunning),
    waitMs: () => (failures >= failuresToOpen ? Math.max(0, openUntil - now()) : 0),
    lastFailure: () => last,
    async run(work, signal) {
      const isTrial = failures >= failuresToOpen;
      if (isTrial) isTrialRunning = true;
      try {
        const result = await work();
        failures = 0;
        openUntil = 0;
        last = undefined;
        return result;
      } catch (error) {
        if (signal?.aborted === true) throw error;
        const failure = toFailure(error);
        if (isServiceFault(failure)) {
          failures++;
          openUntil = Math.max(openUntil, now() + openMs(failure, failures));
          last = failure;
        }
        throw failure;
      } finally {
        if (isTrial) isTrialRunning = false;
      }
    },
  };
}
