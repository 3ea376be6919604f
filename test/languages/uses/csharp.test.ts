import { describe, expect, it } from "vitest";
import { linksText, usesText } from "./uses-text.ts";

describe("the uses of names in C#", () => {
  it("lists free names with their roles, and no parameters or local variables", async () => {
    const text = `namespace Shop.Orders;
#region Helpers of Store
[Table("orders", Name = NAME), Other.Thing]
public partial class OrderStore<T>(int size) : Base<T>(size), IStore where T : Entity
{
  public Color Color { get; set; } = Color.Red;
  public int Count => items.Count + size;
  private readonly List<T> items = new(), more = new();
  public T Find([FromBody] Query query, string? region = null, out int found)
  {
    foreach (var item in items) Use(item.Name, item);
    if (query is Special { Size: > 1 } special && Try(out var parsed)) special.Go(parsed);
    int a = 1, b = Limit;
    Func<int, int> f = x => x + a + Other(b: b);
    var (left, right) = Split(query);
    using var reader = new Reader<T> { Path = region, Inner = { Deep = left } };
    var q = from row in Rows where row.Ok select row.Value;
    int Local(int y) => y + right;
    Local(nameof(Find).Length);
    base.Find(this.items, global::System.Console.Out, typeof(Query));
    return kind switch { Kinds.A => One, Two => a, _ => throw new Failure() };
  }
}
`;
    expect(await usesText(text, "csharp")).toMatchInlineSnapshot(`
      [
        "3: Table decorator, orders string unknown, Name assignment key, NAME read, Other read, Thing decorator previous",
        "4: Base inheritance, IStore inheritance, Entity read",
        "6: Color type, Color read, Red read previous",
        "7: items read, Count read previous",
        "8: List read",
        "9: FromBody decorator, Query type",
        "11: items read, Use call, Name read unknown",
        "12: Special type, Size assignment key, special read, Try call, special read, Go call previous",
        "13: Limit read",
        "14: Func read, Other call, b assignment key",
        "15: Split call",
        "16: Reader call, Path assignment key, Inner assignment key, Deep assignment key",
        "17: from type, Rows read, Ok read unknown, select type, Value read unknown",
        "19: Local call local, Find read, Length read unknown",
        "20: Find call super, items read self, System read root, Console read previous, Out read previous, Query read",
        "21: kind read, Kinds read, A read previous, One read, Two read, _ read, Failure call",
      ]
    `);
  });

  it("reads using directives in all their forms", async () => {
    const text = `global using System.Linq;
using System;
using static System.Math;
using Json = Newtonsoft.Json.JsonConvert;
using global::A.B;
class X { void F() { using var a = B(); using (var c = a) {} using Reader r = a; } }
`;
    expect(await linksText(text, "csharp")).toMatchInlineSnapshot(`
      [
        "1 export System.Linq *all*",
        "2 import System *all*",
        "3 import System.Math *all*",
        "4 import Newtonsoft.Json JsonConvert>Json",
        "5 import A.B *all*",
      ]
    `);
  });
});
