/** Deploys and calls the contracts of `Odd.sol` on a test's own chain. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import * as z from 'zod';

const hex = z.custom<Hex>((value) => typeof value === 'string');
const compiled = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.object({
    Odd: z.record(
      z.string(),
      z.object({ abi: z.custom<Abi>(), evm: z.object({ bytecode: z.object({ object: z.string() }) }) }),
    ),
  }),
});

const load = createRequire(import.meta.url);

const cacheDirectory = fileURLToPath(
  new URL('../../../../node_modules/.cache/marquee/contracts/', import.meta.url),
);

/** Compiles a source once. Compiling takes seconds, most of them for starting the compiler. */
const compiledText = (input: string): string => {
  const { version } = load('solc/package.json') as { readonly version: string };
  const name = createHash('sha256').update(version).update(input).digest('hex');
  const file = join(cacheDirectory, `${name}.json`);
  if (!existsSync(file)) {
    const solc: { compile(input: string): string } = load('solc');
    mkdirSync(cacheDirectory, { recursive: true });
    // Another process may be compiling the same source.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, solc.compile(input));
    renameSync(unfinished, file);
  }
  return readFileSync(file, 'utf8');
};

const compile = () => {
  const input = {
    language: 'Solidity',
    sources: { Odd: { content: readFileSync(new URL('Odd.sol', import.meta.url), 'utf8') } },
    settings: { outputSelection: { Odd: { '*': ['abi', 'evm.bytecode.object'] } } },
  };
  const { errors, contracts } = compiled.parse(JSON.parse(compiledText(JSON.stringify(input))));
  const mistakes = errors.filter(({ severity }) => severity === 'error');
  if (mistakes.length > 0)
    throw new Error(mistakes.map(({ formattedMessage }) => formattedMessage).join('\n'));
  return contracts.Odd;
};

const sender = '0x00000000000000000000000000000000000a11ce';

export const oddContracts = async (rpc: (method: string, ...parameters: unknown[]) => Promise<unknown>) => {
  const artifacts = compile();
  const artifactOf = (name: string) => {
    const found = artifacts[name];
    if (found === undefined) throw new Error(`Odd.sol has no ${name}`);
    return found;
  };
  await rpc('anvil_impersonateAccount', sender);
  await rpc('anvil_setBalance', sender, '0xffffffffffffffffffff');

  const mined = async (hash: unknown) =>
    waitFor(
      async () => {
        const answer = await rpc('eth_getTransactionReceipt', hash);
        const receipt = z
          .object({ status: z.literal('0x1'), contractAddress: hex.nullish() })
          .safeParse(answer);
        if (!receipt.success) throw new Error(`not mined: ${JSON.stringify(answer)}`);
        return receipt.data;
      },
      // A block holds a few of these transactions, by their limits of gas, and hundreds may wait.
      { interval: 50, timeout: 600_000 },
    );
  let last: Promise<unknown> = Promise.resolve();
  /** Sends one transaction at a time: the node chooses the nonce, and would choose the same one for two at once. */
  const send = (transaction: { readonly to?: Hex; readonly data: Hex }): Promise<unknown> => {
    const sent = last.then(() =>
      rpc('eth_sendTransaction', { from: sender, gas: '0x4c4b40', ...transaction }),
    );
    last = sent.catch(() => {});
    return sent;
  };

  return {
    deploy: async (name: string, ...args: unknown[]): Promise<Hex> => {
      const { abi, evm } = artifactOf(name);
      const data = encodeDeployData({ abi, args, bytecode: `0x${evm.bytecode.object}` });
      const { contractAddress } = await mined(await send({ data }));
      if (!contractAddress) throw new Error(`${name} was not deployed`);
      return contractAddress;
    },
    /** Sends all calls before it waits. Otherwise each call would wait for a block of its own. */
    call: async (
      calls: readonly {
        readonly to: Hex;
        readonly name: string;
        readonly call: string;
        readonly args: unknown[];
      }[],
    ): Promise<void> => {
      const hashes: unknown[] = [];
      for (const { to, name, call, args } of calls) {
        const data = encodeFunctionData({ abi: artifactOf(name).abi, functionName: call, args });
        hashes.push(await send({ to, data }));
      }
      // Checks one at a time: nearly all are mined in the same block, and hundreds of requests at once would slow the
      // node down.
      for (const hash of hashes) await mined(hash);
    },
    dataOf: (name: string, call: string, args: unknown[]): Hex =>
      encodeFunctionData({ abi: artifactOf(name).abi, functionName: call, args }),
    read: async (name: string, to: Hex, call: string, args: unknown[]): Promise<Hex> =>
      hex.parse(
        await rpc(
          'eth_call',
          { to, data: encodeFunctionData({ abi: artifactOf(name).abi, functionName: call, args }) },
          'latest',
        ),
      ),
  };
};

export type OddContracts = Awaited<ReturnType<typeof oddContracts>>;
