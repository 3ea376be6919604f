import { EmbeddingFailure } from "./failure.ts";

/** Returns a property of a value that may not be an object. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  // Inherited properties are ignored, because the value comes from the network.
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Maximum number of dimensions of a vector; no known model has more. */
const MAX_DIMENSIONS = 16_384;

/** Checks every number of the vectors, because a single one that is not finite would spoil all comparisons. */
export function checkVectors(vectors: readonly unknown[] | undefined, wanted: number): Float32Array[] {
  if (vectors === undefined)
    throw new EmbeddingFailure("invalid_response", "the response holds no embeddings");
  if (vectors.length !== wanted)
    throw inputFailure(`got ${vectors.length} embeddings for ${wanted} texts`, wanted);
  const checked = vectors.map((vector) => checkVector(vector, wanted));
  const lengths = new Set(checked.map(({ length }) => length));
  if (lengths.size > 1)
    throw new EmbeddingFailure(
      "wrong_dimensions",
      `got embeddings of ${[...lengths].join(" and ")} dimensions together`,
    );
  return checked;
}

function checkVector(vector: unknown, wanted: number): Float32Array {
  if (!isList(vector) || vector.length === 0)
    throw inputFailure("an embedding is not a list of numbers", wanted);
  if (vector.length > MAX_DIMENSIONS)
    throw new EmbeddingFailure("wrong_dimensions", `an embedding has ${vector.length} dimensions`);
  const numbers = new Float32Array(vector.length);
  let length = 0;
  for (const [index, value] of vector.entries()) {
    const number = typeof value === "number" ? Math.fround(value) : Number.NaN;
    if (!Number.isFinite(number))
      throw inputFailure("an embedding contains a value that is not a finite number", wanted);
    numbers[index] = number;
    length += number * number;
  }
  if (!(length > 0) || !Number.isFinite(length))
    throw inputFailure("an embedding is all zero or too large", wanted);
  return numbers;
}

function inputFailure(message: string, texts: number): EmbeddingFailure {
  return new EmbeddingFailure("invalid_response", message, { blamesInput: texts > 0 });
}
