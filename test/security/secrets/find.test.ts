import { describe, expect, it } from "vitest";
import { LineMasker, maskText } from "../../../src/security/secrets/mask.ts";
import { isVariablesFile } from "../../../src/security/secrets/environment.ts";

// The secret is assembled at run time, so that no scanner reports this file as a leak.
const RANDOM_HEX = ["8f3c1e9a7b2d4f60", "a1c3e5d7b9f20468"].join("");
const RANDOM_TEXT = ["Zk3vQ9xLm2TfR8bW", "c7YpJd4NsH6gKaE1"].join("");

/** Code, compiler output and documentation that mention secrets but contain none. */
const UNTOUCHED: readonly string[] = [
  's_auth = r.headers.get("www-authenticate", "")',
  "src/auth.ts(12,5): error TS2322: Type 'token: string' is not assignable to type 'Token'.",
  "password: must be at least 8 characters",
  "FAIL test/token.test.ts > secret = process.env.SECRET",
  "see https://example.com/a@b and mail me@example.com",
  "API_KEY=$API_KEY npm test",
  "API_KEY=${{ secrets.API_KEY }}",
  "next_token = parse_token2(source)",
  "const refresh_token = await client.fetchToken1(id);",
  'const passwordField = document.querySelector("#password-input-2");',
  "docker run -u 1000:1000 image; curl --user-agent pith/1.0 https://example.com:8080/x",
  "Bearer tokens are checked in src/bearer/middleware",
  "mysql -p -h localhost; mysql --protocol=tcp",
  "npm_config_registry is set; sk-fade-in class; task-runner",
  "Authorization: Bearer ${token}",
  'headers["Authorization"] = "Bearer " + accessToken1234',
  'headers: { Authorization: "Basic dXNlcjpwYXNzd29yZA==" }',
  "postgres://user:password@localhost:5432/db",
  "postgres://${USER}:${PASS}@db/x and mysql://<user>:<password>@host",
  "redis://:***@cache:6379",
  "http://user:pass@example.com/ and ftp://foo:bar@host.com",
  "https://%s:%s@github.com/acme/shop",
  "git+ssh://git@github.com/npm/cli.git#v1.0.27",
  "Set-Cookie: theme=dark; Path=/; SameSite=Lax",
  "Cookie: a=b; c=d",
  "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx",
  "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "AKIAIOSFODNN7EXAMPLE",
  "glpat-your-token-goes-here",
  "xoxb-your-bot-token",
  "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
  'import { getTokenFromSecretStore } from "../../secrets/token-secret-store.ts";',
  "commit 3f2a9c1e5b7d80416f2a9c1e5b7d80416f2a9c1e",
  "GITHUB_SHA=3f2a9c1e5b7d80416f2a9c1e5b7d80416f2a9c1e",
  "PATH=/usr/local/sbin:/usr/local/bin:/usr/bin",
  "SSH_AUTH_SOCK=/tmp/ssh-XXXXabcd1234/agent.42",
  "SECRET_KEY_BASE=changeme",
  '"integrity": "sha512-Q0tA1hPp1mQ2cN3dE4fG5hI6jK7lM8nO9pQ0rS1tU2vW3xY4zA5bC6dE7fG8hI9jK0lM1nO2pQ3rS4tU5vW6xA=="',
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
  "eyJhbGciOi is how a header begins",
  "if key.startswith('AIza'):",
  `x/${["EAAAQQQQAABB", "BBAAIHeCvQ5AbiuPvWzMuJsbVtFM"].join("")}/ABSK7ADILpnquUH+ASTHwAZbD3Yj3kjT3RhvXW`,
  "DATABASE_DSN=postgres://postgres:adminadmin@db.acme.io:5432/db",
  '_KEY="-----BEGIN ENCRYPTED PRIVATE KEY-----\\nMIIFDjBABgkqhkiG9w0BBQ0wMzAbBgkqhkiG9w0BBQwwDg..."',
  "--token TOKEN --password-file /run/secrets/db_password_file",
  "awsSecretAccessKey: getXmlValueByTagName2(rawXml, 'SecretAccessKey'),",
  "{ name: 'write', token: tokenWithGPGKeyScope2, password: passwordFromEnvironment2 }",
  '"nextToken": "9f86d081-884c-4d65-9a2f-eaa0c55ad015", "ChangeToken": "abcd12f2-46da-4fdb-b8d5-fbd4c466928f"',
  'api_key = os.environ["ACME_API_KEY"]; client_secret: process.env.CLIENT_SECRET_2024_PRODUCTION',
  "https://github.com/acme/shop/settings?tab=access_tokens&sort=created-descending-order",
  '"private_key_path": "/etc/ssl/private/server-2024-01-private.key.pem"',
  "  password: correct-horse-battery-staple-2024-example",
  "const DEFAULT_TOKEN_EXPIRATION_SECONDS_2024 = computeTokenExpiration(3600);",
];

describe("text without secrets", () => {
  it.each(UNTOUCHED)("is left alone: %s", (line) => expect(maskText(line)).toBe(line));

  it("is left alone inside JSON too", () => {
    const json = JSON.stringify({ lines: UNTOUCHED });
    expect(maskText(json)).toBe(json);
  });
});

describe("a line with a secret is masked", () => {
  const MASKED: readonly (readonly [string, string])[] = [
    ["postgres://app:Tr0ub4dor%263@db.acme.io/x", "postgres://app:(secret-masked)@db.acme.io/x"],
    ["mongodb://root:swordfish@mongo.acme.io/x", "mongodb://root:(secret-masked)@mongo.acme.io/x"],
    ['"dsn":"redis:\\/\\/:Tr0ub4dor3x@cache"', '"dsn":"redis:\\/\\/:(secret-masked)@cache"'],
    ["DB_PASSWORD=Tr0ub4dor&3", "DB_PASSWORD=(secret-masked)"],
    ['declare -x DB_PASSWORD="Tr0ub4dor3x"', 'declare -x DB_PASSWORD="(secret-masked)"'],
    [
      '"Env": ["PATH=/bin", "DB_PASSWORD=Tr0ub4dor3x"]',
      '"Env": ["PATH=/bin", "DB_PASSWORD=(secret-masked)"]',
    ],
    [
      "machine git.acme.io login ada password Tr0ub4dor3x",
      "machine git.acme.io login ada password (secret-masked)",
    ],
    [
      "< Set-Cookie: sid=s%3Aq7Xv2LmZ9TkR4bNc8WsY1pDh.f3; Path=/",
      "< Set-Cookie: sid=(secret-masked); Path=/",
    ],
  ];

  it.each(MASKED)("as expected: %s", (line, masked) => expect(maskText(line)).toBe(masked));
});

describe("a file of variables", () => {
  it.each([".env", "deploy/.env.production", "app.env", ".envrc", ".npmrc", "home/.aws/credentials"])(
    "is known by its name: %s",
    (path) => expect(isVariablesFile(path)).toBe(true),
  );
  it.each(["env.ts", "environment.go", "src/credentials.ts", "README.md"])("is not: %s", (path) =>
    expect(isVariablesFile(path)).toBe(false),
  );

  it("has only its random values and passwords masked", () => {
    const masker = new LineMasker({ isVariablesFile: true });
    const lines = [
      "# Settings",
      "NODE_ENV=production",
      "PORT=3000",
      "db_password = correct7Horse-Battery",
      `JWT_SECRET='${RANDOM_HEX}' # rotate`,
      `THING=${RANDOM_TEXT}`,
      "API_KEY=your-api-key-here",
      "TOKEN=${OTHER_TOKEN}",
      "LOG_LEVEL=debug",
    ];
    expect(lines.map((line) => masker.next(line)?.text ?? line)).toEqual([
      "# Settings",
      "NODE_ENV=production",
      "PORT=3000",
      "db_password = (secret-masked)",
      "JWT_SECRET='(secret-masked)' # rotate",
      "THING=(secret-masked)",
      "API_KEY=your-api-key-here",
      "TOKEN=${OTHER_TOKEN}",
      "LOG_LEVEL=debug",
    ]);
  });
});
