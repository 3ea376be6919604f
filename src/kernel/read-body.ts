/** Thrown when a response body exceeds its allowed size. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/**
 * Reads a response body as text up to a size limit. Aborting the fetch signal is not enough to stop it: Node links the signal to the body
 * by a weak reference, so a slow body could continue forever.
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
