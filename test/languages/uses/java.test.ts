import { describe, expect, it } from "vitest";
import { linksText, usesText } from "./uses-text.ts";

describe("the uses of names in Java", () => {
  it("lists free names with their roles, and no parameters or local variables", async () => {
    const text = `package a.b;
import a.c.Other;
@Service(value = "orders", lazy = LAZY)
public class Orders<T extends Order> extends Base implements Store<T>, a.d.Closer {
  private final List<T> all = new ArrayList<>(), open = List.of();
  public Orders(List<T> all, final int... more) throws Failure {
    this.all = all;
    int count = more.length, other = count < limit ? LIMIT : 0, third;
    for (Map.Entry<String, Item> entry : index.entrySet()) use(entry.getKey(), entry);
    entry.close();
    try (Reader reader = open(count)) { reader.read(); } catch (Failure | Error e) { log(e); }
    Function<Item, Key> f = item -> key(item, other);
    BiFunction<A, B, C> g = (x, y) -> { return x + y + z; };
    if (value instanceof Item found && found.ok()) found.go();
    boolean is = third > count;
    outer: while (true) break outer;
    switch (state) { case NEW: case Kinds.OLD: helper(); default: Orders.this.run(); }
    return switch (state) { case PAID, SENT -> 1; default -> Helper::apply; };
  }
  <R> R map(Function<? super T, R> f) { return f.apply(super.start(this.all)); }
  Runnable task() {
    return new Runnable() {
      int own = 1;
      public void run() { start(own); this.stop(); new Item().go(); all.clear(); }
    };
  }
  void local() { class Local {} new Local(); Local[] many = new Local[0]; String.class.getName(); }
}
`;
    expect(await usesText(text, "java")).toEqual([
      "2: Other import",
      "3: Service decorator, value assignment key, orders string unknown, lazy assignment key, LAZY read",
      "4: Order type, Base inheritance, Store inheritance, a read, d read previous, Closer inheritance previous",
      "5: List read, ArrayList call, List read, of call previous",
      "6: List read, Failure type",
      "7: all assignment self",
      "8: length read unknown, limit read, LIMIT read",
      "9: Map read, Entry read previous, String read, Item read, index read, entrySet call previous, use call, getKey call unknown",
      "10: entry read, close call previous",
      "11: Reader type, open call, read call unknown, Failure read, Error type, log call",
      "12: Function read, Item read, Key read, key call",
      "13: BiFunction read, A read, B read, C read, z read",
      "14: value read, Item type, ok call unknown, go call unknown",
      "17: state read, NEW read key, Kinds read, OLD read previous, helper call, Orders read, this read previous, run call previous",
      "18: state read, PAID read key, SENT read key, Helper read, apply call previous",
      "20: Function read, apply call unknown, start call super, all read self",
      "21: Runnable type",
      "22: Runnable extension",
      "24: start call unknown, own read local, stop call unknown, Item call, go call unknown, all read, clear call previous",
      "27: Local call local, Local read local, Local call local, String read, class read previous, getName call previous",
    ]);
  });

  it("reads import statements in all their forms", async () => {
    const text = `package a.b;
import java.util.List;
import static a.b.C.d;
import static a.b.C.*;
import a.b.*;
class X {}
`;
    expect(await linksText(text, "java")).toEqual([
      "2 import java.util List",
      "3 import a.b.C d",
      "4 import a.b.C *all*",
      "5 import a.b *all*",
    ]);
  });
});
