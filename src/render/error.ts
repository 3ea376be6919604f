import type { PithError } from "../kernel/errors.ts";
import type { Masked } from "../model/masked.ts";
import { EVERY_TOOL, type Reader, spellFor } from "./reader/reader.ts";

/** Writes an error as JSON, in every format, so that programs can branch on its code. */
export function renderError(
  error: PithError,
  reader: Reader = EVERY_TOOL,
  masked: { readonly masked?: Masked } = {},
): string {
  return JSON.stringify({
    error: {
      code: error.code,
      message: error.message,
      data: { ...error.data, suggestion: error.suggestionFor(spellFor(reader)) },
    },
    ...masked,
  });
}
