import { describe, expect, it } from "vitest";
import { linksText, usesText } from "./uses-text.ts";

describe("the uses of names in Rust", () => {
  it("lists free names with their roles, and no parameters, patterns or type parameters", async () => {
    const text = `#[derive(Debug, serde::Serialize)]
#[test]
fn run<'a, T: Bound, const N: usize>(count: &'a Count, (left, right): Pair) -> Out<T> {
    let count = count.with(other);
    let Item { id, name: title, .. } = load(id) else { return stop(T::new()) };
    if let Some(found) = find(found) && found.ok() {
        use_it(found, title, left, right);
    }
    'outer: for (at, one) in all(at) { sum(at, one); break 'outer; }
    match kind(id) {
        Kind::A(value) | Kind::B { value } if value > LIMIT => show(value),
        OTHER => { let inner = value; inner.go(); }
        rest @ 0..=MAX => rest.done(),
        _ => (),
    }
    items.iter().map(|item| item.len() + extra).fold(0, |a: u8, b| a | b | c);
    fn helper() {}
    helper();
    let made = Made { id, key: text };
    value
}
`;
    expect(await usesText(text, "rust")).toEqual([
      "1: Debug decorator, serde read, Serialize decorator previous",
      "3: Bound type, usize read, Count read, Pair type, Out read",
      "4: with call unknown, other read",
      "5: Item read, name read key, load call, id read, stop call, new call unknown",
      "6: Some call, find call, found read, ok call unknown",
      "7: use_it call",
      "9: all call, at read, sum call",
      "10: kind call",
      "11: Kind read, A call previous, Kind type, B type previous, LIMIT read, show call",
      "12: OTHER read, value read, go call unknown",
      "13: MAX read, done call unknown",
      "16: items read, iter call previous, map call unknown, len call unknown, extra read, fold call unknown, u8 read, c read",
      "18: helper call local",
      "19: Made read, key read key, text read",
      "20: value read",
    ]);
  });

  it("reads types, impl blocks and traits", async () => {
    const text = `pub trait Shape: Base + Clone { fn area(&self) -> f64; }
impl<T> a::Shape for Round<T> where T: Num {
    fn area(&self) -> f64 { self.radius() * Self::PI + crate::math::pi() }
}
impl Round { pub fn new() -> Self { Self { r: 1 } } }
fn make() -> impl Shape { Round::new() }
macro_rules! each { ($x:expr) => { $crate::show($x) }; }
`;
    expect(await usesText(text, "rust")).toEqual([
      "1: Base inheritance, Clone inheritance, f64 read",
      "2: a read, Shape inheritance previous, Round read, Num type",
      "3: f64 read, radius call self, Self read, PI type previous, crate read, math read previous, pi call previous",
      "5: Round type, r read key",
      "6: Shape type, Round read, new call previous",
      "7: $x read, $crate read, show call previous, $x read",
    ]);
  });

  it("reads use declarations and modules", async () => {
    const text = `pub use crate::a::{self, b::*, c as d};
use foo;
use ::bar::Baz as _;
mod one;
#[path = "other/two.rs"]
pub(crate) mod two;
extern crate core as mine;
mod inline { use super::*; }
fn f() -> impl Sized + use<'a> {}
`;
    expect(await linksText(text, "rust")).toEqual([
      "1 export crate a",
      "1 export crate::a::b *all*",
      "1 export crate::a c>d",
      "2 import (own) foo",
      "3 import bar Baz>_",
      "4 export mod:one *>one",
      "6 export path:other/two.rs *>two",
      "7 import (own) core>mine",
      "8 import super *all*",
    ]);
  });
});
