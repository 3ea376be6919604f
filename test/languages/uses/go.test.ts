import { describe, expect, it } from "vitest";
import { linksText, usesText } from "./uses-text.ts";

describe("the uses of names in Go", () => {
  it("lists free names with their roles, and no parameters, results, receivers or local variables", async () => {
    const text = `package app

func (s *Server[K]) Run(ctx context.Context, names ...string) (count int, err error) {
	url := url.Parse(names[0])
	if host, ok := lookup(url); ok && s.ready(host) {
		host.Close()
	} else if other := fallback(host); other != nil {
		use(other, host)
	}
	for i, name := range []string{first, "x"} {
		count += weight(name, i)
	}
	switch v := load(v).(type) {
	case *Item, Other:
		got := v
		use(got)
	case nil:
		use(got, K(1))
	}
	select {
	case msg := <-s.queue:
		use(msg)
	case done <- count:
	}
outer:
	for {
		break outer
	}
	var total, rest Number = start(total), 2
	s := func(a int) Result { return a + total + rest }
	s.later(host)
	return
}
`;
    expect(await usesText(text, "go")).toEqual([
      "3: Server type, context type, Context type previous, string type, int type, error type",
      "4: url read, Parse call previous",
      "5: lookup call, ready call self",
      "6: Close call unknown",
      "7: fallback call",
      "8: use call",
      "10: string read, first read",
      "11: weight call",
      "13: load call, v read",
      "14: Item read, Other read",
      "16: use call",
      "18: use call, got read",
      "21: queue read self",
      "22: use call",
      "23: done read",
      "29: Number type, start call, total read",
      "30: int type, Result type",
      "31: later call unknown, host read",
    ]);
  });

  it("tells fields, embedded types, keys and the names of maps apart", async () => {
    const text = `package app

type Client struct {
	sync.Mutex
	*Base
	Config Config
	a, b   Number \`json:"a"\`
}

type Doer interface {
	Other
	Do(ctx Context, n int) (res Result, err error)
}

var table = []struct {
	name string
	run  func(t Test) error
}{
	{name: one, run: two},
}
var byKind = map[Kind]string{KindA: "a", KindB: name}
var client = &Client{Config: load(), a: 1}

func kind(k Kind) bool {
	switch k {
	case KindC:
	case KindA, KindB:
		return true
	}
	type local struct{ field Kind }
	return local{field: k}.field == k
}

func Map[T any, L List[T]](list L, f func(item T) T) Set[T] { return list.each(f) }
`;
    expect(await usesText(text, "go")).toEqual([
      "4: sync read, Mutex inheritance previous",
      "5: Base inheritance",
      "6: Config type",
      "7: Number type",
      "11: Other inheritance",
      "12: Context type, int type, Result type, error type",
      "16: string type",
      "17: Test type, error type",
      "19: name read key, one read, run read key, two read",
      "21: Kind read, string read, KindA read, KindB read, name read",
      "22: Client read, Config read key, load call, a read key",
      "24: Kind type, bool type",
      "26: KindC read",
      "27: KindA read, KindB read",
      "30: Kind type",
      "31: local read local, field read key, field read unknown",
      "34: any type, List type, Set type, each call unknown",
    ]);
  });

  it("reads imports with their aliases", async () => {
    const text = `package a

import "fmt"
import (
	m "math/rand"; . "strings"
	_ "embed"
	"example.com/x/v2"
)
var import_ = "no"
`;
    expect(await linksText(text, "go")).toEqual([
      "3 import fmt *>",
      "5 import math/rand *>m",
      "5 import strings *all*",
      "6 import embed",
      "7 import example.com/x/v2 *>",
    ]);
  });
});
