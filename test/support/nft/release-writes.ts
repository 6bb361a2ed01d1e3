import type { Contract } from '../../../shared/nft/collections/contract.ts';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import {
  setRoyalty,
  updateContractMetadata,
  updateTokenMetadata,
} from '../../../shared/nft/submit/update.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { startDatabase } from '../platform/dynamodb.ts';
import { type Release, recordWrites } from '../platform/release-writes.ts';
import { withFault } from './faults.ts';
import { numberedMetadata, someMetadata } from './metadata.ts';
import { receiver, receivers, startWorld, type World } from './world.ts';

/** The data that the functions of a release wrote and returned while no block was mined. */
export interface NftRelease extends Release {
  readonly contracts: readonly Contract[];
  readonly tokens: readonly Nft[];
  /** A reserved token that was given to another user, one that is claimed, and one whose metadata has numbers. */
  readonly reserved: readonly Nft[];
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

export const destinationOf = (world: World, token: Pick<Nft, 'contract' | 'tokenId'>, destination: string) =>
  setDestination(world.submitDependencies(), {
    application: world.application,
    idempotency: { scope: 'destination', key: `${token.tokenId} to ${destination}`, body: destination },
    contract: token.contract,
    tokenId: token.tokenId,
    destination,
  });

/** Reserves tokens for users, gives one to another user, and claims one. Resolves to the tokens as they are then. */
export const reserveAsBefore = async (world: World): Promise<readonly Nft[]> => {
  const [first, second] = [await world.register(), await world.register()];
  const { address: contract } = await world.deploy({ key: 'seats', name: 'Seats' });
  const users = [first, first].map(({ applicationUserSub }) => applicationUserSub);
  const [given, claimed] = await world.reserve({ contract, users, key: 'seats' });
  if (given === undefined || claimed === undefined) throw new Error('Two tokens are reserved');
  return [
    await destinationOf(world, given, second.applicationUserSub),
    await destinationOf(world, claimed, receiver),
    await world.mint({ contract, key: 'numbers', metadata: numberedMetadata() }),
  ];
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
    const reserved = await reserveAsBefore(world);
    return { startedAt, writes, ...asked, reserved };
  } finally {
    await world.stop();
    await database.stop();
  }
};
