import { PithError } from "../../kernel/errors.ts";

/** Where a value stands: the file, and the path of keys inside it. */
export interface TablePlace {
  readonly file: string;
  readonly path: string;
}

/** Creates the error about a value of a table that cannot be used. */
export function tableError({ file, path }: TablePlace, message: string, suggestion?: string): PithError {
  return new PithError("config_invalid", `${file}: ${path}: ${message}`, {
    key: path,
    ...(suggestion === undefined ? {} : { suggestion }),
  });
}
