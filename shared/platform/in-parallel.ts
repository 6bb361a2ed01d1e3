/** Like `Promise.all` over `map`, with at most `atOnce` running at a time. */
export const inParallel = async <Item, Result>(
  items: readonly Item[],
  { atOnce, run }: { readonly atOnce: number; readonly run: (item: Item) => Promise<Result> },
): Promise<Result[]> => {
  const results: Result[] = new Array(items.length);
  const rest = items.entries();
  const work = async () => {
    for (const [index, item] of rest) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return results;
};
