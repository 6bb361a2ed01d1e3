import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Address, lowerCase } from '../../../shared/chain/hex.ts';
import { nftAnswer } from '../../../shared/nft/http/answers.ts';
import { claimOwnToken } from '../../../shared/nft/reservations/claim-own.ts';
import { setDestination } from '../../../shared/nft/reservations/set-destination.ts';
import { nobody, standInOf } from '../../../shared/nft/reservations/stand-in.ts';
import { dynamoDbHistoryLines } from '../../../shared/nft/store/history-lines.ts';
import { dynamoDbUserTokens } from '../../../shared/nft/store/user-tokens.ts';
import type { Nft } from '../../../shared/nft/tokens/nft.ts';
import { cancelEntry } from '../../../shared/nft/waiter/operator-actions.ts';
import { dynamoDbApplications } from '../../../shared/platform/store/applications.ts';
import { patient } from '../../../shared/platform/time/patience.ts';
import { putUserData } from '../../../shared/users/put-user-data.ts';
import { removeUser } from '../../../shared/users/remove-user.ts';
import { dynamoDbWallets } from '../../../shared/wallets/store/wallets.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import { accountCalls, killedAt } from '../../support/account/account-calls.ts';
import { heldAt, withFault } from '../../support/nft/faults.ts';
import { mintedIds } from '../../support/nft/minted-ids.ts';
import { type Ports, receivers, startWorld, type World } from '../../support/nft/world.ts';
import { createTables, startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';

let database: TestDatabase;
let world: World;
let calls: Awaited<ReturnType<typeof accountCalls>>;
let applicationsTable: string;
let contract: Address;
let moved = 0;
const clock = () => world.clock() + moved;

beforeAll(async () => {
  database = await startDatabase();
  world = await startWorld({ database, passMilliseconds: 1_000 });
  const { Applications } = await createTables(database, ['Applications'], 'account');
  applicationsTable = Applications;
  calls = await accountCalls(database, { tables: { ...world.tables, Applications }, clock });
  ({ address: contract } = await world.deploy());
  const { version: _, ...application } = world.application;
  await dynamoDbApplications({ client: database.documents, tableName: Applications }).create(application);
});
afterAll(async () => {
  await world.stop();
  await database.stop();
});

const wallet = lowerCase(receivers(1)[0] ?? '0x');
const email = 'somebody@example.com';
let fans = 0;

/** A user with data, two wallets, and a token that is reserved for the user, in each of two collections. */
const aFan = async () => {
  fans += 1;
  const sub = `fan-${fans}`;
  const user = await world.register(sub);
  await calls.put({ sub }, { method: 'PUT', body: { user_data: { email }, user_agreements: ['terms'] } });
  const [first, second] = await world.reserve({
    contract,
    users: [user.applicationUserSub, user.applicationUserSub],
  });
  if (first === undefined || second === undefined) throw new Error('Nothing was reserved');
  const own = lowerCase(`0x${fans.toString(16).padStart(40, 'c')}`);
  const linked = { address: own, linkedAt: 1, opensFrom: 1, proof: 'p' };
  await wallets().write({
    registrationId: user.registrationId,
    users: [{ after: { ...user, version: 1, wallets: [linked] } }],
    ownerships: [
      {
        after: {
          address: own,
          holder: holderOf(sub),
          registrationId: user.registrationId,
          provenAt: 1,
          opensFrom: 1,
          version: 1,
        },
      },
    ],
  });
  return { sub, ...user, first, second, wallet: own, standIn: standInOf(user.applicationUserSub) };
};
type Fan = Awaited<ReturnType<typeof aFan>>;

const wallets = () => dynamoDbWallets({ client: database.documents, tableName: world.tables.Wallets });

const claim = (fan: Fan, token: Nft, ports?: Ports): Promise<Nft> =>
  claimOwnToken(
    {
      ...world.submitDependencies(ports),
      wallets: wallets(),
      claimAfterSeconds: 0,
      claimsPerDay: 1_000,
    },
    {
      application: world.application,
      userSub: fan.sub,
      contract,
      tokenId: token.tokenId,
      address: fan.wallet,
    },
  );

const give = (token: Nft, destination: string, ports?: Ports): Promise<Nft> =>
  setDestination(world.submitDependencies(ports), {
    application: world.application,
    idempotency: { scope: `give ${token.tokenId}`, key: undefined, body: {} },
    contract: token.contract,
    tokenId: token.tokenId,
    destination,
  });

const now = async (token: Nft): Promise<Nft> => {
  const found = await world.ports.nfts.find(token);
  if (found === undefined) throw new Error('The token is gone');
  return found;
};

/** All that the publisher does for a removal: it lets the identifiers end. */
const publish = ({ registrationId }: Pick<Fan, 'registrationId'>) =>
  world.ports.subs.endAll({ registrationId, endsAt: clock() + 30 * 86_400_000 });

/** A claim of the fan's first token that has failed, so that the token is reserved for the fan again. */
const failedClaim = async (fan: Fan): Promise<void> => {
  const { ports } = withFault(world.ports, { at: 'transactionLog.record', when: 'after', mode: 'crash' });
  await claim(fan, fan.first, ports).catch(() => {});
  const { nonce } = await now(fan.first);
  await cancelEntry(world.submitDependencies(), { signer: world.signerId, nonce });
  world.skip(patient(20_000));
  await world.untilFinal();
};

/** The lines of a token's history that name the user. */
const namedInLines = async ({ applicationUserSub }: Fan, { contract, tokenId }: Nft): Promise<Stored[]> => {
  const { lines } = await dynamoDbHistoryLines({
    client: database.documents,
    tableName: world.tables.TokenHistory,
  }).ofToken({ contract, tokenId, limit: 100 });
  return lines
    .filter((line) => JSON.stringify(line).includes(standInOf(applicationUserSub)))
    .map((item) => ({ table: 'TokenHistory', item: { ...item } }));
};

interface Stored {
  readonly table: string;
  readonly item: Readonly<Record<string, unknown>>;
}

const everything = async (): Promise<Stored[]> => {
  const found: Stored[] = [];
  for (const [table, name] of Object.entries({ ...world.tables, Applications: applicationsTable })) {
    const { Items = [] } = await database.documents.scan({ TableName: name, ConsistentRead: true });
    found.push(...Items.map((item) => ({ table, item })));
  }
  return found;
};

/** What the guide says stays of an erased user: each ends by itself, or is the application's to give to others. */
const mayStay = ({ table, item }: Stored): boolean => {
  const ends = typeof item.expires_at === 'number' && item.expires_at * 1_000 > clock();
  if (table === 'Users') return ends && item.is_removed === true;
  if (table === 'ApplicationUserSubs' || table === 'Wallets') return ends;
  // Lines about tokens that the user has given away without claiming them: nothing says which wallet was the user's.
  if (table === 'TokenHistory') return true;
  return table === 'Nfts' && item.status === 'reserved';
};

/** Where something of the user can be read, besides in what may stay. */
const readableOf = async (fan: Fan): Promise<Stored[]> => {
  const of = [fan.sub, fan.registrationId, fan.applicationUserSub, holderOf(fan.sub)];
  const all = await everything();
  const kept = all.filter((each) => !mayStay(each));
  const personal = kept.filter(({ item }) => {
    const text = JSON.stringify(item);
    return of.some((name) => text.includes(`${name}"`) || text.includes(`${name}#`));
  });
  const linked = all.filter(
    ({ table, item }) => table === 'Wallets' && JSON.stringify(item).includes(fan.wallet),
  );
  return [...personal, ...linked];
};

const dataOf = (sub: string) => calls.users.find(sub);

describe('the erasure of a user by the user', () => {
  it('deletes everything, of which nothing can be read, and answers the same when it is repeated', async () => {
    const fan = await aFan();
    await claim(fan, fan.first);
    await world.untilFinal();

    expect(await calls.erase(fan, { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect(await calls.erase(fan, { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect(await calls.forget()).toBe(0);
    await publish(fan);

    expect(await dataOf(fan.sub)).toBeUndefined();
    expect(await readableOf(fan)).toEqual([]);
    const [tombstone, ...others] = (await everything()).filter(
      ({ table, item }) => table === 'Users' && item.user_sub === fan.sub,
    );
    expect(others).toEqual([]);
    expect(JSON.stringify(tombstone)).not.toContain(email);
    expect(await now(fan.first)).toMatchObject({
      status: 'confirmed',
      destination: fan.wallet,
      reservedFor: nobody,
    });
    expect((await now(fan.first)).holder).toBeUndefined();
    expect(await now(fan.second)).toMatchObject({
      status: 'reserved',
      destination: standInOf(fan.applicationUserSub),
    });
    expect(await mintedIds(world, contract)).toContain(fan.first.tokenId);
  });

  it('answers the same for somebody who never was registered', async () => {
    expect(await calls.erase({ sub: 'never here' }, { method: 'DELETE' })).toMatchObject({ status: 204 });
  });

  it.each([
    ['is too old', () => clock() / 1_000 - 700],
    ['is not known', () => 'absent' as const],
    ['is in the future', () => clock() / 1_000 + 60],
  ])('is refused, and changes nothing, if the login %s', async (_, authTime) => {
    const fan = await aFan();

    const refused = await calls.erase({ ...fan, authTime: authTime() }, { method: 'DELETE' });

    expect(refused).toMatchObject({
      status: 401,
      body: { message: 'INSUFFICIENT_USER_AUTHENTICATION' },
      headers: {
        'WWW-Authenticate': 'Bearer error="insufficient_user_authentication", max_age=600',
      },
    });
    expect(await dataOf(fan.sub)).toMatchObject({ data: { email } });
  });

  it('is refused, and shows nothing, to the clients of applications', async () => {
    const fan = await aFan();
    const refused = { status: 403, body: { message: 'CLIENT_NOT_ALLOWED' } };

    expect(await calls.erase({ ...fan, clientId: 'arena-web' }, { method: 'DELETE' })).toMatchObject(refused);
    expect(await calls.preview({ ...fan, clientId: 'arena-web' })).toMatchObject(refused);
    expect(await dataOf(fan.sub)).toMatchObject({ data: { email } });
  });

  it('resets no limit: of 200 changes and erasures in 200 seconds, the third erasure and all after it are refused', async () => {
    const sub = 'restless';
    const answers: { readonly kind: string; readonly status: number; readonly code?: string }[] = [];
    for (let second = 0; second < 200; second += 1) {
      moved += 1_000;
      const isErasure = second % 10 === 9;
      const body = { user_data: { n: String(second) } };
      const { status, body: answer } = isErasure
        ? await calls.erase({ sub }, { method: 'DELETE' })
        : await calls.put({ sub }, { method: 'PUT', body });
      answers.push({ kind: isErasure ? 'erasure' : 'change', status, code: answer?.message });
    }

    const erasures = answers.filter(({ kind }) => kind === 'erasure');
    expect(erasures.slice(0, 2).map(({ status }) => status)).toEqual([204, 204]);
    expect(new Set(erasures.slice(2).map(({ code }) => code))).toEqual(new Set(['TOO_MANY_ERASURES']));
    const changes = answers.filter(({ kind }) => kind === 'change');
    expect(changes.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(new Set(changes.slice(60).map(({ code }) => code))).toEqual(new Set(['TOO_MANY_CHANGES']));
    expect(await dataOf(sub)).toBeDefined();
    moved += 86_400_000;
    expect(await calls.erase({ sub }, { method: 'DELETE' })).toMatchObject({ status: 204 });
  });

  it('is allowed however often an operator has removed the user, which keeps the counts', async () => {
    const fan = await aFan();
    const change = (n: number) => calls.put(fan, { method: 'PUT', body: { user_data: { n: String(n) } } });
    for (let times = 0; times < 3; times += 1) {
      expect(await removeUser({ users: calls.users, clock }, { userSub: fan.sub })).toBe(true);
      await change(times);
    }

    expect((await calls.users.find(fan.sub))?.hour?.changes).toBe(4);
    expect(await calls.erase(fan, { method: 'DELETE' })).toMatchObject({ status: 204 });
  });

  it('says how long the third one has to wait', async () => {
    const sub = 'hasty';
    for (const _ of [1, 2, 3]) {
      await calls.put({ sub }, { method: 'PUT', body: { user_data: { n: '1' } } });
      await calls.erase({ sub }, { method: 'DELETE' });
      moved += 1_000;
    }

    const refused = await calls.erase({ sub }, { method: 'DELETE' });

    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': String(86_400 - 3) } });
  });

  it('makes a stranger of a user who comes back', async () => {
    const fan = await aFan();
    await claim(fan, fan.first);
    await calls.erase(fan, { method: 'DELETE' });
    await calls.forget();
    await calls.put(fan, { method: 'PUT', body: { user_data: { email: 'new@example.com' } } });

    const back = await calls.users.find(fan.sub);
    const registrationId = back?.registrationId ?? '';
    const applicationId = world.application.id;
    const sub = await world.ports.subs.ensure({ registrationId, userSub: fan.sub, applicationId });
    expect(back).toMatchObject({ data: { email: 'new@example.com' }, agreements: [] });
    expect(registrationId).not.toBe(fan.registrationId);
    expect(sub?.applicationUserSub).not.toBe(fan.applicationUserSub);
    const tokens = dynamoDbUserTokens({ client: database.documents, tableName: world.tables.Nfts });
    expect(
      await tokens.list({ applicationId, reservedFor: standInOf(sub?.applicationUserSub ?? ''), limit: 9 }),
    ).toMatchObject({ items: [] });
    expect(await wallets().find(holderOf(fan.sub))).toBeUndefined();
    await expect(claim(fan, fan.second)).rejects.toMatchObject({ code: 'NFT_NOT_FOUND' });
    // A removal that is delivered again, or late, does nothing to the new registration.
    await calls.forget();
    expect(await calls.users.find(fan.sub)).toEqual(back);
  });
});

describe('what follows an erasure', () => {
  it.each(['before', 'after'] as const)(
    'is done although the process is killed %s any of its calls to the database',
    async (when) => {
      for (let at = 1; ; at += 1) {
        const fan = await aFan();
        await claim(fan, fan.first);
        await claim(fan, fan.second);
        const erasing = killedAt(database.documents, { at, when });
        await calls.eraseOver(erasing.client)(fan, { method: 'DELETE' });
        await calls.erase(fan, { method: 'DELETE' });
        const forgetting = killedAt(database.documents, { at, when });
        await calls.forgetOver(forgetting.client, fan.sub);
        expect(await calls.forget(fan.sub)).toBe(0);
        await publish(fan);

        expect({ at, readable: await readableOf(fan) }).toEqual({ at, readable: [] });
        if (!forgetting.wasKilled() && !erasing.wasKilled()) break;
        expect(at).toBeLessThan(40);
      }
    },
    300_000,
  );

  it('names the user in no line about a token that the user has claimed, and others as before', async () => {
    const giver = await aFan();
    const fan = await aFan();
    await give(giver.first, fan.applicationUserSub);
    await claim(fan, await now(giver.first));
    await world.untilFinal();
    await calls.erase(fan, { method: 'DELETE' });
    await calls.forget(fan.sub);

    expect(await namedInLines(fan, giver.first)).toEqual([]);
    expect(await namedInLines(giver, giver.first)).toHaveLength(1);
    expect(await now(giver.first)).toMatchObject({ status: 'confirmed', reservedFor: nobody });
  });

  it('leaves a token whose claim has failed to the application, for nobody', async () => {
    const fan = await aFan();
    await failedClaim(fan);
    expect(await now(fan.first)).toMatchObject({ status: 'reserved', destination: fan.standIn });
    await calls.erase(fan, { method: 'DELETE' });
    await calls.forget(fan.sub);

    expect(await now(fan.first)).toMatchObject({
      status: 'reserved',
      destination: nobody,
      reservedFor: nobody,
    });
    expect(await now(fan.second)).toMatchObject({ status: 'reserved', reservedFor: fan.standIn });
  });

  it('is put aside if it fails and not because of an outage, and the others are done', async () => {
    const broken = await aFan();
    const other = await aFan();
    for (const fan of [broken, other]) {
      await claim(fan, fan.first);
      await calls.erase(fan, { method: 'DELETE' });
      await publish(fan);
    }
    const kept: string[] = [];
    const client = new Proxy(database.documents, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as (input: object) => Promise<unknown>;
        if (name !== 'get') return value;
        return async (input: object) => {
          if (JSON.stringify(input).includes(holderOf(broken.sub))) throw new Error('unreadable');
          return value(input);
        };
      },
    });

    const again = await calls.forgetOver(client, undefined, {
      keep: async ({ reason }) => {
        kept.push(reason);
      },
    });

    expect({ again, kept }).toEqual({ again: 0, kept: ['Error: unreadable'] });
    expect(await readableOf(other)).toEqual([]);
    await calls.forget();
    expect(await readableOf(broken)).toEqual([]);
  });
});

describe('at the same instant as an erasure', () => {
  const erased = async (fan: Fan): Promise<void> => {
    expect(await calls.erase(fan, { method: 'DELETE' })).toMatchObject({ status: 204 });
    await calls.forget();
    await publish(fan);
  };

  it('a claim that was not recorded before is refused, and the token stays reserved', async () => {
    const fan = await aFan();
    const still = heldAt(world.ports, 'transactionLog.record');
    const claiming = claim(fan, fan.first, still.ports);
    await still.isReached;
    await erased(fan);
    still.goOn();

    await expect(claiming).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    expect(await now(fan.first)).toMatchObject({ status: 'reserved', version: 0 });
    expect(await readableOf(fan)).toEqual([]);
    await world.untilFinal();
    expect(await mintedIds(world, contract)).not.toContain(fan.first.tokenId);
  });

  it('a claim that was recorded before, whatever answer was lost, is forgotten and mints its token', async () => {
    const fan = await aFan();
    const { ports } = withFault(world.ports, { at: 'transactionLog.record', when: 'after', mode: 'crash' });
    await claim(fan, fan.first, ports).catch(() => {});
    await erased(fan);

    expect(await now(fan.first)).toMatchObject({ status: 'pending', reservedFor: nobody });
    expect(await readableOf(fan)).toEqual([]);
    world.skip(patient(20_000));
    await world.untilFinal();
    expect(await now(fan.first)).toMatchObject({ status: 'confirmed', destination: fan.wallet });
    expect(await readableOf(fan)).toEqual([]);
  });

  it('a claim that fails later leaves the token reserved for nobody, which can be given to somebody', async () => {
    const fan = await aFan();
    const { ports } = withFault(world.ports, { at: 'transactionLog.record', when: 'after', mode: 'crash' });
    await claim(fan, fan.first, ports).catch(() => {});
    await erased(fan);
    const { nonce } = await now(fan.first);
    await cancelEntry(world.submitDependencies(), { signer: world.signerId, nonce });
    world.skip(patient(20_000));
    await world.untilFinal();

    const reserved = await now(fan.first);
    expect(nftAnswer(reserved)).toMatchObject({ status: 'reserved', destinationn: '', transaction_hash: '' });
    expect(await readableOf(fan)).toEqual([]);
    const heir = await world.register();
    const given = await give(reserved, heir.applicationUserSub);
    expect(nftAnswer(given)).toMatchObject({
      status: 'reserved',
      destinationn: heir.applicationUserSub,
    });
  });

  it('a gift of a token whose claim has failed is refused, and the next one does not name the user', async () => {
    const fan = await aFan();
    const heir = await world.register();
    await failedClaim(fan);
    const still = heldAt(world.ports, 'reservations.change');
    const giving = give(await now(fan.first), heir.applicationUserSub, still.ports);
    await still.isReached;
    await erased(fan);
    still.goOn();

    await expect(giving).rejects.toMatchObject({ code: 'CONFLICT' });
    await give(await now(fan.first), heir.applicationUserSub);
    expect(await namedInLines(fan, fan.first)).toEqual([]);
    expect(await readableOf(fan)).toEqual([]);
  });

  it('a gift to the user reaches nobody: the token is the application’s, and cannot be claimed', async () => {
    const fan = await aFan();
    const giver = await aFan();
    const still = heldAt(world.ports, 'reservations.change');
    const giving = give(giver.first, fan.applicationUserSub, still.ports);
    await still.isReached;
    await erased(fan);
    still.goOn();
    await giving;

    await expect(claim(fan, giver.first)).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    });
    expect(await readableOf(fan)).toEqual([]);
    expect(await give(await now(giver.first), giver.applicationUserSub)).toMatchObject({
      reservedFor: standInOf(giver.applicationUserSub),
    });
  });

  it('a change of the user’s data comes before it, or is a new registration', async () => {
    const fan = await aFan();
    const ports = { users: calls.users, subs: world.ports.subs };
    const still = heldAt(ports, 'users.save');
    const change = { data: { late: 'yes' }, agreements: undefined };
    const putting = putUserData(
      { ...still.ports, clock },
      { userSub: fan.sub, applicationId: undefined, change },
    );
    await still.isReached;
    await erased(fan);
    still.goOn();

    const user = await putting;
    expect(user.data).toEqual({ late: 'yes' });
    expect(user.registrationId).not.toBe(fan.registrationId);
    expect(await calls.users.find(fan.sub)).toEqual(user);
  });
});

describe('a token that was reserved for an erased user', () => {
  it('is minted to an address for nobody', async () => {
    const fan = await aFan();
    await calls.erase(fan, { method: 'DELETE' });
    await calls.forget();
    await publish(fan);

    await give(fan.first, wallet);
    const pending = await now(fan.first);
    await world.untilFinal();

    expect(pending).toMatchObject({ status: 'pending', reservedFor: nobody, destination: wallet });
    expect(pending.holder).toBeUndefined();
    expect(await now(fan.first)).toMatchObject({ status: 'confirmed', destination: wallet });
    expect(await readableOf(fan)).toEqual([]);
  });

  it('is minted for nobody also if the user is erased while it is minted: the request is repeated', async () => {
    const fan = await aFan();
    const still = heldAt(world.ports, 'transactionLog.record');
    const giving = give(fan.first, wallet, still.ports);
    await still.isReached;
    await calls.erase(fan, { method: 'DELETE' });
    await calls.forget();
    await publish(fan);
    still.goOn();

    await expect(giving).rejects.toMatchObject({ code: 'CONFLICT' });
    await give(fan.first, wallet);
    expect(await now(fan.first)).toMatchObject({ reservedFor: nobody, destination: wallet });
    expect(await readableOf(fan)).toEqual([]);
  });

  it('is not minted to the address that stands for nobody', async () => {
    const { refuseStandIns } = await import('../../../shared/nft/reservations/refuse-stand-ins.ts');

    await expect(
      refuseStandIns(world.ports, {
        application: world.application,
        destinations: [['destination', nobody]],
      }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('the preview of an erasure', () => {
  it('counts what goes, what goes back to applications, and what stays in wallets', async () => {
    const fan = await aFan();
    await claim(fan, fan.first);

    const { status, body } = await calls.preview(fan);

    expect(status).toBe(200);
    expect(body).toMatchObject({
      user_data: ['email'],
      user_agreements: 1,
      wallets: 1,
      applications: [
        { name: world.application.name, is_notified: true, reserved_tokens: 1, claimed_tokens: 1 },
      ],
    });
    expect(body.stays).toContainEqual({ what: 'tokens_on_chain', days: null });
    expect(body.stays).toContainEqual({ what: 'backups', days: 35 });
  });

  it('is a 404 for a user who is not registered', async () => {
    expect(await calls.preview({ sub: 'never here' })).toMatchObject({
      status: 404,
      body: { error_fields: 'USER_NOT_FOUND' },
    });
  });
});
