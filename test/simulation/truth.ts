/** The true outcome of a log entry on the main branch of the chain, which only the simulator sees completely. */

import type { Address, Hash } from '../../shared/chain/hex.ts';
import { type Entry, mintedTokens } from '../../shared/nft/transactions/entry.ts';
import {
  type ByKind,
  byKind,
  type MintingKind,
  type PurposeOf,
} from '../../shared/nft/transactions/purpose.ts';
import { provesWork } from '../../shared/nft/waiter/proof.ts';
import type { Block, MinedTransaction, SimulatedChain } from './chain.ts';
import { isMint } from './collection.ts';

export interface OnChain {
  readonly block: Block;
  readonly mined: MinedTransaction;
}

const everyMined = (chain: SimulatedChain): OnChain[] =>
  chain.branch().flatMap((block) => block.mined.map((mined) => ({ block, mined })));

export const findMined = (chain: SimulatedChain, hash: Hash): OnChain | undefined =>
  everyMined(chain).find(({ mined }) => mined.sent.hash === hash);

/** Whether this transaction did the work of the entry. */
export const didWork = ({ block, mined }: OnChain, { purpose }: Pick<Entry, 'purpose'>): boolean =>
  provesWork(
    {
      transactionHash: mined.sent.hash,
      blockNumber: block.number,
      blockHash: block.hash,
      status: mined.isSuccess ? 'success' : 'reverted',
      gasUsed: 0n,
      logs: mined.logs,
    },
    purpose,
  );

/** How often a token was minted: more than once only if it was burnt in between, which must not happen either. */
export const mintsOf = (chain: SimulatedChain, contract: Address, tokenId: bigint): OnChain[] =>
  everyMined(chain).filter(({ mined }) =>
    mined.logs.some(
      (log) => log.address === contract && isMint(log) && BigInt(log.topics[3] ?? '0x0') === tokenId,
    ),
  );

/** The ids of the tokens that a contract has ever had on the chain, with the heights of their blocks. */
export const mintedIn = (chain: SimulatedChain, contract: Address): ReadonlyMap<string, number> =>
  new Map(
    everyMined(chain).flatMap(({ block, mined }) =>
      mined.logs
        .filter((log) => log.address === contract && isMint(log))
        .map(({ topics }) => [String(BigInt(topics[3] ?? '0x0')), block.number] as const),
    ),
  );

const collectionAt = (chain: SimulatedChain, contract: Address, height: number) =>
  chain.branch()[height]?.state.collections.get(contract);

const unknown = (): undefined => undefined;

/**
 * Whether the work of an entry is done on the chain, by any transaction. `undefined` if other entries may do the same
 * work.
 */
export const isDone = (
  chain: SimulatedChain,
  { purpose }: Pick<Entry, 'purpose'>,
  height: number,
): boolean | undefined => {
  const areMinted = (minting: PurposeOf<MintingKind>): boolean =>
    mintedTokens(minting).every(({ tokenId }) =>
      mintsOf(chain, minting.contract, BigInt(tokenId)).some(({ block }) => block.number <= height),
    );
  const rows: ByKind<boolean | undefined> = {
    deploy: ({ contract }) => collectionAt(chain, contract, height) !== undefined,
    mint: areMinted,
    // After a claim that has failed, another one may have minted the token.
    claim: unknown,
    // A later revocation may have burnt the token, after an earlier one has failed.
    revoke: unknown,
    'update-metadata': unknown,
    'update-contract-metadata': unknown,
    'set-royalty': unknown,
    'set-base': unknown,
    noop: unknown,
  };
  return byKind(rows, purpose);
};
