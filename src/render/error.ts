import type { PithError } from "../kernel/errors.ts";

/** An error as it goes over the wire: the same shape in every format, so that programs need not read English. */
export function renderError(error: PithError): string {
  return JSON.stringify({
    error: {
      code: error.code,
      message: error.message,
      data: { ...error.data, suggestion: error.suggestion },
    },
  });
}
