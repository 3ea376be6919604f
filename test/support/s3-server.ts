import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** The credentials that the server of the tests knows. */
export const S3_CREDENTIALS = { accessKey: "S3RVER", secretKey: "S3RVER", sessionToken: "" };
export const S3_BUCKET = "team";

export interface S3Server {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Starts an S3-compatible server, which ends with this process; the folder has its objects. */
export async function startS3(folder: string): Promise<S3Server> {
  const args = [resolve("test/support/s3-server.mjs"), folder, S3_BUCKET];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  for await (const endpoint of createInterface({ input: child.stdout }))
    return {
      endpoint,
      async close() {
        child.stdin.end();
        await exited;
      },
    };
  throw new Error("The S3 server of the tests did not start; see its messages above");
}
