import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { IdempotencyKeyInUseError, RecordingUnknownError } from '../../../shared/nft/errors.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { Broken, type Fault, firstThen, withFault } from '../../support/nft/faults.ts';
import { expectInvariants } from '../../support/nft/invariants.ts';
import { startWorld, type World } from '../../support/nft/world.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { remedy } from '../../support/platform/remedy.ts';

let database: TestDatabase;
let world: World;
let contract: Contract;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
  contract = await world.deploy();
  await world.untilFinal();
});

afterAll(async () => {
  await world.stop();
  await database.stop();
});

/** Mints with a fault at this point: the process dies, or an answer is lost. Returns what the caller received. */
const mintWith = async (fault: Fault, key: string): Promise<Nft | undefined> => {
  const { ports, hasHappened } = withFault(world.ports, fault);
  const answer = await world.mint({ contract: contract.address, key, ports }).catch((error: unknown) => {
    // After a crash the handler cannot read back what it wrote, so it throws that the outcome is unknown.
    expect(error instanceof RecordingUnknownError ? error.cause : error).toBeInstanceOf(Broken);
    return undefined;
  });
  expect(hasHappened()).toBe(true);
  return answer;
};

/** Tries again with the same key, if necessary after the lease of the interrupted request has expired. */
const retry = async (key: string): Promise<Nft> => {
  try {
    return await world.mint({ contract: contract.address, key });
  } catch (error) {
    expect(error).toBeInstanceOf(IdempotencyKeyInUseError);
    world.skip(patient(20_000));
    return world.mint({ contract: contract.address, key });
  }
};

describe('a handler', () => {
  it.each<Fault>([
    { at: 'signer.sign', when: 'before', mode: 'lost' },
    // The nonce is taken in parallel to this call.
    { at: 'nfts.reserveTokenIds', when: 'before', mode: 'lost' },
  ])('that fails $when $at fills its reserved nonce with a noop at once', async (fault) => {
    const key = `fills-its-own-${fault.at}`;
    const before = await world.ports.signers.find(world.signerId);
    const nonce = before?.nextNonce ?? Number.NaN;

    await mintWith(fault, key);

    const entry = await world.ports.transactionLog.find({ signer: world.signerId, nonce });
    expect(entry?.purpose).toEqual({ kind: 'noop' });
    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(nonce + 1);
    const nft = await world.mint({ contract: contract.address, key });
    await world.untilFinal();
    await expectInvariants(world, { contract, promised: [{ nft, key }] });
  });

  it('reserves token id and nonce at the same time', async () => {
    const { nfts, signers } = world.ports;
    const { promise: taken, resolve } = Promise.withResolvers<void>();
    const ports = {
      ...world.ports,
      nfts: {
        ...nfts,
        reserveTokenIds: async (wanted: Parameters<typeof nfts.reserveTokenIds>[0]) => {
          await taken;
          return nfts.reserveTokenIds(wanted);
        },
      },
      signers: {
        ...signers,
        reserveNonce: async (taking: Parameters<typeof signers.reserveNonce>[0]) => {
          resolve();
          return signers.reserveNonce(taking);
        },
      },
    };

    const nft = await world.mint({ contract: contract.address, ports });

    await world.untilFinal();
    await expectInvariants(world, { contract, promised: [{ nft }] });
  });

  it('that crashes after recording a mint leaves the token stored, and a repeated request returns it at once', async () => {
    const fault: Fault = { at: 'transactionLog.record', when: 'after', mode: 'crash' };

    await mintWith(fault, 'logged');

    const nft = await world.mint({ contract: contract.address, key: 'logged' });
    expect(nft.status).toBe('pending');
    await world.untilFinal();
    await expectInvariants(world, { contract, promised: [{ nft, key: 'logged' }] });
  });
});

describe('a waiter', () => {
  it('that crashes is replaced by a new one', async () => {
    const fault: Fault = { at: 'chain.receipts', when: 'after', mode: 'crash' };
    const key = 'waiter';
    // The mint is logged but not broadcast, so that the waiter has every kind of work to do.
    await mintWith({ at: 'transactionLog.record', when: 'after', mode: 'crash' }, key);
    const { ports, hasHappened } = withFault(world.ports, fault);
    const executions = world.executionsOver(firstThen(ports, world.ports));

    remedy('the-waiter-fails');
    await world.untilFinal(executions);

    // Some points are passed only after everything is final.
    await waitFor(() => expect(hasHappened(), 'the point was passed').toBe(true));
    const nft = await world.mint({ contract: contract.address, key });
    await expectInvariants(world, { contract, promised: [{ nft, key }] });
  });

  it('that crashes while it fills a nonce gap is replaced by a new one', async () => {
    const fault: Fault = { at: 'signers.saveGap', when: 'after', mode: 'crash' };
    const key = 'gap';
    await mintWith({ at: 'signers.reserveNonce', when: 'after', mode: 'crash' }, key);
    const { ports, hasHappened } = withFault(world.ports, fault);
    const executions = world.executionsOver(() => (hasHappened() ? world.ports : ports));

    remedy('a-nonce-gap-was-filled');
    await waitFor(
      async () => {
        world.skip(patient(2_000));
        await world.watch(executions);
        expect(hasHappened()).toBe(true);
      },
      { interval: 200 },
    );
    world.skip(patient(20_000));
    await world.untilFinal(executions);

    const nft = await retry(key);
    await world.untilFinal(executions);
    await expectInvariants(world, { contract, promised: [{ nft, key }] });
  });

  it('runs even if the response to its start was lost', async () => {
    const { ports } = withFault(
      { executions: world.executions },
      { at: 'executions.start', when: 'after', mode: 'lost' },
    );
    const nft = await world.mint({ contract: contract.address, key: 'start-lost' });

    await expect(world.watch(ports.executions)).rejects.toBeInstanceOf(Broken);
    await world.untilFinal();

    await expectInvariants(world, { contract, promised: [{ nft, key: 'start-lost' }] });
  });
});
