/** Divides values into arrays of `size`; the last may be shorter. */
export function* chunksOf<Value>(values: Iterable<Value>, size: number): Generator<Value[]> {
  let chunk: Value[] = [];
  for (const value of values) {
    chunk.push(value);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
