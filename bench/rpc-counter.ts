import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { type RpcRelay, startRpcRelay } from './rpc-relay.ts';

const call = z.looseObject({ method: z.string() });
const body = z.union([call.transform((one) => [one]), z.array(call)]);

export interface RpcCounter extends RpcRelay {
  /** How often each method was asked, each item of a batch for itself. */
  readonly counts: () => Readonly<Record<string, number>>;
  /** HTTP requests. */
  readonly requests: () => number;
}

/** Stands before a node, counts what it is asked, and answers later. */
export const startRpcCounter = async (options: {
  readonly target: string;
  readonly delayMilliseconds: number;
}): Promise<RpcCounter> => {
  const counts: Record<string, number> = {};
  let requests = 0;
  const relay = await startRpcRelay({
    target: options.target,
    answer: async (asked, askNode) => {
      requests += 1;
      for (const { method } of body.parse(JSON.parse(asked))) counts[method] = (counts[method] ?? 0) + 1;
      if (options.delayMilliseconds > 0) await delay(options.delayMilliseconds);
      return askNode(asked);
    },
  });
  return { ...relay, counts: () => ({ ...counts }), requests: () => requests };
};
