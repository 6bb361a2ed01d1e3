import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import * as z from 'zod';
import type { System } from '../test/support/system.ts';

const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export interface MintCallsOptions {
  /** Each sends its next request when it has an answer. */
  readonly connections: number;
  /** Whether each request has an idempotency key. */
  readonly keys: boolean;
  /** Whose key is sent. */
  readonly application: { readonly api_key: string } | undefined;
}

export interface MintAnswer {
  readonly id: string;
  readonly milliseconds: number;
  /** When it came, by `performance.now()`. */
  readonly at: number;
}

export type MintCalls = ReturnType<typeof mintCalls>;

/** Mints in a closed loop. */
export const mintCalls = (system: System, { connections, keys, application }: MintCallsOptions) => {
  const { origin, pathname } = new URL(`${system.outputs.base_url}/api/v1/nft/contracts`);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const apiKey = application?.api_key ?? '';
  const post = async (path: string, body: unknown) => {
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKey,
        ...(keys ? { 'idempotency-key': randomUUID() } : {}),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`POST ${path} answered ${answer.statusCode}: ${text}`);
    return z
      .looseObject({ id: z.string().optional(), address: z.string().optional() })
      .parse(JSON.parse(text));
  };
  /** Until `goOn` says no, which is asked before each request. */
  const runWhile = async (contract: string, goOn: () => boolean): Promise<MintAnswer[]> => {
    const answers: MintAnswer[] = [];
    const caller = async () => {
      while (goOn()) {
        const before = performance.now();
        const { id = '' } = await post(`${pathname}/${contract}/mint`, {
          destination: receiver,
          metadata: { name: 'Seat' },
        });
        const at = performance.now();
        answers.push({ id, milliseconds: at - before, at });
      }
    };
    await Promise.all(Array.from({ length: connections }, caller));
    return answers;
  };
  return {
    create: async () =>
      String((await post(pathname, { name: 'Bench', symbol: 'B', chain: 'MATIC' })).address),
    runWhile,
    run: (contract: string, count: number): Promise<MintAnswer[]> => {
      let left = count;
      return runWhile(contract, () => {
        left -= 1;
        return left >= 0;
      });
    },
    stop: () => pool.destroy(),
  };
};
