import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IdsUsedError, SupplyExhaustedError } from '../../../shared/nft/errors.ts';
import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { holdingOf, reservationHolder } from '../../../shared/nft/reservations/holder.ts';
import { dynamoDbHeldTokens } from '../../../shared/nft/store/held-tokens.ts';
import { counterKey } from '../../../shared/nft/store/nft-items.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { UserNotFoundError } from '../../../shared/users/errors.ts';
import { withFault } from '../../support/nft/faults.ts';
import { startWorld, type World } from '../../support/nft/world.ts';
import { anApplication } from '../../support/platform/applications.ts';
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

/** The ids of the tokens that the user holds in the contract, by the index. */
const heldBy = async (holder: string): Promise<string[]> => {
  const held = dynamoDbHeldTokens({ client: database.documents, tableName: world.tables.Nfts });
  const ids: string[] = [];
  for await (const nft of held.heldBy({ holder })) {
    if (holdingOf(nft, holder) === 'held') ids.push(nft.tokenId);
  }
  return ids;
};

describe('a token that is reserved for a user', () => {
  it('needs no transaction, names its user, and is found by its holder', async () => {
    const { address: contract } = await world.deploy();
    const ana = await world.register();
    const before = await world.ports.signers.find(world.signerId);

    const [nft] = await world.reserve({ contract, users: [ana.applicationUserSub], key: 'one' });
    const again = await world.reserve({ contract, users: [ana.applicationUserSub], key: 'one' });

    if (nft === undefined) throw new Error('Nothing was reserved');
    expect(nftAnswer(nft)).toMatchObject({
      id: '1',
      status: 'reserved',
      is_confirmed: false,
      transaction_hash: '',
      destinationn: ana.applicationUserSub,
    });
    expect(again).toEqual([nft]);
    expect(await world.ports.nfts.find(nft)).toEqual(nft);
    expect(await heldBy(reservationHolder({ registrationId: ana.registrationId, contract }))).toEqual(['1']);
    expect((await world.ports.signers.find(world.signerId))?.nextNonce).toBe(before?.nextNonce);
  });

  it('is not promised with an id of another token, if the counter of ids was lost', async () => {
    const { address: contract, applicationId } = await world.deploy();
    const [ana, bruno] = [await world.register('ida'), await world.register('ivo')];
    const [first] = await world.reserve({ contract, users: [ana.applicationUserSub] });
    await database.sdk.send(
      new DeleteCommand({ TableName: world.tables.Nfts, Key: counterKey({ applicationId, contract }) }),
    );

    const again = () => world.reserve({ contract, users: [bruno.applicationUserSub], key: 'again' });
    await expect(again()).rejects.toBeInstanceOf(IdsUsedError);

    const [second] = await again();
    const holder = reservationHolder({ registrationId: bruno.registrationId, contract });
    expect(second).toMatchObject({ tokenId: '2', holder });
    expect(await world.ports.nfts.find({ applicationId, contract, tokenId: '1' })).toEqual(first);
  });

  it('is not created for a user whom the application does not know, and then takes nothing', async () => {
    const { address: contract } = await world.deploy({ options: { maxSupply: 1 } });
    const ana = await world.register();
    const theirs = await world.register('bruno', anApplication({ id: 'theirs' }));
    const unknown = [theirs.applicationUserSub, '0'.repeat(32)];

    for (const user of unknown) {
      const users = [ana.applicationUserSub, user];
      await expect(world.reserve({ contract, users })).rejects.toBeInstanceOf(UserNotFoundError);
    }

    const [nft] = await world.reserve({ contract, users: [ana.applicationUserSub] });
    expect(nft?.tokenId).toBe('1');
    await expect(world.reserve({ contract, users: [ana.applicationUserSub] })).rejects.toBeInstanceOf(
      SupplyExhaustedError,
    );
  });
});

const points = [
  { at: 'holds.take', when: 'after', mode: 'crash' },
  { at: 'counts.count', when: 'after', mode: 'crash' },
  { at: 'supplies.take', when: 'after', mode: 'crash' },
  { at: 'reservations.record', when: 'before', mode: 'crash' },
  { at: 'reservations.record', when: 'after', mode: 'crash' },
  { at: 'supplies.keep', when: 'before', mode: 'crash' },
  { at: 'holds.take', when: 'after', mode: 'lost' },
  { at: 'supplies.take', when: 'after', mode: 'lost' },
  { at: 'reservations.record', when: 'before', mode: 'lost' },
  { at: 'reservations.record', when: 'after', mode: 'lost' },
  { at: 'supplies.keep', when: 'after', mode: 'lost' },
] as const;

describe('a reservation whose process dies or whose answer is lost', () => {
  it.each(points)(
    'takes effect once when it is repeated with the same key ($mode $when $at)',
    async (fault) => {
      const { address: contract } = await world.deploy({ options: { maxSupply: 2 } });
      const { applicationUserSub } = await world.register();
      const order = { contract, users: [applicationUserSub, applicationUserSub], key: 'batch' };
      const { ports, hasHappened } = withFault(world.ports, fault);

      await world.reserve({ ...order, ports }).catch(() => {});
      expect(hasHappened()).toBe(true);
      world.skip(patient(20_000));
      const tokens = await world.reserve(order);

      const page = await world.ports.nfts.list({ applicationId: world.application.id, contract, limit: 10 });
      expect(page.items.toReversed()).toEqual(tokens);
      expect(tokens).toHaveLength(2);
    },
  );
});
