import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { SupplyExhaustedError } from '../../../shared/nft/errors.ts';
import type { Supplies } from '../../../shared/nft/ports/supplies.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { cancelEntry } from '../../../shared/nft/waiter/operator-actions.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { type Fault, firstThen, heldAt, withFault } from '../../support/nft/faults.ts';
import { expectInvariants } from '../../support/nft/invariants.ts';
import { mintedIds } from '../../support/nft/minted-ids.ts';
import { receivers, startWorld, type World } from '../../support/nft/world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
});

afterAll(async () => {
  await world.stop();
  await database.stop();
});

const limited = async (maxSupply: number): Promise<Contract> => {
  const contract = await world.deploy({ options: { maxSupply } });
  await world.untilFinal();
  return contract;
};

/** Waits until all is final, and at once gives up the nonces of requests that died. */
const untilFinal = async (): Promise<void> => {
  world.skip(patient(20_000));
  await world.untilFinal();
};

/** Mints one by one until the supply is exhausted; any other error fails the test. */
const mintTheRest = async ({ address: contract }: Contract): Promise<Nft[]> => {
  const minted: Nft[] = [];
  for (;;) {
    try {
      minted.push(await world.mint({ contract }));
    } catch (error) {
      expect(error).toBeInstanceOf(SupplyExhaustedError);
      return minted;
    }
  }
};

describe('a limited supply', () => {
  it('rejects a mint above the limit with the number left, before it takes anything', async () => {
    const contract = await limited(3);
    const { address } = contract;
    await world.mintBatch({ contract: address, destinations: receivers(2) });
    const before = await world.ports.signers.find(world.signerId);

    const batch = world.mintBatch({ contract: address, destinations: receivers(2), key: 'batch' });
    await expect(batch).rejects.toMatchObject({ code: 'SUPPLY_EXHAUSTED', details: { left: 1 } });
    const tooLarge = world.mintBatch({ contract: address, destinations: receivers(4) });
    await expect(tooLarge).rejects.toMatchObject({ code: 'SUPPLY_EXHAUSTED', details: { left: 1 } });
    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before?.nextNonce);
    const last = await world.mint({ contract: address, key: 'last' });
    await expect(world.mint({ contract: address })).rejects.toMatchObject({ details: { left: 0 } });

    expect(last.tokenId).toBe('3');
    // A request that was answered gets the same answer again.
    expect((await world.mint({ contract: address, key: 'last' })).tokenId).toBe('3');
    await world.untilFinal();
    expect(await mintedIds(world, address)).toEqual(['1', '2', '3']);
  });

  it('is available again even if the requests that clean up after dead requests die as well', async () => {
    const contract = await limited(4);
    const { address } = contract;
    const die = (at: string, when: Fault['when']) =>
      world.mint({ contract: address, ports: withFault(world.ports, { at, when, mode: 'crash' }).ports });
    await expect(die('supplies.take', 'after')).rejects.toThrow();
    await expect(die('signer.sign', 'after')).rejects.toThrow();
    await expect(die('transactionLog.record', 'after')).rejects.toThrow();
    await expect(die('supplies.take', 'after')).rejects.toThrow();
    await expect(world.mint({ contract: address })).rejects.toBeInstanceOf(SupplyExhaustedError);

    world.skip(patient(20_000));
    // A mint may also succeed, with a place that an earlier one freed.
    for (const at of ['nfts.find', 'supplies.fence', 'supplies.giveBack', 'supplies.keep']) {
      await die(at, 'before').catch(() => {});
      await die(at, 'after').catch(() => {});
    }
    world.skip(patient(20_000));
    await mintTheRest(contract);
    await untilFinal();

    expect(await mintedIds(world, address)).toHaveLength(4);
  });

  it('gets the places of a cancelled mint back once, even if the waiter dies after it has returned them', async () => {
    const contract = await limited(2);
    const { address } = contract;
    const { ports: dying } = withFault(world.ports, {
      at: 'transactionLog.record',
      when: 'after',
      mode: 'crash',
    });
    await expect(
      world.mintBatch({ contract: address, destinations: receivers(2), ports: dying, key: 'cancelled' }),
    ).rejects.toThrow();
    const cancelled = await world.mintBatch({
      contract: address,
      destinations: receivers(2),
      key: 'cancelled',
    });
    const place = { signer: world.signerId, nonce: cancelled[0]?.nonce ?? Number.NaN };
    expect(await cancelEntry({ ...world.submitDependencies() }, place)).toMatchObject({ outcome: 'sent' });
    await expect(world.mint({ contract: address })).rejects.toBeInstanceOf(SupplyExhaustedError);

    const { ports, hasHappened } = withFault(world.ports, {
      at: 'supplies.giveBackFailed',
      when: 'after',
      mode: 'crash',
    });
    await world.untilFinal(world.executionsOver(firstThen(ports, world.ports)));
    await waitFor(() => expect(hasHappened()).toBe(true));
    world.skip(patient(20_000));
    const again = await mintTheRest(contract);
    await world.untilFinal();

    expect(again).toHaveLength(2);
    expect(await mintedIds(world, address)).toHaveLength(2);
    expect((await world.ports.nfts.find(again[1] as Nft))?.status).toBe('confirmed');
  });
});

describe('a mint that stalls until other requests can take its places', () => {
  it.each(['signer.sign', 'transactionLog.record'])(
    'at %s is rejected, and no promised token fails',
    async (at) => {
      const contract = await limited(2);
      const order = { contract: contract.address };
      const still = heldAt(world.ports, at);
      const late = world.mint({ ...order, key: 'late', ports: still.ports });
      await still.isReached;
      world.skip(patient(20_000));
      const promised = [...(await mintTheRest(contract))].map((nft) => ({ nft }));
      still.goOn();

      await expect(late).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await untilFinal();

      expect(promised).toHaveLength(2);
      await expectInvariants(world, { contract, promised });
      await expect(world.mint({ ...order, key: 'late' })).rejects.toMatchObject({ details: { left: 0 } });
    },
  );

  it('keeps its places if no other request needs them', async () => {
    const contract = await limited(1);
    const still = heldAt(world.ports, 'transactionLog.record');
    const late = world.mint({ contract: contract.address, ports: still.ports });
    await still.isReached;
    world.skip(patient(20_000));
    still.goOn();
    const promised = [{ nft: await late }];
    await untilFinal();

    await expectInvariants(world, { contract, promised });
  });
});

describe('the places of a supply', () => {
  it('are taken, kept and given back once, even if a write is repeated', async () => {
    const { supplies } = world.ports;
    const key = { applicationId: 'alone', contract: `0x${'5'.repeat(40)}` } as const;
    const twice = async <Result>(write: () => Promise<Result>): Promise<Result> => {
      await write();
      return write();
    };
    const take = (owner: string, count: number, takenAt = 1): ReturnType<Supplies['take']> =>
      twice(() => supplies.take({ ...key, owner, count, takenAt, maxSupply: 10 }));
    const left = async () =>
      (await supplies.take({ ...key, owner: 'none', count: 11, takenAt: 1, maxSupply: 10 })).left;

    const first = (await take('first', 4)).places;
    const second = (await take('second', 6)).places;
    expect([first?.firstTokenId, second?.firstTokenId]).toEqual(['1', '5']);
    const refused = await take('third', 1);
    expect(refused).toMatchObject({ places: undefined, left: 0 });
    expect(refused.marked).toHaveLength(2);
    if (first === undefined || second === undefined) throw new Error('Not taken');

    await twice(() => supplies.keep(first));
    await supplies.giveBack(first);
    expect(await left()).toBe(0);
    await twice(() => supplies.giveBack(second));
    await supplies.keep(second);
    expect(await left()).toBe(6);
    await twice(() => supplies.giveBackFailed(first));
    expect(await left()).toBe(10);
    await twice(() => supplies.takeReturned(first));
    expect(await left()).toBe(6);
    await twice(() => supplies.giveBackFailed(first));
    expect(await left()).toBe(10);
    const unlimited = { ...key, contract: `0x${'6'.repeat(40)}` } as const;
    await supplies.giveBackFailed({ ...unlimited, firstTokenId: '1', count: 1 });
    expect(await world.ports.nfts.reserveTokenIds({ ...unlimited, count: 1 })).toBe('1');
  });
});
