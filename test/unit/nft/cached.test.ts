import { describe, expect, it } from 'vitest';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { cachedContracts } from '../../../shared/nft/submit/cached-contracts.ts';
import { cachedSigners } from '../../../shared/nft/submit/cached-signers.ts';
import { aSignerState } from '../../support/nft/signer-state.ts';

const key = { applicationId: 'one', address: '0x00000000000000000000000000000000000000aa' } as const;

describe('the cache of contracts', () => {
  const aStore = () => {
    let now = 0;
    let reads = 0;
    const stored = new Map<string, Contract>();
    const contracts = cachedContracts({
      contracts: {
        find: async ({ applicationId }) => {
          reads += 1;
          return stored.get(applicationId);
        },
      },
      clock: () => now,
      lifetimeMilliseconds: 1_000,
    });
    const put = (applicationId: string, status: Contract['status']) =>
      stored.set(applicationId, { applicationId, status } as Contract);
    const wait = (milliseconds: number) => (now += milliseconds);
    return { contracts, put, reads: () => reads, wait };
  };

  it('reads a pending contract at most once per block, and a confirmed contract only once', async () => {
    const { contracts, put, reads, wait } = aStore();
    put('one', 'pending');
    expect(await contracts.find(key)).toMatchObject({ status: 'pending' });
    wait(999);
    expect(await contracts.find(key)).toMatchObject({ status: 'pending' });
    expect(reads()).toBe(1);

    put('one', 'confirmed');
    wait(1);
    expect(await contracts.find(key)).toMatchObject({ status: 'confirmed' });
    wait(1_000_000);
    expect(await contracts.find(key)).toMatchObject({ status: 'confirmed' });
    expect(reads()).toBe(2);
  });

  it('notices that a pending contract has failed once the time of one block has passed', async () => {
    const { contracts, put, wait } = aStore();
    put('one', 'pending');
    await contracts.find(key);

    put('one', 'failed');
    wait(1_000);
    expect(await contracts.find(key)).toMatchObject({ status: 'failed' });
  });

  it('reads a failed or missing contract again on every request', async () => {
    const { contracts, put, reads } = aStore();
    put('one', 'failed');

    await contracts.find(key);
    await contracts.find(key);
    await contracts.find({ ...key, applicationId: 'two' });
    await contracts.find({ ...key, applicationId: 'two' });
    expect(reads()).toBe(4);
  });

  it('never returns the contract of another application', async () => {
    const { contracts, put } = aStore();
    put('one', 'confirmed');
    await contracts.find(key);

    expect(await contracts.find({ ...key, applicationId: 'two' })).toBeUndefined();
  });
});

describe('the cache of signers', () => {
  const aSigner = () => {
    let now = 0;
    let reads = 0;
    let nextNonce = 7;
    const state = () => aSignerState({ id: '137#0xaa', nextNonce });
    const signers = cachedSigners({
      signers: {
        find: async (id: string) => {
          reads += 1;
          if (id === '137#0xcc') return aSignerState({ id });
          return id === '137#0xaa' ? state() : undefined;
        },
        reserveNonce: async () => {
          nextNonce += 1;
          return { nonce: nextNonce - 1, state: state() };
        },
        create: async () => {},
      },
      clock: () => now,
      lifetimeMilliseconds: 1_000,
    });
    return { signers, reads: () => reads, wait: (milliseconds: number) => (now += milliseconds) };
  };
  const id = '137#0xaa';

  it('keeps the state of the last reserved nonce for the time of one block', async () => {
    const { signers, reads, wait } = aSigner();
    const taken = await signers.reserveNonce({ id, at: 0 });

    wait(999);
    expect(await signers.find(id)).toEqual(taken?.state);
    expect(reads()).toBe(0);
    wait(1);
    await signers.find(id);
    expect(reads()).toBe(1);
  });

  it('holds several signers at the same time', async () => {
    const { signers, reads } = aSigner();
    await signers.find(id);
    await signers.find('137#0xcc');
    await signers.find(id);

    expect(await signers.find('137#0xcc')).toMatchObject({ id: '137#0xcc' });
    expect(reads()).toBe(2);
  });

  it('does not return the state of one signer for another', async () => {
    const { signers, reads } = aSigner();
    await signers.reserveNonce({ id, at: 0 });

    expect(await signers.find('137#0xbb')).toBeUndefined();
    expect(reads()).toBe(1);
  });

  it('is not used to reserve a nonce, which always reads the store', async () => {
    const { signers } = aSigner();

    expect((await signers.reserveNonce({ id, at: 0 }))?.nonce).toBe(7);
    expect((await signers.reserveNonce({ id, at: 0 }))?.nonce).toBe(8);
  });
});
