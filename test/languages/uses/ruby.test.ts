import { describe, expect, it } from "vitest";
import { usesText } from "./uses-text.ts";

describe("the uses of names in Ruby", () => {
  it("lists names with their roles, and no parameters or local variables", async () => {
    const text = `require "json"
module Bank
  class Account < Base::Record
    include Store, ::Deep::Mixin
    LIMIT = 10
    attr_reader :owner
    before_save :audit, if: :open?
    def initialize(owner, balance: LIMIT, *rest, &block)
      @owner = owner
      total = balance + limit
      total += 1
      a, b = split(rest)
      rest.each do |item, (key, value)|
        item.call(key, value, outer)
      end
      helper total
      self.save
      Account.new(a).close!
      Account::Entry.open
      rescue Failure => e
        log e
    end
    def outer
      total ? rest : Bank::LIMIT
      map(&:name)
      super
    end
  end
end
`;
    expect(await usesText(text, "ruby")).toMatchInlineSnapshot(`
      [
        "1: require call, json string unknown",
        "3: Base read, Record inheritance previous",
        "4: include call, Store inheritance, Deep read root, Mixin inheritance previous",
        "6: attr_reader call",
        "7: before_save call, audit read key, open? read key",
        "8: LIMIT read",
        "10: limit call",
        "12: split call",
        "13: each call unknown",
        "14: call call unknown, outer call",
        "16: helper call",
        "17: save call self",
        "18: Account call, new call previous, close! call unknown",
        "19: Account read, Entry read previous, open call previous",
        "20: Failure read",
        "21: log call",
        "24: total call, rest call, Bank read, LIMIT read previous",
        "25: map call, name read key",
        "26: outer call super",
      ]
    `);
  });
});
