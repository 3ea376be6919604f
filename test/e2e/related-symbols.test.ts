import { expect, it, onTestFinished } from "vitest";
import { call } from "../support/client.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { connect } from "../support/inside.ts";

/** Definitions in one language whose names are keywords, types or words in another: `str`, `Result`, `and`, `new`, `never`. */
const FILES = {
  "src/lib.rs": "pub mod auth;\n",
  "src/auth/mod.rs": "pub mod error;\npub mod jwt;\n",
  "src/auth/error.rs":
    "pub enum TokenError { Expired }\npub fn new() -> TokenError { TokenError::Expired }\n",
  "src/auth/jwt.rs": `use super::error::TokenError;

pub struct Claims { pub sub: String }

pub struct JwtValidator;

impl JwtValidator {
    // Claims and keys: never trust what jwt_helpers says.
    pub fn validate_token(&self, token: &str, key: &[u8]) -> Result<Claims, TokenError> {
        let decoded = decode(token, key)?;
        self.check_expiry(&decoded)?;
        println!("and the Ledger is new: {}", decoded.sub.len());
        Ok(decoded)
    }

    fn check_expiry(&self, claims: &Claims) -> Result<(), TokenError> { Ok(()) }
}

fn decode(token: &str, key: &[u8]) -> Result<Claims, TokenError> { Err(TokenError::Expired) }
`,
  "web/realworld.ts": `import { loadLedger } from "./ledger.ts";
import * as format from "./format.ts";

export const str = "a string";
export type Result = { ok: boolean };
export function never(): never { throw new Error("never"); }

export class Account {
  readonly ledger = loadLedger();
  // and check_expiry(decoded) is a matter of others
  balanceOf(owner: string): number {
    const parse = (text: string): number => Number(text);
    const rows = this.ledger.rowsOf(owner).map((row) => parse(row));
    this.audit(rows);
    return format.roundUp(rows.length) as never;
  }
  audit(rows: readonly number[]): void { rows.forEach((row) => console.log(row)); }
}
`,
  "web/ledger.ts": `export class Ledger { rowsOf(owner: string): string[] { return [owner]; } }
export function loadLedger(): Ledger { return new Ledger(); }
export function parse(text: string): number { return text.length; }
`,
  "web/format.ts": "export function roundUp(value: number): number { return Math.ceil(value); }\n",
  "app/query.py": `from .fields import FieldRef
from . import lookups


class Query:
    def and_(self, other):
        return self.combine(other, FieldRef("and"))

    def combine(self, other, ref):
        """Uses the ledger and parse() of nobody."""
        result = lookups.resolve(ref)
        data = other.get(result)
        return handle(data)

    def get(self, key):
        return key
`,
  "app/__init__.py": "",
  "app/fields.py": "class FieldRef:\n    def __init__(self, name):\n        self.name = name\n",
  "app/lookups.py": "def resolve(ref):\n    return ref\n",
  "app/one.py": "def handle(data):\n    return data\n",
  "app/two.py": "def handle(data):\n    return None\n",
  "srv/server.go": `package srv

type Server struct{ store *Store }

func (s *Server) Serve(name string) string {
	s.prepare(name)
	return loadFrom(s.store, name)
}

func (s *Server) prepare(name string) {}
`,
  "srv/store.go": `package srv

type Store struct{}

func loadFrom(store *Store, name string) string { return name }
`,
  "srv/Greeter.java":
    "package srv;\npublic class Greeter { public static String greet() { return null; } }\n",
  "srv/Host.kt":
    'package srv\n\nclass Host {\n  fun run(): String {\n    val never = roundUp(1)\n    decode("a", "b")\n    return Greeter.greet()\n  }\n}\n',
  "lib/and.js": "export class Combo { and() {} new() {} str() {} }\n",
};

/** Exactly the definitions that each definition uses. */
const USES: readonly (readonly [asked: string, uses: readonly string[]])[] = [
  [
    "JwtValidator::validate_token",
    [
      "fn decode src/auth/jwt.rs",
      "method check_expiry src/auth/jwt.rs",
      "struct Claims src/auth/jwt.rs",
      "enum TokenError src/auth/error.rs",
    ],
  ],
  [
    "Account.balanceOf",
    ["method audit web/realworld.ts", "method rowsOf web/ledger.ts", "fn roundUp web/format.ts"],
  ],
  ["Account", ["fn loadLedger web/ledger.ts", "method rowsOf web/ledger.ts", "fn roundUp web/format.ts"]],
  ["Query.and_", ["method combine app/query.py", "class FieldRef app/fields.py"]],
  // `handle` has two definitions and no import, so neither is listed.
  ["Query.combine", ["fn resolve app/lookups.py"]],
  [
    "Server.Serve",
    ["method prepare srv/server.go", "fn loadFrom srv/store.go", "struct Server srv/server.go"],
  ],
  // Names in Kotlin are not resolved, so neither those of Java are listed nor those of other languages.
  ["Host.run", []],
  // Nothing is listed where nothing is certain.
  ["Combo", []],
];

interface Related {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

it("related symbols are listed only if a definition of the language is certainly meant", async () => {
  const folder = temporaryRepository(FILES);
  onTestFinished(() => folder.dispose());
  const client = await connect(folder.root);
  for (const [name, uses] of USES) {
    const args = { name, limit: 1, detail_level: "context" };
    const reply = JSON.parse(await call(client, "locate_symbol", { ...args, response_format: "json" })) as {
      results: { related_symbols?: Related[] }[];
    };
    const { related_symbols: related } = reply.results[0] ?? {};
    expect(
      (related ?? []).map(({ kind, name: used, path }) => `${kind} ${used} ${path}`).sort(),
      name,
    ).toEqual(uses.toSorted());
    if (uses.length === 0) {
      expect(related).toBeUndefined();
      expect(await call(client, "locate_symbol", args)).not.toContain("uses");
    }
  }
});
