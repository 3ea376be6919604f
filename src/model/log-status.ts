/** `clean`: no failure was found, and no test either. `unclear`: lines speak of errors, and nothing tells whether it failed. */
export type LogStatus = "failed" | "passed" | "clean" | "unclear";
