import { expect, it } from "vitest";
import { outlineOf } from "../../src/languages/outline.ts";

async function symbolsOf(language: string, ...lines: string[]): Promise<string[]> {
  const { symbols } = await outlineOf(lines.join("\n"), language);
  return symbols.map(
    ({ kind, qualifiedName, lineStart, lineEnd }) => `${kind} ${qualifiedName} ${lineStart}-${lineEnd}`,
  );
}

it("finds definitions in a Rust macro with its own notation by their outermost lines", async () => {
  const found = await symbolsOf(
    "rust",
    "exported! {",
    "    /// Opens a well.",
    "    fn well_open(depth: u32) -> *mut Well {",
    "        fn inner() {}",
    "        Box::into_raw(Box::new(Well::new(depth)))",
    "    } ?= std::ptr::null_mut()",
    "}",
    "record! {",
    "    pub struct Bucket #copied {",
    "        pub litres: u32,",
    "    }",
    "    pub enum Sides #listed { Left, Right }",
    "}",
    "flags! {",
    "    pub struct Marks: u32 {",
    "        const WET = 1;",
    "    }",
    "}",
    "fn after() {}",
  );
  expect(found).toEqual([
    "fn well_open 3-6",
    "struct Bucket 9-11",
    "enum Sides 12-12",
    "struct Marks 15-17",
    "fn after 19-19",
  ]);
});

it("finds an item, but no expression, in the parentheses of a Rust macro", async () => {
  const found = await symbolsOf(
    "rust",
    "wrapped!(pub struct Rope { length: u32 });",
    "measured!(Rope, struct);",
    'checked!(fn_name == "fn a", type_of(b));',
  );
  expect(found).toEqual(["struct Rope 1-1", "field Rope::length 1-1"]);
});

it("assigns the members of a Scala value to the value and not to the enclosing object", async () => {
  const found = await symbolsOf(
    "scala",
    "object Readers {",
    "  implicit val number: Reader[Int] = new Reader[Int] {",
    "    def read(text: String): Int = text.toInt",
    "  }",
    "  val plain = new Reader[String](1)",
    "  def made(base: Int): Reader[Int] = new Reader[Int] {",
    "    def read(text: String): Int = base",
    "  }",
    "}",
  );
  expect(found).toEqual([
    "class Readers 1-9",
    "property Readers.number 2-4",
    "method Readers.number.read 3-3",
    "property Readers.plain 5-5",
    "method Readers.made 6-8",
    "method Readers.made.read 7-7",
  ]);
});

it("reads a Kotlin class that delegates to a call, and the objects of its properties", async () => {
  const found = await symbolsOf(
    "kotlin",
    "class Bucket(source: Source) : Vessel, Headers by SourceHeaders(source.headers(1)) {",
    "    override fun name() = 1",
    "    private val listener = object : Listener {",
    "        override fun onFull(level: Int) {",
    "        }",
    "    }",
    "}",
    "class Pair(left: Vessel) : Vessel by lazyVessel<Vessel>(left) {",
    "    fun swap() = Unit",
    "}",
    "val level by lazy(source) { 1 }",
  );
  expect(found).toEqual([
    "class Bucket 1-7",
    "method Bucket.name 2-2",
    "property Bucket.listener 3-6",
    "method Bucket.listener.onFull 4-5",
    "class Pair 8-10",
    "method Pair.swap 9-9",
    "const level 11-11",
  ]);
});

it("reads get and set after a Kotlin value as calls, not as accessors", async () => {
  const found = await symbolsOf(
    "kotlin",
    "fun Route.pages() {",
    "    val service = Service()",
    '    get("/x") {',
    "        respond(1)",
    "    }",
    "    val other = 1",
    "    get {",
    "        respond(2)",
    "    }",
    "    val third = 2",
    "    get(path) {",
    "        respond(3)",
    "    }",
    "}",
    "class Level {",
    "    var height: Int = 2",
    "        get() {",
    "            return 1",
    "        }",
    "        set(value) {",
    "            field = value",
    "        }",
    "    operator fun get(key: String): Int = 1",
    "}",
  );
  expect(found).toEqual([
    "method Route.pages 1-14",
    "class Level 15-24",
    "property Level.height 16-22",
    "method Level.get 23-23",
  ]);
});

it("assigns the members of an anonymous class to the Java field that contains it", async () => {
  const found = await symbolsOf(
    "java",
    "class Orders {",
    "  static final Comparator<String> BY_LENGTH = new Comparator<String>() {",
    "    @Override public int compare(String left, String right) {",
    "      return 0;",
    "    }",
    "  };",
    "  private int size = count(1);",
    "  int count(int base) {",
    "    return base;",
    "  }",
    "}",
  );
  expect(found).toEqual([
    "class Orders 1-11",
    "const Orders.BY_LENGTH 2-6",
    "method Orders.BY_LENGTH.compare 3-5",
    "field Orders.size 7-7",
    "method Orders.count 8-10",
  ]);
});
