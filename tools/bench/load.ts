export interface Load {
  readonly answered: () => number;
  readonly refused: () => readonly string[];
  stop(): Promise<void>;
}

/** Makes calls at a fixed rate, without waiting for earlier calls to be answered. */
export const callAtRate = (perSecond: number, call: (index: number) => Promise<void>): Load => {
  const underWay = new Set<Promise<void>>();
  const refused: string[] = [];
  const began = performance.now();
  let answered = 0;
  let index = 0;
  const begin = (): void => {
    const one = call(index)
      .then(
        () => {
          answered += 1;
        },
        (error: unknown) => {
          refused.push(String(error));
        },
      )
      .finally(() => underWay.delete(one));
    index += 1;
    underWay.add(one);
  };
  const timer = setInterval(() => {
    while (index < ((performance.now() - began) / 1_000) * perSecond) begin();
  }, 5);
  return {
    answered: () => answered,
    refused: () => refused,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
};
