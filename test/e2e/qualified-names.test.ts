import { expect, it, onTestFinished } from "vitest";
import { call } from "../support/client.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { connect } from "../support/inside.ts";

const FILES = {
  "src/lib.rs": "pub mod auth;\npub fn start() {}\n",
  "src/auth/mod.rs": "pub mod jwt;\npub struct Claims;\n",
  "src/auth/jwt.rs": `pub struct JwtValidator;
impl JwtValidator {
    pub fn validate_token(&self, token: &str) -> bool { decode(token) }
}
pub fn decode(token: &str) -> bool { token.is_empty() }
mod inner { pub fn nested_decode() {} }
`,
  "src/bin/tool.rs": "fn run_tool() {}\n",
  "examples/show.rs": "fn show_example() {}\n",
  "shop/__init__.py": "",
  "shop/cart/__init__.py": "def open_cart():\n    pass\n",
  "shop/cart/lines.py": "class CartLine:\n    def price_of(self):\n        pass\n",
  "scripts/once.py": "def run_once():\n    pass\n",
  "java/com/acme/gson/Gson.java":
    "package com.acme.gson;\n\npublic class Gson {\n  public Gson() {}\n  void writeAll() {}\n}\n",
  "kt/Kit.kt": "package com.acme.kit\n\nclass Kit { fun unpack() {} }\n",
  "srv/server.go": "package srv\n\ntype Server struct{}\n\nfunc (s *Server) ListenAll() {}\n",
  "web/page.ts": "export class Page {\n  renderPage(): void {}\n}\n",
  "php/Mail.php": "<?php\nnamespace Acme\\Post;\n\nclass Mail { function sendNow() {} }\n",
  "rb/box.rb": "module Acme\n  class Box\n    def open_box; end\n  end\nend\n",
};

/** The queried names, and the qualified names in the replies. */
const NAMES: readonly (readonly [asked: string, qualified: string])[] = [
  ["start", "start"],
  ["Claims", "auth::Claims"],
  ["decode", "auth::jwt::decode"],
  ["validate_token", "auth::jwt::JwtValidator::validate_token"],
  ["nested_decode", "auth::jwt::inner::nested_decode"],
  // The module of separate crates and of scripts outside any package is not certain.
  ["run_tool", "run_tool"],
  ["show_example", "show_example"],
  ["run_once", "run_once"],
  ["open_cart", "shop.cart.open_cart"],
  ["price_of", "shop.cart.lines.CartLine.price_of"],
  ["writeAll", "com.acme.gson.Gson.writeAll"],
  ["Gson", "com.acme.gson.Gson"],
  ["unpack", "com.acme.kit.Kit.unpack"],
  ["ListenAll", "srv.Server.ListenAll"],
  ["renderPage", "Page.renderPage"],
  ["sendNow", "Acme\\Post\\Mail::sendNow"],
  ["open_box", "Acme::Box#open_box"],
];

interface Result {
  readonly path: string;
  readonly line_start: number;
  readonly qualified_name: string;
}

it("a definition is named with its module, and can be looked up by that name", async () => {
  const folder = temporaryRepository(FILES);
  onTestFinished(() => folder.dispose());
  const client = await connect(folder.root);
  const first = async (name: string) => {
    const reply = await call(client, "locate_symbol", { name, response_format: "json" });
    return (JSON.parse(reply) as { results: Result[] }).results[0];
  };
  for (const [asked, qualified] of NAMES) {
    const found = await first(asked);
    expect(found?.qualified_name, asked).toBe(qualified);
    expect(await first(qualified), qualified).toMatchObject({
      path: found?.path,
      line_start: found?.line_start,
      qualified_name: qualified,
    });
  }
  // In text the path already shows the module.
  expect(await call(client, "locate_symbol", { name: "validate_token" })).toBe(
    "src/auth/jwt.rs:3 pub fn validate_token(&self, token: &str) -> bool in JwtValidator",
  );
});
