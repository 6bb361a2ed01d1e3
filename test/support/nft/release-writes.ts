import type { Contract } from '../../../shared/nft/collections/contract.ts';
import {
  setRoyalty,
  updateContractMetadata,
  updateTokenMetadata,
} from '../../../shared/nft/submit/update.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { startDatabase } from '../platform/dynamodb.ts';
import { type Release, recordWrites } from '../platform/release-writes.ts';
import { withFault } from './faults.ts';
import { someMetadata } from './metadata.ts';
import { receiver, receivers, startWorld, type World } from './world.ts';

/** The data that the functions of a release wrote and returned while no block was mined. */
export interface NftRelease extends Release {
  readonly contracts: readonly Contract[];
  readonly tokens: readonly Nft[];
}

export const metadataRequest = (world: World, contract: Contract) => ({
  application: world.application,
  idempotency: { scope: 'metadata of two', key: 'two', body: 'two' },
  contract: contract.address,
  from: '2',
  metadata: ['Used', 'Lost'].map((name) => someMetadata(name)),
});

/** The requests that customers sent to the release. A later release must give the same answers to them. */
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

/** Runs the functions of this release and records what they write. */
export const keepNftRelease = async (): Promise<NftRelease> => {
  const database = await startDatabase();
  let tables = {};
  const { documents, writes } = recordWrites(database.documents, () => tables);
  const startedAt = Date.now();
  const world = await startWorld({ database, documents, anvil: { blockTimeSeconds: 3_600 } });
  tables = world.tables;
  try {
    const asked = await askAsBefore(world);
    // One handler dies after it has taken its idempotency key and reserved a nonce.
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
