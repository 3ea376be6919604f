const NAMES: ReadonlySet<string> = new Set(
  `Ellipsis NotImplemented WindowsError abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile
  complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help
  hex id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit
  range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip StopIteration StopAsyncIteration
  GeneratorExit KeyboardInterrupt SystemExit BaseExceptionGroup ExceptionGroup basestring buffer cmp execfile file long raw_input reduce reload
  unichr unicode xrange`.split(/\s+/u),
);

/** Returns true for a name that Python itself defines, in any of its versions from 2.7 on. */
export function isPythonBuiltIn(name: string): boolean {
  return NAMES.has(name) || /^__\w+__$|(?:Error|Warning|Exception)$/u.test(name);
}
