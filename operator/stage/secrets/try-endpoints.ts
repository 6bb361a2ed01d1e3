import { zeroAddress, zeroHash } from 'viem';
import { serializeErc6492Signature } from 'viem/utils';
import * as z from 'zod';
import { ChainUnavailableError } from '../../../shared/chain/errors.ts';
import type { BlockId } from '../../../shared/chain/receipt.ts';
import { blockRequest, type Finality, finalizedBlock } from '../../../shared/chain/rpc/finality.ts';
import {
  batchLimit,
  EndpointError,
  type RpcAnswer,
  type RpcRequest,
} from '../../../shared/chain/rpc/json-rpc.ts';
import { createRpcEndpoints, type RpcEndpoints } from '../../../shared/chain/rpc/rpc-endpoints.ts';
import { count, hex, resultOf, toQuantity } from '../../../shared/chain/rpc/wire.ts';
import { balances } from '../../../shared/nft/rpc/balances.ts';
import { transactionCounts } from '../../../shared/nft/rpc/chain.ts';
import { feeSource } from '../../../shared/nft/rpc/chain-fees.ts';
import { blocksAtOnce, eventReader } from '../../../shared/nft/rpc/chain-logs.ts';
import { minedCounts } from '../../../shared/nft/rpc/mined-counts.ts';
import { receiptReader } from '../../../shared/nft/rpc/receipts.ts';
import { stateReader } from '../../../shared/nft/rpc/state.ts';
import { chainTokenOwners } from '../../../shared/nft/rpc/token-owners.ts';
import { chainTicketHoldings } from '../../../shared/ott/rpc/ticket-holdings.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { chainContractSignatures } from '../../../shared/wallets/rpc/contract-signatures.ts';

/** The settings of a stage by which its functions read the chain. */
export interface TriedChain {
  readonly chainId: number;
  readonly finality: Finality;
  /** Whether the secret `ticket-chain` has the endpoints that are asked about tokens for viewers. */
  readonly ownTicketEndpoints: boolean;
}

/** For a person at a terminal: longer than functions wait, so that a slow network does not fail a good value. */
const patientMilliseconds = 10_000;

/** Describes why a server could not be connected to. `undefined` if the error has another cause. */
export const unreachable = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause ? `cannot be reached (${cause.code})` : undefined;

/**
 * One endpoint, as the functions' readers see it. Nothing is asked twice, and each failure is thrown with its reason.
 */
const onlyEndpoint = (url: string, { chainId }: TriedChain) => {
  const urls = async () => ({ urls: [url] });
  const endpoints = createRpcEndpoints({
    chainId,
    urls: { read: urls, refresh: urls },
    clock: systemClock,
    requestTimeoutMilliseconds: patientMilliseconds,
    questionTimeoutMilliseconds: patientMilliseconds,
  });
  let complaint: string | undefined;
  const askAll = async (requests: readonly RpcRequest[]) => {
    const [answer] = await endpoints.every(requests);
    if (answer === undefined) throw new EndpointError({ message: 'no answer' });
    if ('failure' in answer) throw answer.failure;
    for (const each of answer.answers) if ('error' in each) complaint = each.error.message;
    return answer;
  };
  const ask = async (requests: readonly RpcRequest[]) => (await askAll(requests)).answers;
  const asked: Pick<RpcEndpoints, 'first' | 'every' | 'converse'> = {
    first: async (requests, accept) => accept(await ask(requests)),
    every: async (requests) => [await askAll(requests)],
    converse: (talk) => talk(ask),
  };
  return {
    ...asked,
    ask,
    /** The last error that an answer had, since this was called last. */
    takeComplaint: (): string | undefined => {
      const last = complaint;
      complaint = undefined;
      return last;
    },
  };
};
type OnlyEndpoint = ReturnType<typeof onlyEndpoint>;

/** Something that a function reads. `run` resolves to whether it got a usable answer, or throws with the reason. */
interface Reading {
  /** What an endpoint that fails cannot do. */
  readonly name: string;
  readonly run: () => Promise<boolean>;
}

const succeeds = (work: Promise<unknown>): Promise<boolean> => work.then(() => true);

/** Runs the functions' readers, one after the other, and returns what the endpoint cannot do. */
const faultsOf = async (endpoint: OnlyEndpoint, readings: readonly Reading[]): Promise<readonly string[]> => {
  const faults = new Map<string, string>();
  for (const { name, run } of readings) {
    endpoint.takeComplaint();
    let reason = '';
    const isUsable = await run().catch((error: unknown) => {
      if (error instanceof EndpointError) reason = error.message;
      else if (!(error instanceof ChainUnavailableError)) throw error;
      return false;
    });
    if (isUsable || faults.has(name)) continue;
    faults.set(name, reason || endpoint.takeComplaint() || 'malformed answer');
  }
  return [...faults].map(([name, reason]) => `does not answer ${name}: ${reason}.`);
};

const heightRequest: RpcRequest = { method: 'eth_blockNumber', params: [] };
const largestBatch = `a batch of ${batchLimit} requests`;

/**
 * A batch as large as any that functions send, with a search for events in as many blocks as any of theirs. The blocks
 * are so old that all nodes of an endpoint have them. An endpoint may refuse each request of a batch that is too large.
 */
const largestReadings = (endpoint: OnlyEndpoint, newest: number): readonly Reading[] => {
  const toBlock = Math.max(0, newest - blocksAtOnce);
  const fromBlock = Math.max(0, toBlock - blocksAtOnce + 1);
  const range = { fromBlock: toQuantity(fromBlock), toBlock: toQuantity(toBlock) };
  const search = { method: 'eth_getLogs', params: [{ address: zeroAddress, ...range }] };
  const heights = Array.from({ length: batchLimit - 1 }, () => heightRequest);
  let answers: readonly RpcAnswer[] | undefined;
  return [
    {
      name: largestBatch,
      run: async () => {
        answers = await endpoint.ask([...heights, search]);
        for (const index of heights.keys()) resultOf(answers, index, count);
        return true;
      },
    },
    {
      name: `eth_getLogs over ${blocksAtOnce} blocks`,
      run: async () =>
        answers === undefined || resultOf(answers, heights.length, z.array(z.unknown())) !== undefined,
    },
  ];
};

/** What is no transaction, so that nothing is sent. */
const notATransaction = '0x00';
const notAvailable =
  /method|not (allowed|supported|available|permitted|whitelisted)|unsupported|disabled|read.?only/i;

const sending = (endpoint: OnlyEndpoint): Reading => ({
  name: 'eth_sendRawTransaction',
  run: async () => {
    const [answer] = await endpoint.ask([{ method: 'eth_sendRawTransaction', params: [notATransaction] }]);
    if (answer === undefined || 'result' in answer) {
      throw new EndpointError({ message: 'accepts what is no transaction' });
    }
    return answer.error.code !== -32_601 && !notAvailable.test(answer.error.message);
  },
});

const transactionsSchema = z.object({ transactions: z.array(hex) });

/** A transaction in the block, or one that nobody has sent if the block has none. */
const transactionIn = async (endpoint: OnlyEndpoint, { number }: BlockId) => {
  const answers = await endpoint.ask([blockRequest(number)]);
  const [hash] = resultOf(answers, 0, transactionsSchema).transactions;
  return { hash: hash ?? zeroHash, isMined: hash !== undefined };
};

const readingsAt = async (endpoint: OnlyEndpoint, at: BlockId): Promise<readonly Reading[]> => {
  const { hash, isMined } = await transactionIn(endpoint, at);
  const receipts = receiptReader(endpoint);
  const state = stateReader(endpoint);
  const events = eventReader(endpoint, { clock: systemClock });
  const expectMined = (isFound: boolean | undefined): boolean => {
    if (isMined && !isFound)
      throw new EndpointError({ message: 'does not find a transaction of its own block' });
    return true;
  };
  return [
    {
      name: 'eth_getTransactionReceipt',
      run: async () => expectMined((await receipts.receipts([hash])).get(hash) !== null),
    },
    {
      name: 'eth_getTransactionReceipt',
      run: async () =>
        (await receipts.lookUpReceipts({ hashes: [hash], at })).get(hash)?.outcome !== 'unknown',
    },
    {
      name: 'eth_getTransactionByHash',
      run: async () => expectMined((await receipts.whereabouts([hash])).get(hash) === 'mined'),
    },
    {
      name: 'eth_getBlockByNumber',
      run: async () =>
        (await receipts.blockHashes({ numbers: [at.number], at })).get(at.number) === at.hash.toLowerCase(),
    },
    { name: 'eth_getTransactionCount', run: () => succeeds(state.minedCountAt(zeroAddress, at)) },
    { name: 'eth_getCode', run: () => succeeds(state.hasCode(zeroAddress, at)) },
    { name: 'eth_call', run: () => succeeds(state.call({ to: zeroAddress, data: '0x' }, at)) },
    {
      name: 'eth_getLogs',
      run: async () => {
        const question = { address: zeroAddress, topics: [zeroHash], since: systemClock(), at };
        return (await events.findEvent(question)).outcome !== 'unknown';
      },
    },
  ];
};

/** What mints and the waiter read and send. */
const tryMints = async (endpoint: OnlyEndpoint, { finality }: TriedChain): Promise<readonly string[]> => {
  const finalName = finality.kind === 'tag' ? 'eth_getBlockByNumber finalized' : 'eth_getBlockByNumber';
  let at: BlockId | undefined;
  const first = await faultsOf(endpoint, [
    {
      name: 'eth_feeHistory',
      run: () =>
        succeeds(feeSource({ endpoints: endpoint, clock: systemClock, minimumPriorityFeePerGas: 0n })()),
    },
    { name: 'eth_getTransactionCount', run: () => succeeds(transactionCounts(endpoint, zeroAddress)) },
    { name: 'eth_getTransactionCount', run: () => succeeds(minedCounts(endpoint)([zeroAddress])) },
    { name: 'eth_getBalance', run: () => succeeds(balances(endpoint)([zeroAddress])) },
    sending(endpoint),
    {
      name: finalName,
      run: async () => {
        at = await finalizedBlock(endpoint, finality);
        return true;
      },
    },
  ]);
  if (at === undefined) return first;
  const block = at;
  let readings: readonly Reading[] = [];
  const prepared = await faultsOf(endpoint, [
    {
      name: 'eth_getBlockByNumber',
      run: async () => {
        readings = await readingsAt(endpoint, block);
        return true;
      },
    },
  ]);
  return [...first, ...prepared, ...(await faultsOf(endpoint, readings))];
};

/** What is read for viewers and users: who holds a token, and whether a wallet's contract accepts a signature. */
const tryTickets = (endpoint: OnlyEndpoint): Promise<readonly string[]> => {
  const tokens = new Map([[zeroAddress, ['1']]]);
  const signature = serializeErc6492Signature({ address: zeroAddress, data: '0x', signature: '0x00' });
  const holdings = chainTicketHoldings(endpoint);
  const question = {
    wallets: [zeroAddress],
    contracts: [zeroAddress],
    voidTokens: tokens,
    claimedTokens: new Map(),
  } as const;
  return faultsOf(endpoint, [
    { name: 'eth_call for tickets', run: () => succeeds(holdings.isHeld(question)) },
    { name: 'eth_call for tickets', run: () => succeeds(holdings.withoutOwner(tokens)) },
    {
      name: 'eth_call for owners',
      run: () => succeeds(chainTokenOwners(endpoint).now({ contract: zeroAddress, tokenId: '1' })),
    },
    {
      name: 'eth_call and eth_getCode for wallets',
      run: () =>
        succeeds(
          chainContractSignatures(endpoint).isValid({ address: zeroAddress, hash: zeroHash, signature }),
        ),
    },
  ]);
};

/**
 * Uses an endpoint as the functions do that read the secret, by their own readers. Returns what is wrong, one sentence
 * each, or none.
 */
const tryEndpoint = async (
  url: string,
  index: number,
  { ofMints, chain }: { readonly ofMints: boolean; readonly chain: TriedChain },
): Promise<readonly string[]> => {
  const endpoint = onlyEndpoint(url, chain);
  const which = `urls.${index} (${URL.parse(url)?.host ?? 'malformed URL'})`;
  let height: number;
  try {
    height = resultOf(await endpoint.ask([heightRequest]), 0, count);
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    return [`${which}: ${unreachable(error.cause) ?? error.message}.`];
  }
  const faults = [
    ...(ofMints ? await tryMints(endpoint, chain) : []),
    ...(ofMints && chain.ownTicketEndpoints ? [] : await tryTickets(endpoint)),
    // An endpoint may refuse each request of a batch that is too large.
    ...(ofMints ? (await faultsOf(endpoint, largestReadings(endpoint, height))).slice(0, 1) : []),
  ];
  return faults.map((fault) => `${which} ${fault}`);
};

export const tryEndpoints =
  (ofMints: boolean) =>
  async ({ urls }: { readonly urls: readonly string[] }, chain: TriedChain): Promise<readonly string[]> =>
    (await Promise.all(urls.map((url, index) => tryEndpoint(url, index, { ofMints, chain })))).flat();
