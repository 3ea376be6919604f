import { describe, expect, it } from "vitest";
import { firstOwnGoFrame, isOwnGoFile } from "../../../src/diagnostics/traces/go-frames.ts";

describe("isOwnGoFile for Go's standard library, wherever Go is installed", () => {
  const roots = [
    "/usr/local/go/src",
    "/usr/lib/go-1.22/src",
    "/usr/lib/golang/src",
    "/opt/hostedtoolcache/go/1.22.1/x64/src",
    "/home/dev/sdk/go1.22.1/src",
    "/home/dev/.goenv/versions/1.22.1/src",
    "/home/dev/.local/share/mise/installs/go/1.22.1/src",
    "/opt/homebrew/Cellar/go/1.22.1/libexec/src",
    "/nix/store/abc-go-1.22.1/share/go/src",
    "/snap/go/10489/src",
    "/root/.cache/bazel/_bazel_root/1/external/go_sdk/src",
    "C:/Go/src",
    String.raw`C:\Program Files\Go\src`,
    String.raw`C:\hostedtoolcache\windows\go\1.22.1\x64\src`,
    "GOROOT/src",
  ];
  for (const root of roots)
    it(root, () => {
      const separator = root.includes("\\") ? "\\" : "/";
      for (const [pack, file] of [
        ["testing", "testing/testing.go"],
        ["runtime", "runtime/panic.go"],
        ["panic", "runtime/panic.go"],
        ["net/http", "net/http/server.go"],
        ["time", "runtime/time.go"],
        ["slices", "slices/sort.go"],
      ]) {
        const path = `${root}/${file}`.replaceAll("/", separator);
        expect(isOwnGoFile(path, pack), `${pack} ${path}`).toBe(false);
        expect(isOwnGoFile(path), path).toBe(false);
      }
    });

  it("recognizes it with -trimpath", () => {
    expect(isOwnGoFile("testing/testing.go", "testing")).toBe(false);
    expect(isOwnGoFile("runtime/panic.go", "panic")).toBe(false);
    expect(isOwnGoFile("example.com/shop/cart/cart.go", "example.com/shop/cart")).toBe(true);
  });
});

describe("isOwnGoFile for files of the project", () => {
  const own: [string, string][] = [
    ["/home/dev/shop/cart.go", "example.com/shop"],
    ["/home/dev/go/src/github.com/acme/shop/cart.go", "github.com/acme/shop"],
    ["/usr/local/go/src/github.com/acme/shop/cart.go", "github.com/acme/shop"],
    ["/go/src/app/main.go", "main"],
    ["/build/src/testing/helpers.go", "shop/src/testing"],
    [String.raw`D:\a\shop\shop\cart.go`, "example.com/shop"],
  ];
  for (const [file, pack] of own) it(file, () => expect(isOwnGoFile(file, pack)).toBe(true));

  it("excludes the modules that the project uses", () => {
    expect(isOwnGoFile("/home/dev/go/pkg/mod/github.com/x/y@v1.0.0/y.go", "github.com/x/y")).toBe(false);
    expect(isOwnGoFile("/home/dev/shop/vendor/github.com/x/y/y.go", "github.com/x/y")).toBe(false);
    expect(isOwnGoFile("_testmain.go", "main")).toBe(false);
  });
});

it("finds the first frame inside the project, after the frames that recovered the panic", () => {
  const lines = [
    "testing.tRunner.func1.2({0x1, 0x2})",
    "\t/opt/hostedtoolcache/go/1.22.1/x64/src/testing/testing.go:1396 +0x24e",
    "panic({0x1, 0x2})",
    "\t/opt/hostedtoolcache/go/1.22.1/x64/src/runtime/panic.go:884 +0x212",
    "example.com/shop/cart.(*Cart).Add(...)",
    "\t/home/runner/work/shop/shop/cart/cart.go:12",
  ];
  expect(firstOwnGoFrame(lines)).toEqual({ file: "/home/runner/work/shop/shop/cart/cart.go", line: 12 });
});
