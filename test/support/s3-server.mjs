// Runs an S3-compatible server for tests: s3rver, which does not check signatures of version 4, behind a check by aws4, a signer that is not
// ours. It prints its URL, and ends when its stdin closes. Arguments: a folder for the objects, and the name of a bucket.
import { createHash, timingSafeEqual } from "node:crypto";
import aws4 from "aws4";
import S3rver from "s3rver";

const [directory, bucket] = process.argv.slice(2);
const KEYS = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };

const server = new S3rver({
  port: 0,
  address: "127.0.0.1",
  silent: true,
  directory,
  configureBuckets: [{ name: bucket }],
});
server.middleware.unshift(async (context, next) => {
  const code = problemOf(context.req);
  if (code === undefined) {
    await next();
    return;
  }
  context.status = 403;
  context.body = `<Error><Code>${code}</Code></Error>`;
});
const { port } = await server.run();
process.stdout.write(`http://127.0.0.1:${port}\n`);
process.stdin.resume();
process.stdin.on("end", () => process.exit());

function problemOf({ method, url, headers }) {
  const [, accessKey, region, signed] =
    /Credential=(\w+)\/\d+\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+),/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (accessKey === undefined) return "AccessDenied";
  if (accessKey !== KEYS.accessKeyId) return "InvalidAccessKeyId";
  const names = signed.split(";");
  const expected = aws4.sign(
    {
      service: "s3",
      region,
      method,
      path: url,
      host: headers.host,
      headers: Object.fromEntries(names.map((name) => [name, headers[name]])),
    },
    KEYS,
  ).headers.Authorization;
  return isSame(expected, headers.authorization) ? undefined : "SignatureDoesNotMatch";
}

function isSame(a, b) {
  const digest = (text) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
