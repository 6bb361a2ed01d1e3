import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { startChild } from '../../processes/child-process.ts';
import { freePort } from '../../processes/free-port.ts';
import { addressUnreachableByPages } from '../../processes/unreachable-by-pages.ts';
import { mineRegularly } from './block-timer.ts';
import { listenForCallers } from './front.ts';
import { unpackState } from './saved-state.ts';
import { keepState } from './state-keeper.ts';
import type { ChainEngine, ChainFaults } from './types.ts';

export interface ChainOptions {
  readonly stateDirectory: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Origins whose pages may call the chain as pages of this machine may. @default none */
  readonly pageOrigins?: readonly string[];
  readonly log: (line: string) => void;
  readonly onUnexpectedExit: (reason: string) => void;
}

const chainId = 31_337;
const blockTimeMilliseconds = 1_000;
/**
 * anvil keeps the transactions and receipts of this many blocks, which is ten minutes. Transactions of unfinished work
 * are looked up much sooner than that. Each kept transaction adds 2.4 KB to every save.
 */
const keptBlocks = 600;
/**
 * anvil keeps the states of this many blocks. Each state is a copy of all contract storage, 100 bytes per token.
 * Callers read at most three blocks back.
 */
const keptStates = 32;
/**
 * How long `stop` waits for the last save. If saving takes longer, because the chain's history is long, the previous
 * save remains.
 */
const lastSaveMilliseconds = 2_500;
const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

export const createChainEngine = async (options: ChainOptions): Promise<ChainEngine> => {
  const port = options.port === 0 ? await freePort() : options.port;
  const rpcUrl = `http://127.0.0.1:${port}`;
  const node = await addressUnreachableByPages();
  const stateFile = join(options.stateDirectory, 'chain', 'state.json.gz');
  const unpackedFile = join(options.stateDirectory, 'chain', 'loaded.json');

  const request = async (method: string, parameters: readonly unknown[] = []): Promise<unknown> => {
    const call = { jsonrpc: '2.0', id: 1, method, params: parameters };
    const { result, error } = answerSchema.parse(await front.post(call));
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };

  let faults: ChainFaults = { isOutOfReach: false };
  const front = await listenForCallers({
    port,
    node,
    pageOrigins: options.pageOrigins ?? [],
    faults: () => faults,
  });
  const hasState = unpackState({ from: stateFile, to: unpackedFile, keptBlocks });
  const child = await startChild({
    name: 'chain',
    command: anvilBinary(),
    arguments: [
      ...['--host', node.host, '--port', String(node.port), '--chain-id', String(chainId)],
      // With one slot per epoch, `finalized` is two blocks behind `latest`.
      ...['--no-mining', '--slots-in-an-epoch', '1', '--quiet'],
      ...['--prune-history', String(keptStates), '--transaction-block-keeper', String(keptBlocks)],
      ...(hasState ? ['--load-state', unpackedFile] : []),
    ],
    stateDirectory: options.stateDirectory,
    isReady: () =>
      request('eth_chainId').then(
        (id) => Number(id) === chainId,
        () => false,
      ),
    onUnexpectedExit: options.onUnexpectedExit,
  }).catch(async (error: unknown) => {
    await front.stop();
    throw error;
  });
  rmSync(unpackedFile, { force: true });
  const timer = mineRegularly({
    everyMilliseconds: blockTimeMilliseconds,
    mine: () => request('evm_mine'),
    log: options.log,
  });
  const keeper = keepState({ file: stateFile, request, log: options.log });

  return {
    rpcUrl,
    chainId,
    request,
    save: keeper.saveNow,
    get faults() {
      return faults;
    },
    setFaults: (changes) => {
      faults = { ...faults, ...changes };
    },
    stop: async () => {
      await timer.stop();
      await keeper.stop();
      await Promise.race([keeper.saveNow(), delay(lastSaveMilliseconds, undefined, { ref: false })]).catch(
        (error: unknown) => options.log(`the chain's state was not saved at the stop: ${String(error)}`),
      );
      await front.stop();
      await child.stop(1_000);
    },
  };
};

const processors: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * The path of the native program. The npm package's launcher is not used: killing the launcher would leave anvil
 * running.
 */
export const anvilBinary = (): string => {
  const fromHere = createRequire(import.meta.url);
  const launcher = createRequire(fromHere.resolve('@foundry-rs/anvil/package.json'));
  const name = `@foundry-rs/anvil-${process.platform}-${processors[process.arch] ?? process.arch}`;
  return launcher.resolve(`${name}/bin/${process.platform === 'win32' ? 'anvil.exe' : 'anvil'}`);
};
