import { createClient, http } from 'viem';
import { getBlock, getTransaction } from 'viem/actions';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbEventHistory } from '../../../shared/ott/store/history.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { stageChain } from '../../nft/chain/stage-chain.ts';
import { changesOf, contractsOf, historyLinesOf, nftsOf, userTokensOf } from '../../nft/chain/stores.ts';
import { applicationsFinder, deadLetterQueue } from '../../notifications/dead-letters/stage-dead-letters.ts';
import {
  applicationsOf,
  applicationUserSubsOf,
  dailyCountsOf,
  endpointsOf,
  eventStoreOf,
  notificationRecordsOf,
  undeliveredOf,
  usersOf,
  walletsOf,
} from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { nothingUnlessDenied } from '../../platform/terminal/access-denied.ts';
import type { FindDependencies } from './find.ts';
import { logSearchOf } from './log-search.ts';

/** Reads a stage's tables and chain for `find`. */
export const stageFinder = (
  target: Target,
  { remark }: { readonly remark: (text: string) => void },
): FindDependencies => {
  const { urls, ...chain } = stageChain(target, { remark });
  /**
   * Asks one RPC endpoint after another until one answers. Returns `undefined` if none answers or the list of RPC
   * endpoints cannot be read. Throws if the permission to read the list is missing.
   */
  const firstOf = async <Result>(ask: (url: string) => Promise<Result>): Promise<Result | undefined> => {
    const known = await urls.read().catch(nothingUnlessDenied);
    for (const url of known?.urls ?? []) {
      try {
        return await ask(url);
      } catch {
        // This RPC endpoint failed or does not know the answer, so the next one is asked.
      }
    }
    return undefined;
  };
  const clientOf = (url: string) => createClient({ transport: http(url, { timeout: 5_000, retryCount: 0 }) });
  return {
    ...chain,
    deadLetters: deadLetterQueue(target),
    applicationsOf: applicationsFinder(target),
    chainId: chain.chain.chainId,
    applications: applicationsOf(target),
    changes: changesOf(target),
    catalogue: dynamoDbCatalogue(eventStoreOf(target)),
    eventHistory: dynamoDbEventHistory(eventStoreOf(target)),
    contracts: contractsOf(target),
    endpoints: endpointsOf(target),
    undelivered: undeliveredOf(target),
    counts: dailyCountsOf(target),
    nfts: nftsOf(target),
    lines: historyLinesOf(target),
    subs: applicationUserSubsOf(target),
    users: usersOf(target),
    userTokens: userTokensOf(target),
    wallets: walletsOf(target),
    records: notificationRecordsOf(target),
    logSearch: logSearchOf(target, systemClock),
    blockTimes: async (numbers) => {
      const times = await Promise.all(
        numbers.map(async (number) => {
          const block = await firstOf((url) => getBlock(clientOf(url), { blockNumber: BigInt(number) }));
          return block === undefined ? [] : [[number, Number(block.timestamp) * 1_000] as const];
        }),
      );
      return new Map(times.flat());
    },
    senderOf: (hash) =>
      firstOf(async (url) => {
        const { from, nonce } = await getTransaction(clientOf(url), { hash });
        return { from, nonce };
      }),
  };
};
