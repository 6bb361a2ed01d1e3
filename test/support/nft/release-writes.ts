import type { DocumentClient } from '../../../shared/adapters/dynamodb/client.ts';
import type { Contract } from '../../../shared/nft/collection/contract.ts';
import type { Nft } from '../../../shared/nft/collection/nft.ts';
import {
  setRoyalty,
  updateContractMetadata,
  updateTokenMetadata,
} from '../../../shared/nft/submit/update.ts';
import { startDatabase, type TestDatabase } from '../dynamodb.ts';
import { withFault } from './faults.ts';
import { receiver, receivers, someMetadata, startWorld, type World } from './world.ts';

/** A write of a release's functions, with its tables by their logical names. */
export interface ReleaseWrite {
  readonly operation: 'put' | 'update' | 'transactWrite';
  readonly input: unknown;
}

/** What functions of a release wrote and answered while nothing was mined. */
export interface ReleaseWrites {
  /** Milliseconds since the epoch: when it began. */
  readonly startedAt: number;
  readonly writes: readonly ReleaseWrite[];
  readonly contracts: readonly Contract[];
  readonly tokens: readonly Nft[];
}

const operations = {
  put: 'put',
  update: 'update',
  transactWrite: 'transactWrite',
  transactWriteOnce: 'transactWrite',
} as const;

/** Bytes as text, and back. */
export const releaseText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    each instanceof Uint8Array ? { $bytes: Buffer.from(each).toString('base64') } : each,
  );

export const releaseOf = (text: string): ReleaseWrites =>
  JSON.parse(text, (_, each: unknown) =>
    typeof each === 'object' && each !== null && '$bytes' in each
      ? Buffer.from(String(each.$bytes), 'base64')
      : each,
  );

export const metadataRequest = (world: World, contract: Contract) => ({
  application: world.application,
  idempotency: { scope: 'metadata of two', key: 'two', body: 'two' },
  contract: contract.address,
  from: '2',
  metadata: ['Used', 'Lost'].map((name) => someMetadata(name)),
});

/** What customers asked of the release; a later release that is asked the same answers the same. */
export const askAsBefore = async (world: World) => {
  const first = await world.deploy({ key: 'first', royalty: { receiver, basisPoints: 250 } });
  const second = await world.deploy({ key: 'second', name: 'Second' });
  const contract = first.address;
  const tokens = [
    await world.mint({ contract, key: 'one' }),
    ...(await world.mintBatch({ contract, destinations: receivers(5), key: 'batch' })),
    await world.mint({ contract: second.address, key: 'other' }),
  ];
  await updateTokenMetadata(world.submitDependencies(), metadataRequest(world, first));
  await updateContractMetadata(world.submitDependencies(), {
    application: world.application,
    idempotency: { scope: 'metadata', key: 'metadata', body: 'metadata' },
    contract,
    metadata: { description: 'New', image: null, media: [] },
  });
  await setRoyalty(world.submitDependencies(), {
    application: world.application,
    idempotency: { scope: 'royalty', key: 'royalty', body: 'royalty' },
    contract,
    royalty: { receiver, basisPoints: 500 },
  });
  return { contracts: [first, second], tokens };
};

/** Runs the functions of this release, and keeps what they write. */
export const keepReleaseWrites = async (): Promise<ReleaseWrites> => {
  const database: TestDatabase = await startDatabase();
  const writes: ReleaseWrite[] = [];
  const documents = { ...database.documents };
  const tables = new Map<string, string>();
  const nameTables = (text: string): string =>
    [...tables].reduce(
      (named, [logical, physical]) => named.replaceAll(`"${physical}"`, `"${logical}"`),
      text,
    );
  for (const [called, operation] of Object.entries(operations) as [
    keyof typeof operations,
    (typeof operations)[keyof typeof operations],
  ][]) {
    const call = database.documents[called] as (input: unknown) => Promise<unknown>;
    const kept = async (input: unknown) => {
      const answer = await call(input);
      writes.push({ operation, input: JSON.parse(nameTables(releaseText(input))) });
      return answer;
    };
    Object.assign(documents, { [called]: kept as DocumentClient[typeof called] });
  }
  const startedAt = Date.now();
  const world = await startWorld({ database, documents, anvil: { blockTimeSeconds: 3_600 } });
  for (const [logical, physical] of Object.entries(world.tables)) tables.set(logical, physical);
  try {
    const asked = await askAsBefore(world);
    // One died with a nonce and a claim.
    const { ports } = withFault(world.ports, { at: 'signer.sign', when: 'after', mode: 'crash' });
    const [contract] = asked.contracts;
    if (contract === undefined) throw new Error('No contract');
    await world.mint({ contract: contract.address, key: 'died', ports }).catch(() => {});
    return { startedAt, writes, ...asked };
  } finally {
    await world.stop();
    await database.stop();
  }
};
