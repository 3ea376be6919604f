/** More came than was allowed for. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/**
 * Reads a response as text, as far as it is allowed to be long. The signal given to fetch is not enough to stop it:
 * Node holds the way from there to the body by a weak reference, and a slow body then goes on for ever.
 */
export async function readBody(
  response: Response,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return text + decoder.decode();
      size += value.length;
      if (size > maxBytes) throw new BodyTooLarge(`the response is larger than ${maxBytes} bytes`);
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
