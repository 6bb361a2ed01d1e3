import { Pool } from 'undici';
import type { Hex } from 'viem';
import * as z from 'zod';
import type { System } from '../../test/support/platform/system.ts';

export const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

export interface MintCallsOptions {
  /** Each connection sends a request only after the response to its previous one. */
  readonly connections: number;
  readonly application: { readonly api_key: string } | undefined;
}

export interface MintAnswer {
  readonly id: string;
  readonly hash: Hex;
  readonly milliseconds: number;
  /** When the response arrived, from `performance.now()`. */
  readonly at: number;
}

const madeSchema = z.looseObject({
  id: z.string().default(''),
  address: z.string().default(''),
  transaction_hash: z.templateLiteral(['0x', z.string()]),
});

export type MintCalls = ReturnType<typeof mintCalls>;

export const mintCalls = (system: System, { connections, application }: MintCallsOptions) => {
  const { origin, pathname } = new URL(`${system.outputs.base_url}/api/v1/nft/contracts`);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const apiKey = application?.api_key ?? '';
  const post = async (path: string, body: unknown) => {
    const before = performance.now();
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKey,
      },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`POST ${path} answered ${answer.statusCode}: ${text}`);
    const at = performance.now();
    const { id, address, transaction_hash: hash } = madeSchema.parse(JSON.parse(text));
    return { id, address, hash, at, milliseconds: at - before };
  };
  const tokenFor = (destination: string) => ({ destination, metadata: { name: 'Seat' } });
  const mint = (contract: string, destination = receiver): Promise<MintAnswer> =>
    post(`${pathname}/${contract}/mint`, tokenFor(destination));
  const deploy = (options: Readonly<Record<string, unknown>> = {}) =>
    post(pathname, { name: 'Bench', symbol: 'B', chain: 'MATIC', ...options });
  const inEachConnection = async (caller: () => Promise<void>): Promise<void> => {
    await Promise.all(Array.from({ length: connections }, caller));
  };
  return {
    create: async (options: Readonly<Record<string, unknown>> = {}) => (await deploy(options)).address,
    deploy,
    mint,
    mintBatch: (contract: string, destinations: readonly string[]) =>
      post(`${pathname}/${contract}/mint/batch`, { tokens: destinations.map(tokenFor) }),
    run: async (contract: string, count: number): Promise<MintAnswer[]> => {
      const answers: MintAnswer[] = [];
      let left = count;
      await inEachConnection(async () => {
        while (left > 0) {
          left -= 1;
          answers.push(await mint(contract));
        }
      });
      return answers;
    },
    runEach: async <Result>(work: readonly (() => Promise<Result>)[]): Promise<Result[]> => {
      const results: Result[] = [];
      const queue = work.values();
      await inEachConnection(async () => {
        for (const each of queue) results.push(await each());
      });
      return results;
    },
    stop: () => pool.destroy(),
  };
};
