import { PithError } from "../../kernel/errors.ts";
import type { Masked } from "../../model/masked.ts";
import { maskValues } from "./mask-values.ts";

/** An error with its secrets masked, and the field of a reply that counts them. */
export interface MaskedError {
  readonly error: PithError;
  readonly masked: { readonly masked?: Masked };
}

/** Masks the secrets in an error's message and facts, which may repeat the caller's input. */
export function maskError(error: PithError): MaskedError {
  const { value, count } = maskValues({ message: error.message, data: error.data });
  if (count === 0) return { error, masked: {} };
  const masked = new PithError(error.code, value.message, value.data, { cause: error.cause });
  return { error: masked, masked: { masked: { count, places: [] } } };
}
