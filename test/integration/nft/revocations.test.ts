import { parseEventLogs } from 'viem';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Hash, type Hex, zeroAddress } from '../../../shared/chain/hex.ts';
import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { revocation } from '../../../shared/nft/collections/updates.ts';
import {
  ContractNotFoundError,
  NftFailedError,
  NftNotFoundError,
  NotRevocableError,
} from '../../../shared/nft/errors.ts';
import { revokeToken } from '../../../shared/nft/submit/update.ts';
import { cancelEntry } from '../../../shared/nft/waiter/operator-actions.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { collectionAbi } from '../../support/nft/collection-abi.ts';
import { type Fault, withFault } from '../../support/nft/faults.ts';
import { expectFinishedSigner } from '../../support/nft/invariants.ts';
import { type Ports, receivers, startWorld, type World } from '../../support/nft/world.ts';
import { anApplication } from '../../support/platform/applications.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;
let contract: Contract;
let tokens = 0;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
  contract = await world.deploy({ options: { revocable: true, transferable: false, maxSupply: 60 } });
  await world.mintBatch({ contract: contract.address, destinations: receivers(60) });
  await world.untilFinal();
});

afterAll(async () => {
  await world.stop();
  await database.stop();
});

/** A token that no other test uses. */
const nextToken = (): string => {
  tokens += 1;
  return String(tokens);
};

const revoke = (
  tokenId: string,
  {
    key,
    onRepeated = () => {},
    ports,
    of = contract,
    application = world.application,
  }: {
    readonly key?: string;
    readonly onRepeated?: () => void;
    readonly ports?: Ports;
    readonly of?: Contract;
    readonly application?: typeof world.application;
  } = {},
) =>
  revokeToken(world.submitDependencies(ports), {
    application,
    idempotency: { scope: `revoke ${of.address} ${tokenId}`, key, body: {}, onRepeated },
    contract: of.address,
    tokenId,
  });

const token = (tokenId: string, of = contract) =>
  world.ports.nfts.find({ applicationId: of.applicationId, contract: of.address, tokenId });

/** The transactions that burnt a token: none, or one. */
const burnsOf = async (tokenId: string): Promise<readonly Hash[]> => {
  const { topics } = revocation(BigInt(tokenId)).log;
  const logs = (await world.anvil.rpc('eth_getLogs', {
    address: contract.address,
    fromBlock: '0x0',
    toBlock: 'latest',
    topics,
  })) as Parameters<typeof parseEventLogs>[0]['logs'];
  const parsed = parseEventLogs({ abi: collectionAbi, logs, eventName: 'Transfer' });
  expect(parsed.every(({ args }) => args.to === zeroAddress && args.from !== zeroAddress)).toBe(true);
  return logs.flatMap(({ transactionHash }) => (transactionHash === null ? [] : [transactionHash]));
};

const nextNonce = async (): Promise<number> =>
  (await world.ports.signers.find(world.signerId))?.nextNonce ?? Number.NaN;

const untilFinal = async (): Promise<void> => {
  world.skip(patient(20_000));
  await world.untilFinal();
};

const die = (fault: Omit<Fault, 'mode'>) => withFault(world.ports, { ...fault, mode: 'crash' });

describe('a revocation', () => {
  it('is pending, then final, while the token stays confirmed, and a repetition changes nothing', async () => {
    const tokenId = nextToken();
    const first = await revoke(tokenId, { key: 'once' });
    expect(first).toMatchObject({ status: 'confirmed', revocation: { status: 'pending' } });
    await untilFinal();
    const nonce = await nextNonce();

    const [burn] = await burnsOf(tokenId);
    const after = { status: 'confirmed', revocation: { status: 'confirmed', transactionHash: burn } };
    expect(await token(tokenId)).toMatchObject(after);
    const onRepeated = vi.fn();
    expect(await revoke(tokenId, { key: 'once', onRepeated })).toMatchObject(after);
    expect(onRepeated).toHaveBeenCalledOnce();
    expect(await revoke(tokenId)).toMatchObject(after);
    expect(await nextNonce()).toBe(nonce);
    // The revoked token's place in the supply is not free for another token.
    await expect(world.mint({ contract: contract.address })).rejects.toMatchObject({ details: { left: 0 } });
  });

  it('burns the token once for eight concurrent requests, and uses up the other seven nonces with empty transactions', async () => {
    const tokenId = nextToken();
    const onRepeated = vi.fn();

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => revoke(tokenId, { key: `at-once-${index}`, onRepeated })),
    );
    await untilFinal();

    const { revocation: revoked } = (await token(tokenId)) ?? {};
    expect(answers.map((nft) => nft.revocation?.nonce)).toEqual(answers.map(() => revoked?.nonce));
    expect(revoked?.status).toBe('confirmed');
    expect(await burnsOf(tokenId)).toEqual([revoked?.transactionHash]);
    expect(onRepeated).not.toHaveBeenCalled();
    await expectFinishedSigner(world);
  });

  it('reports that the operator cancelled it, keeps the token, and can be repeated', async () => {
    const tokenId = nextToken();
    const dying = die({ at: 'transactionLog.record', when: 'after' });
    await expect(revoke(tokenId, { ports: dying.ports })).rejects.toThrow();
    const { revocation: recorded } = (await token(tokenId)) ?? {};
    const place = { signer: world.signerId, nonce: recorded?.nonce ?? Number.NaN };

    expect(await cancelEntry(world.submitDependencies(), place)).toMatchObject({ outcome: 'sent' });
    await untilFinal();
    expect(await token(tokenId)).toMatchObject({
      status: 'confirmed',
      revocation: { status: 'failed', failureReason: expect.stringContaining('CANCELLED') },
    });
    expect(await burnsOf(tokenId)).toEqual([]);

    await revoke(tokenId);
    await untilFinal();
    expect((await token(tokenId))?.revocation).toMatchObject({ status: 'confirmed' });
    expect((await token(tokenId))?.revocation).not.toHaveProperty('failureReason');
  });

  it.each<[string, (tokenId: string) => Hex]>([
    ['burnt the token is confirmed with that transaction', (tokenId) => revocation(BigInt(tokenId)).data],
    ['did something else is repeated at another nonce', () => '0x'],
  ])('whose nonce was used by a transaction that %s', async (_, dataOf) => {
    const tokenId = nextToken();
    const dying = die({ at: 'transactionLog.record', when: 'after' });
    await expect(revoke(tokenId, { ports: dying.ports })).rejects.toThrow();
    const { revocation: recorded } = (await token(tokenId)) ?? {};
    const data = dataOf(tokenId);
    const outsider = await world.useNonce(
      recorded?.nonce ?? Number.NaN,
      data === '0x' ? {} : { to: contract.address, data },
    );

    await untilFinal();

    const burns = await burnsOf(tokenId);
    expect(burns).toHaveLength(1);
    expect((await token(tokenId))?.revocation).toMatchObject({
      status: 'confirmed',
      transactionHash: burns[0],
    });
    expect(burns[0] === outsider.hash).toBe(data !== '0x');
    await expectFinishedSigner(world);
  });

  it('is rejected for a collection without revocations, for a missing token, and for other applications', async () => {
    const plain = await world.deploy();
    await world.mint({ contract: plain.address });
    await world.untilFinal();
    const nonce = await nextNonce();

    await expect(revoke('1', { of: plain })).rejects.toBeInstanceOf(NotRevocableError);
    await expect(revoke('999')).rejects.toBeInstanceOf(NftNotFoundError);
    await expect(revoke('1', { application: anApplication({ id: 'two' }) })).rejects.toBeInstanceOf(
      ContractNotFoundError,
    );
    expect(await nextNonce()).toBe(nonce);

    const failing = await world.deploy({ options: { revocable: true } });
    const dying = die({ at: 'transactionLog.record', when: 'after' });
    await expect(
      world.mint({ contract: failing.address, ports: dying.ports, key: 'failing' }),
    ).rejects.toThrow();
    const failed = await world.mint({ contract: failing.address, key: 'failing' });
    const place = { signer: world.signerId, nonce: failed.nonce };
    // The deployment has to be mined first, so that the mint is the next transaction of the signer.
    await world.anvil.rpc('anvil_mine', '0x2');
    expect(await cancelEntry(world.submitDependencies(), place)).toMatchObject({ outcome: 'sent' });
    await untilFinal();
    await expect(revoke(failed.tokenId, { of: failing })).rejects.toBeInstanceOf(NftFailedError);
  });
});
