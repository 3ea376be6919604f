import { describe, expect, it } from "vitest";
import { linksText, usesText } from "./uses-text.ts";

describe("the uses of names in C and C++", () => {
  it("lists free names of C, and no parameters, local variables, labels or parameters of macros", async () => {
    const text = `#include "a.h"
#define MAX(a, b) \\
  ((a) > (b) ? (a) : limit(b))
#ifdef USE_IT
static int run(struct item *it, size_t n, int (*cb)(void *)) {
  const char *name = it->name, *other = name;
  item_t *one = make(n), two[SIZE];
  unsigned count;
  for (int i = 0; i < count; i++) { total += cb(one, two[i], i); }
  if (x * y > i) goto done;
  state.field = other;
done:
  return helper(name);
}
#endif
int x = run;
`;
    expect(await usesText(text, "c")).toEqual([
      "3: limit call",
      "4: USE_IT type",
      "5: item type, size_t type",
      "6: name read unknown",
      "7: item_t read, make call, SIZE read",
      "9: total assignment",
      "10: x read, y read, i read",
      "11: state read, field assignment previous",
      "13: helper call",
      "16: run read",
    ]);
  });

  it("lists free names of C++, and no parameters of templates, lambdas and constructors", async () => {
    const text = `namespace app {
template <typename T, int N>
class Box : public Base<T> {
 public:
  Box(T item, Other o) : Base<T>(item), other_{o} { init(item); }
  T get() const override { return this->load(N); }
};
void Box::run(const std::vector<Item>& items) {
  auto [first, second] = split(items);
  for (const auto& item : items) use(item, first, second);
  std::unique_ptr<Item> made(new Item(items));
  sort(items, [&](const Item& a, Item b) { return a.less(b) && keep(made); });
  app::call(made->value);
}
}
`;
    expect(await usesText(text, "cpp")).toEqual([
      "3: Base inheritance",
      "5: Other type, Base call, other_ read, init call",
      "6: load call self",
      "8: Box read, std read, vector read previous, Item read",
      "9: split call",
      "10: use call",
      "11: std read, unique_ptr call previous, Item read, Item call",
      "12: sort call, Item read, Item type, less call unknown, keep call",
      "13: app read, call call previous, value read unknown",
    ]);
  });

  it("reads includes and using declarations", async () => {
    const text = `#include "a/b.h"
# include <sys/c.h>
using namespace app::util;
using app::run;
using Short = app::Long;
`;
    expect(await linksText(text, "cpp")).toEqual([
      "1 import a/b.h *all*",
      "2 import <sys/c.h> *all*",
      "3 import using:app::util *all*",
      "4 import using:app run",
    ]);
  });
});
