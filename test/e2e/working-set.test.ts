import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../support/client.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { connect } from "../support/inside.ts";

const LONG = Array.from({ length: 90 }, (_, index) => `    step_${index} = account + ${index}`).join("\n");

const FILES = {
  "src/invoice.py": `from src.rates import vat_rate


def invoice_total(items, country):
    """Adds up the items of an invoice with the value added tax of the country."""
    net = sum(item.price for item in items)
    return round(net * (1 + vat_rate(country)), 2)


def print_invoice(invoice):
    for item in invoice.items:
        print(item.name)
    print(invoice_total(invoice.items, invoice.country))
`,
  "src/rates.py": `RATES = {"de": 0.19}


def vat_rate(country):
    return RATES[country]
`,
  "src/ledger.py": `def close_ledger(account):
    """Close the ledger of an account at the end of the year."""
${LONG}
    carry_over_balance(account)
    return step_89


def carry_over_balance(account):
    account.balance = 0
`,
  "src/cart.py": `from src.invoice import invoice_total


def checkout(cart):
    cart.total = invoice_total(cart.items, cart.country)
    return cart


class Other:
    def show(self, thing):
        return thing.invoice_total()
`,
  "web/price.ts": `/** Formats a price for the shop window with its currency symbol. */
export function formatPrice(cents: number, symbol: string): string {
  return symbol + (cents / 100).toFixed(2);
}
`,
  "web/price.test.ts": `import { formatPrice } from "./price.ts";

describe("prices", () => {
  it("have two digits", () => {
    expect(formatPrice(100, "$")).toBe("$1.00");
  });
});
`,
  "tests/test_invoice.py": `from src.invoice import invoice_total


def test_total_of_an_invoice():
    assert invoice_total([], "de") == 0
`,
};

async function serverOn(files: Readonly<Record<string, string>>) {
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  const client = await connect(folder.root);
  return async (args: object) =>
    textOf(await client.callTool({ name: "search_code", arguments: { ...args } }));
}

const QUESTION = "how are the items of an invoice added up with the tax of the country";

describe("a question", () => {
  it("is answered with the code of the small function that decides it", async () => {
    const ask = await serverOn(FILES);
    const text = await ask({ query: QUESTION });
    expect(text).toMatch(/^src\/invoice\.py:4-7 def invoice_total\(items, country\)\n4\| def invoice_total/);
    expect(text).toContain("|     return round(net * (1 + vat_rate(country)), 2)");
    expect(await ask({ query: "invoice_total" })).not.toContain("return round");
    expect(await ask({ query: QUESTION, detail_level: "location" })).not.toContain("return round");
  });

  it("has a working set at the level context: code, what it uses, certain callers, tests", async () => {
    const ask = await serverOn(FILES);
    const text = await ask({ query: QUESTION, detail_level: "context" });
    expect(text).toContain("  uses def vat_rate(country) src/rates.py:4");
    const callers = /^ {2}called by (.*)$/m.exec(text)?.[1];
    expect(callers).toBe("print_invoice src/invoice.py:10, checkout src/cart.py:4");
    expect(text).toContain("  tests test_total_of_an_invoice tests/test_invoice.py:4");
    const json = JSON.parse(await ask({ query: QUESTION, detail_level: "context", response_format: "json" }));
    expect(json.results[0]).toMatchObject({
      called_by: [{ name: "print_invoice" }, { name: "checkout" }],
      tests: [{ name: "test_total_of_an_invoice" }],
    });
  });

  it("names the block of a test framework that uses the function", async () => {
    const ask = await serverOn(FILES);
    const text = await ask({ query: "format a price with its currency symbol", detail_level: "context" });
    expect(text).toMatch(/^ {2}tests .*web\/price\.test\.ts:4$/m);
  });

  it("folds a long function around the lines that match, and keeps to its budget", async () => {
    const ask = await serverOn(FILES);
    const query = "carry over the balance when the ledger of an account is closed at the end of the year";
    const text = await ask({ query, detail_level: "context" });
    expect(text).toContain("carry_over_balance(account)");
    expect(text).toMatch(/^… \d+-\d+$/m);
    expect(text).not.toContain("step_40 =");
    const small = await ask({ query: `${QUESTION}, and ${query}`, detail_level: "context", max_tokens: 250 });
    expect(small).toMatch(/did not fit|lines left out/);
  });
});
