import { pad, toHex } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { purposeText } from '../../../operator/nft/transactions/open-entries.ts';
import type { EventFilter } from '../../../shared/chain/event-log.ts';
import { lowerCase } from '../../../shared/chain/hex.ts';
import { transferTopic } from '../../../shared/nft/collections/collection.ts';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import type { PartChange } from '../../../shared/nft/collections/part-change.ts';
import { updateFor } from '../../../shared/nft/collections/updates.ts';
import { assemble } from '../../../shared/nft/history/assemble.ts';
import type { What } from '../../../shared/nft/history/history-entry.ts';
import { type WorksDependencies, worksOf } from '../../../shared/nft/history/works.ts';
import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { holdingOf } from '../../../shared/nft/reservations/holder.ts';
import {
  contractItem,
  contractKey,
  contractOf,
  nftItem,
  nftKey,
  nftOf,
} from '../../../shared/nft/store/nft-items.ts';
import { entryItem, parseEntry } from '../../../shared/nft/store/transaction-items.ts';
import { dynamoDbTransactionLog } from '../../../shared/nft/store/transactions.ts';
import { burnFieldOf, isBurnt, isGone } from '../../../shared/nft/tokens/gone.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import {
  type Entry,
  firstSignedAt,
  type Resource,
  signerIdOf,
} from '../../../shared/nft/transactions/entry.ts';
import {
  type ByKind,
  burnsToken,
  byKind,
  isUpdate,
  type UpdateKind,
  type UpdatePurpose,
} from '../../../shared/nft/transactions/purpose.ts';
import { signAttempt } from '../../../shared/nft/transactions/sign.ts';
import { findMaker } from '../../../shared/nft/waiter/find-maker.ts';
import { newPass } from '../../../shared/nft/waiter/pass-state.ts';
import { provesWork } from '../../../shared/nft/waiter/proof.ts';
import { receiptVerdict } from '../../../shared/nft/waiter/receipt-verdict.ts';
import { type SupersedeDependencies, supersedeMissing } from '../../../shared/nft/waiter/supersede.ts';
import type { TransactionKind } from '../../../shared/platform/watched.ts';
import { plainClient } from '../../simulation/plain-client.ts';
import { createStore } from '../../simulation/store.ts';
import { aContract } from '../../support/nft/contracts.ts';
import { aDecidedEntry } from '../../support/nft/decisions.ts';
import { localSigner } from '../../support/nft/local-signer.ts';
import { someMetadata } from '../../support/nft/metadata.ts';
import { everyPurpose } from '../../support/nft/purposes.ts';
import { aReceipt } from '../../support/nft/receipt.ts';

const zeroWord = pad('0x0', { size: 32 });
const at = { number: 6, hash: '0x06' } as const;
const neverAsked = async (): Promise<never> => {
  throw new Error('Nobody was to ask this');
};
const named = <Each extends { readonly kind: string }>(all: readonly Each[]) =>
  all.map((purpose) => [purpose.kind, purpose] as const);
const updates = everyPurpose.filter(isUpdate);
const burns = everyPurpose.filter(burnsToken);

/** Whether the proof of a change is that a token goes to the zero address. */
const isProvenByBurn = (purpose: UpdatePurpose): boolean => {
  const [event, , to] = updateFor(purpose).log.topics;
  return event === transferTopic && to === zeroWord;
};

const token: Nft = {
  applicationId: 'one',
  contract: '0x00000000000000000000000000000000000000cc',
  tokenId: '7',
  destination: '0x00000000000000000000000000000000000000aa',
  holder: 'ana',
  metadata: someMetadata('A seat'),
  nonce: 3,
  transactionHash: '0xab',
  status: 'pending',
  createdAt: '2026-11-20T09:15:00.000Z',
};
const change = { nonce: 9, transactionHash: '0xcd', status: 'pending' } as const;
const collection = { applicationId: 'one', contract: token.contract };
/** What is recorded with a change of each kind. */
const changing: ByKind<Resource, UpdateKind> = {
  'update-metadata': ({ from, to }) => ({
    kind: 'metadata',
    collection,
    from,
    metadata: Array.from({ length: Number(to) - Number(from) + 1 }, () => someMetadata('A better seat')),
    change,
  }),
  'update-contract-metadata': () => ({
    kind: 'contract-metadata',
    collection,
    metadata: { description: 'Fans', image: null, media: [] },
    change,
  }),
  'set-royalty': ({ royalty }) => ({ kind: 'royalty', collection, change: { ...change, royalty } }),
  revoke: ({ tokenId }) => ({ kind: 'burn', collection, tokenId, change }),
};

/** What the history of token 7 tells of a transaction of each kind. */
const toldOf: { readonly [Kind in TransactionKind]: readonly What[] } = {
  deploy: [],
  mint: ['minted'],
  claim: ['claimed', 'minted'],
  'update-metadata': ['updated'],
  'update-contract-metadata': [],
  'set-royalty': [],
  revoke: ['revoked'],
  'set-base': [],
  noop: [],
};
/** The index of the log, which has these entries. */
const indexed = (entries: readonly Entry[]): WorksDependencies['changes'] => ({
  ofToken: async () => ({
    changes: entries.map((entry) => ({ ...entry, signedAt: firstSignedAt(entry) })),
    isMore: false,
  }),
});

describe.each(named(everyPurpose))('a transaction of the kind %s', (kind, purpose) => {
  it('is read from the log as it was recorded', () => {
    const entry = aDecidedEntry({ purpose, status: 'pending' });

    const { pk: _, sk: __, ...item } = entryItem(entry);

    expect(parseEntry(item)).toMatchObject({ purpose, status: 'pending' });
  });

  it('is named in what the operator reads', () => {
    expect(purposeText(purpose)).toMatch(new RegExp(`^${kind}\\b`));
  });

  it('is told in the history of its token', async () => {
    const entry = aDecidedEntry({ purpose });
    const transactionLog = {
      find: async ({ nonce }: Pick<Entry, 'nonce'>) => [entry].find((one) => one.nonce === nonce),
    };

    const { works } = await worksOf(
      { changes: indexed([entry]), transactionLog },
      { nft: token, contract: entry },
    );

    const { entries } = assemble(token, { lines: [], works });
    expect(entries.map(({ what }) => what)).toEqual(toldOf[purpose.kind]);
  });

  it('is not proven by a receipt without events, unless it has no work', () => {
    expect(provesWork(aReceipt('0x01'), purpose)).toBe(kind === 'noop');
  });
});

it.each(named(updates))('%s burns a token exactly if a transfer to nobody proves it', (_, purpose) => {
  expect(burnsToken(purpose)).toBe(isProvenByBurn(purpose));
});

describe.each(named(updates))('a change of the kind %s', (_, purpose) => {
  const TableName = 'Table';
  const tables = { contracts: TableName, nfts: TableName, transactions: TableName, requests: TableName };
  const entry = aDecidedEntry({ purpose, nonce: change.nonce, status: 'pending' });
  /** Records the change, of which the tokens 7 and 8 and their contract may have something. */
  const recorded = async () => {
    const store = createStore({ [TableName]: { keys: ['pk', 'sk'] } }, { now: () => 0 });
    for (const tokenId of ['7', '8'])
      store.put({ TableName, Item: nftItem({ ...token, tokenId, status: 'confirmed' }) });
    store.put({ TableName, Item: contractItem(aContract) });
    const log = dynamoDbTransactionLog({ client: plainClient(store), tables, pause: async () => {} });
    expect(await log.record({ entry, resource: byKind(changing, purpose) })).toEqual({ outcome: 'recorded' });
    return {
      log,
      token: (tokenId: string) =>
        nftOf(store.get({ TableName, Key: nftKey({ ...token, tokenId }) }).Item ?? {}),
      contract: () => contractOf(store.get({ TableName, Key: contractKey(aContract) }).Item ?? {}),
    };
  };
  /** The changes that an item has, as the service reads it. */
  const changesIn = (item: Nft | Contract): readonly PartChange[] =>
    Object.values(item).filter((field) => field?.nonce === change.nonce);

  it.each(['confirmed', 'failed'] as const)('is %s in what it changes when this is final', async (status) => {
    const { log, token: tokenOf, contract } = await recorded();
    const changes = () => [contract(), tokenOf('7'), tokenOf('8')].flatMap(changesIn);
    const pending = changes();

    await log.finalize([
      {
        entry,
        at: 1,
        verdict:
          status === 'confirmed' ? { status, hash: '0xef' } : { status, hash: '0xef', reason: 'REVERTED' },
      },
    ]);

    expect(pending.length).toBeGreaterThan(0);
    expect(pending.map((each) => each.status)).toEqual(pending.map(() => 'pending'));
    expect(changes().map((each) => [each.status, each.transactionHash])).toEqual(
      pending.map(() => [status, '0xef']),
    );
  });

  it('is in the history of a token that it changes, also if the index of the log lacks it', async () => {
    const { log, token: tokenOf } = await recorded();
    const nft = tokenOf('7');

    const { works } = await worksOf({ changes: indexed([]), transactionLog: log }, { nft, contract: entry });

    expect(works.map((work) => work.purpose)).toEqual(changesIn(nft).map(() => purpose));
  });
});

describe.each(named(burns))('a token with a transaction of the kind %s', (_, purpose) => {
  const field = burnFieldOf[purpose.kind];
  const during: Nft = { ...token, [field]: change };
  const after: Nft = { ...token, [field]: { ...change, status: 'confirmed' } };
  const stays: Nft = { ...token, [field]: { ...change, status: 'failed', failureReason: 'REVERTED' } };
  const mint: Entry = aDecidedEntry({
    purpose: {
      kind: 'mint',
      applicationId: 'one',
      contract: token.contract,
      firstTokenId: '7',
      destinations: [token.destination],
    },
    status: 'pending',
    missingLooks: 2,
  });
  const burn: Entry = aDecidedEntry({ purpose, nonce: 9, status: 'pending' });

  it('is gone as long as the transaction may take effect, and burnt when it is final', () => {
    expect([during, after, stays].map(isGone)).toEqual([true, true, false]);
    expect([during, after, stays].map(isBurnt)).toEqual([false, true, false]);
    expect([during, after, stays].map((nft) => holdingOf(nft, 'ana'))).toEqual([
      'none',
      'none',
      'until-minted',
    ]);
  });

  it('shows the transaction to callers', () => {
    expect(JSON.stringify(nftAnswer(during))).toContain(change.transactionHash);
  });

  it('is not minted again while the transaction may take effect', async () => {
    const signer = localSigner();
    const clock = () => 1_800_000_000_000;
    const call = {
      from: signerIdOf({ chainId: signer.chainId, address: await signer.address() }),
      nonce: 7,
      to: token.contract,
      data: '0x',
      gas: 160_000n,
    } as const;
    const feeQuote = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
    const attempt = await signAttempt({ signer, clock }, { ...call, feeQuote });
    const failed: string[] = [];
    const dependencies = (log: readonly Entry[]): SupersedeDependencies => ({
      chain: {
        fees: neverAsked,
        transactionCounts: neverAsked,
        finalizedBlock: neverAsked,
        minedCountAt: neverAsked,
        broadcast: neverAsked,
        findEvent: async () => ({ outcome: 'absent' }),
      },
      signer: { ...signer, address: neverAsked },
      clock,
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      events: { raise: () => {} },
      settings: { feeCeiling: 1_000n },
      randomId: () => 'random',
      signers: { create: neverAsked, reserveNonce: neverAsked },
      nfts: { findRange: async () => [during] },
      transactionLog: {
        range: async () => [...log],
        record: neverAsked,
        noteMissing: neverAsked,
        finalize: neverAsked,
        drop: neverAsked,
        supersede: neverAsked,
        failLostBurn: async (__, lost) => {
          failed.push(lost.field);
        },
      },
    });
    const lookOnce = (log: readonly Entry[]) =>
      supersedeMissing(newPass(dependencies(log), mint.signer), {
        absent: [{ ...mint, attempts: [attempt] }],
        deadline: Number.POSITIVE_INFINITY,
        at,
      });

    await lookOnce([burn]);
    expect(failed).toEqual([]);
    // Nothing decides a burn that the log has lost. Then the mint is repeated, for which the signer is asked first.
    await expect(lookOnce([])).rejects.toThrow('Nobody was to ask this');
    expect(failed).toEqual([field]);
  });

  it('counts as burnt by the transaction if a superseded one has burnt it', async () => {
    const asked: Pick<EventFilter, 'topics'>[] = [];
    const chain = {
      findEvent: async (filter: Pick<EventFilter, 'topics'>) => {
        asked.push(filter);
        return { outcome: 'found', transactionHash: '0xef' } as const;
      },
    };

    const maker = await findMaker({ chain }, { entry: burn, since: 1, at });
    const verdict = await receiptVerdict(
      {
        chain: {
          ...chain,
          hasCode: neverAsked,
          call: neverAsked,
          lookUpReceipts: neverAsked,
          blockHashes: neverAsked,
          revertReason: neverAsked,
        },
        transactionLog: { find: async () => aDecidedEntry({ purpose, nonce: 8, status: 'superseded' }) },
      },
      { entry: { ...burn, supersedes: 8 }, receipt: aReceipt('0xab', { status: 'reverted' }), at },
    );

    expect(maker).toEqual({ outcome: 'found', transactionHash: '0xef' });
    expect(verdict).toEqual({ status: 'confirmed', hash: '0xef' });
    const toNobody = [transferTopic, null, zeroWord, lowerCase(toHex(7n, { size: 32 }))];
    expect(asked.map(({ topics }) => topics)).toEqual([toNobody, toNobody]);
  });
});
