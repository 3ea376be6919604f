import { describe, expect, it } from "vitest";
import { linksText, usesText } from "./uses-text.ts";

describe("the uses of names in Python", () => {
  it("lists free names with their roles, and no parameters or local variables", async () => {
    const text = `from .models import User
@app.route("/x")
def view(request, user: User = None, *args) -> Response:
    total = count(args)
    total += 1
    items = [render(i) for i in total if i.ok]
    with open(path) as handle, lock:
        handle.write(f"{fmt(items)!r:>10} {request}")
    return Response(user=user, total=lambda x, y=DEFAULT: x + y + z)

class Admin(User, metaclass=Meta):
    limit = 10
    other = limit
    def save(self):
        limit()
        self.touch(super().save)
        global counter
        counter = 1
`;
    expect(await usesText(text, "python")).toEqual([
      "1: User import",
      "2: app read, route decorator previous",
      "3: User type, Response type",
      "4: count call",
      "6: render call, ok read unknown",
      "7: open call, path read, lock read",
      "8: write call unknown, fmt call",
      "9: Response call, user assignment key, total assignment key, DEFAULT read, z read",
      "11: User inheritance, metaclass assignment key, Meta read",
      "13: limit read local",
      "15: limit call",
      "16: touch call self, super call, save read unknown",
      "18: counter assignment",
    ]);
  });

  it("reads strings that name something, and no comments or prose", async () => {
    const text = `import_string("app.models.User")  # User
"""Docs of User."""
x = 'User is here'
y: "User" = r'\\d' b'raw'
`;
    expect(await usesText(text, "python")).toEqual([
      "1: import_string call, app.models.User string unknown",
      "4: User type, raw string unknown",
    ]);
  });

  it("reads import statements in all their forms", async () => {
    const text = `import os, a.b.c as d
import pkg.mod
from . import one
from ..up.mod import (
    two as deux,
    three,
)
from star import *
def f():
    from late import four
`;
    expect(await linksText(text, "python")).toEqual([
      "1 import os *>os",
      "1 import a.b.c *>d",
      "2 import pkg.mod *>pkg.mod",
      "3 import . one",
      "4 import ..up.mod two>deux three",
      "8 import star *all*",
      "10 import late four",
    ]);
  });
});
