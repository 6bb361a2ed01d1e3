import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestLeaseMilliseconds } from '../../../shared/nft/submit/deadlines.ts';
import { gapPatienceMilliseconds } from '../../../shared/nft/transactions/gaps.ts';
import { expectInvariants, type Promised } from '../../support/nft/invariants.ts';
import { type FaultyWorld, startFaultyWorld } from '../../support/nft/mints-under-faults.ts';

let faulty: FaultyWorld;
beforeAll(async () => {
  faulty = await startFaultyWorld();
});
afterAll(() => faulty?.[Symbol.asyncDispose]());

describe('mints while the database throttles writes and reports conflicts', () => {
  it('mostly succeed at the first try with few writes, and none is lost or made twice', async () => {
    const mints = 150;

    const { firstAnswers, refusals, tokenIds, confirmed, minted, recordingWrites } = await faulty.mint({
      mints,
      clients: 16,
      faults: { throttled: 0.1, conflicting: 0.1, delayMilliseconds: 50 },
    });

    const taken = firstAnswers.filter(({ status }) => status === 201).length;
    expect(taken / mints).toBeGreaterThanOrEqual(0.95);
    // The status is 409 if an earlier try could not release its hold on the idempotency key.
    expect(refusals.filter(({ status }) => status !== 503 && status !== 409)).toEqual([]);
    expect(refusals.filter(({ retryAfter }) => retryAfter === undefined)).toEqual([]);
    expect(Math.max(...recordingWrites)).toBeLessThanOrEqual(6);
    expect(new Set(tokenIds).size).toBe(mints);
    expect(confirmed).toHaveLength(mints);
    expect(minted).toHaveLength(mints);
    const { world, contract } = faulty;
    const promised: Promised[] = [];
    for (const tokenId of tokenIds) {
      const nft = await world.ports.nfts.find({ ...contract, contract: contract.address, tokenId });
      if (nft !== undefined) promised.push({ nft });
    }
    await expectInvariants(world, { contract, promised });
  });
});

describe('a mint whose transactions in the database always conflict', () => {
  it('is rejected with 503 after at most six writes, and the next mint is rejected before it takes a nonce', async () => {
    const { world, proxy } = faulty;
    const mint = faulty.environment();
    proxy.calls.length = 0;
    proxy.setFaults({ conflicting: 1, operations: ['TransactWriteItems'] });

    const refusals = [await mint('hot'), await mint('hot'), await mint('hot too')];

    expect(refusals).toMatchObject([1, 2, 3].map(() => ({ status: 503, retryAfter: '1' })));
    expect(faulty.recordingWrites()).toHaveLength(1);
    expect(faulty.recordingWrites()[0]).toBeLessThanOrEqual(6);
    proxy.setFaults({});
    // The log takes writes again. The nonce of the first try has no entry, because the noop transaction met conflicts as
    // well. The waiter fills it when the handler that reserved it must have ended.
    world.skip(requestLeaseMilliseconds);
    expect((await mint('hot')).status).toBe(201);
    world.skip(gapPatienceMilliseconds);
    await world.untilFinal();
  });
});

describe('a mint whose recording always gets an internal error of the database', () => {
  it('is rejected with 503 after at most six writes, including retries by the SDK', async () => {
    const { proxy } = faulty;
    const mint = faulty.environment();
    proxy.calls.length = 0;
    proxy.setFaults({ failing: 1, operations: ['TransactWriteItems'] });

    const refusal = await mint('unserved');

    expect(refusal).toMatchObject({ status: 503, retryAfter: '1' });
    expect(faulty.recordingWrites()).toHaveLength(1);
    expect(faulty.recordingWrites()[0]).toBeLessThanOrEqual(6);
    proxy.setFaults({});
  });
});
