/** What a promise of `Promise.allSettled` was fulfilled with; throws what rejected it. */
export const settledValue = <Value>(settled: PromiseSettledResult<Value>): Value => {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
};
