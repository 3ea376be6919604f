import { describe, expect, it } from "vitest";
import { linksText, usesText } from "./uses-text.ts";

describe("the uses of names in PHP", () => {
  it("lists names with their roles, and no variables", async () => {
    const text = `<?php
namespace App\\Http;
use App\\Models\\User;
#[Route('/x', name: HOME), Other\\Thing]
final class Page extends Base implements \\Countable, Sub\\Store {
  use HasTitle, Sub\\HasBody;
  private ?User $user = null;
  public static $count = LIMIT;
  function show(User|Guest $user, int ...$more): ?Reply {
    $x = new User($user, name: $more);
    $this->render($x->name, self::$count, static::make(), parent::show(), User::find(1)->save());
    try { \\App\\helper(strlen($x)); } catch (Failure | \\Error $e) { return new \\App\\Reply(User::class); }
    $a = new class($x) extends Other { function go() { return $this->own() ?? self::A; } };
    return fn($y) => $y instanceof Guest ? namespace\\f($y) : Sub\\g($y);
  }
}
`;
    expect(await usesText(text, "php")).toMatchInlineSnapshot(`
      [
        "3: User import",
        "4: Route decorator, name read key, HOME read, Other read, Thing decorator previous",
        "5: Base inheritance, Countable inheritance root, Sub read, Store inheritance previous",
        "6: HasTitle inheritance, Sub read, HasBody inheritance previous",
        "7: User type",
        "8: LIMIT read",
        "9: User read, Guest type, Reply read",
        "10: User call, name read key",
        "11: render call self, name read unknown, count read self, make call self, show call super, User read, find call previous, save call unknown",
        "12: App read root, helper call previous, strlen call, Failure read, Error type root, App read root, Reply call previous, User read, class read previous",
        "13: Other extension, own call unknown, A read unknown",
        "14: Guest type, namespace read, f call previous, Sub read, g call previous",
      ]
    `);
  });

  it("reads use statements in all their forms", async () => {
    const text = `<?php
namespace A;
use B\\C, \\D\\E as F;
use function G\\h;
use const G\\{I, J as K};
use L\\{M, N\\O, function p};
class X { use T; function f() { return function () use ($a) {}; } }
`;
    expect(await linksText(text, "php")).toMatchInlineSnapshot(`
      [
        "3 import B C",
        "3 import D E>F",
        "4 import G h",
        "5 import G I",
        "5 import G J>K",
        "6 import L M",
        "6 import L.N O",
        "6 import L p",
      ]
    `);
  });
});
