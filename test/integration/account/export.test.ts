import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checksummed, lowerCase } from '../../../shared/chain/hex.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { holderOf } from '../../../shared/wallets/wallet.ts';
import { type AccountWorld, accountClient, startAccountWorld } from '../../support/account/account-world.ts';
import { type Kind, storedKinds } from '../../support/account/stored-attributes.ts';
import { startDatabase, type TestDatabase } from '../../support/platform/dynamodb.ts';
import { itemsIn } from '../../support/platform/kept-tables.ts';

let database: TestDatabase;
let world: AccountWorld;
let club: Application;
let shop: Application;
let radio: Application;

beforeAll(async () => {
  database = await startDatabase();
  world = await startAccountWorld(database);
  club = await world.addApplication('club', 'The football club');
  shop = await world.addApplication('shop', 'Tickets and more');
  radio = await world.addApplication('radio', 'Radio on the hill');
});
afterAll(async () => {
  await world.stop();
  await database.stop();
});

type Item = Readonly<Record<string, unknown>>;

const newWallet = () => privateKeyToAccount(generatePrivateKey());

/** The identifier of a user in an application. */
const subOf = async (userSub: string, { id: applicationId }: Application): Promise<string> => {
  const registrationId = (await world.users.find(userSub))?.registrationId ?? '';
  return (await world.subs.find({ registrationId, applicationId }))?.applicationUserSub ?? '';
};

const contracts = new Map<string, Awaited<ReturnType<AccountWorld['deploy']>>['address']>();
const contractOf = async (application: Application) => {
  const known = contracts.get(application.id);
  if (known !== undefined) return known;
  const { address } = await world.deploy({ application, options: { revocable: true } });
  contracts.set(application.id, address);
  return address;
};
const reserve = async (application: Application, userSub: string, count = 1) => {
  const sub = await subOf(userSub, application);
  const contract = await contractOf(application);
  return world.reserve({ application, contract, users: Array.from({ length: count }, () => sub) });
};
const reserveOne = async (application: Application, userSub: string) => {
  const [token] = await reserve(application, userSub);
  if (token === undefined) throw new Error('Nothing was reserved');
  return token;
};

/** Two fans with everything. Both have got tokens of the other, and both have linked the same wallet. */
const twoFans = async (name: string) => {
  const [ana, bo] = [`ana-${name}`, `bo-${name}`];
  const [own, shared, others] = [newWallet(), newWallet(), newWallet()];
  for (const [userSub, applications] of [
    [ana, [club, shop]],
    [bo, [club, radio]],
  ] as const) {
    for (const { id } of applications) {
      await world.put(userSub, { data: { email: `${userSub}@example.com` } }, id);
    }
    await world.put(userSub, { data: { team: `team of ${userSub}` }, agreements: [{ terms: userSub }] });
  }
  await world.link(ana, own);
  await world.link(ana, shared);
  await world.link(bo, others);
  const [anaInClub, boInClub] = [await subOf(ana, club), await subOf(bo, club)];

  const kept = await reserveOne(club, ana);
  const claimed = await reserveOne(shop, ana);
  const claimedToShared = await reserveOne(shop, ana);
  const given = await reserveOne(club, ana);
  const received = await reserveOne(club, bo);
  const backAgain = await reserveOne(club, ana);
  const revoked = await reserveOne(club, ana);
  const theirs = await reserveOne(radio, bo);
  await world.give(club, given, boInClub);
  await world.give(club, received, anaInClub);
  await world.give(club, backAgain, boInClub);
  await world.give(club, backAgain, anaInClub);
  await world.revoke(club, revoked);
  await world.claim(shop, claimed, { userSub: ana, address: lowerCase(own.address) });
  await world.untilFinal();
  await world.claim(shop, claimedToShared, { userSub: ana, address: lowerCase(shared.address) });
  await world.claim(club, given, { userSub: bo, address: lowerCase(others.address) });
  await world.claim(radio, theirs, { userSub: bo, address: lowerCase(others.address) });
  await world.untilFinal();
  // From here on, it is the other fan's.
  await world.link(bo, shared);
  await world.play(ana, 'cup-final', 'club');
  await world.play(bo, 'derby', 'radio');
  const tokens = { kept, claimed, claimedToShared, given, received, backAgain, revoked, theirs };
  return { ana, bo, own, shared, others, tokens };
};

const everything = async (): Promise<ReadonlyMap<string, readonly Item[]>> => {
  const found = new Map<string, readonly Item[]>();
  for (const [id, name] of Object.entries(world.tables)) found.set(id, await itemsIn(database, name));
  return found;
};

/** What an item of somebody has in it, by which it is found. */
const marksOf = async (userSub: string): Promise<readonly string[]> => {
  const registrationId = (await world.users.find(userSub))?.registrationId ?? '';
  const subs = await world.subs.ofRegistration(registrationId);
  const identifiers = [...subs.values()].map(({ applicationUserSub }) => applicationUserSub);
  return [userSub, registrationId, holderOf(userSub), ...identifiers];
};

const leavesOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : [value === null ? 'null' : String(value)];

/** How the export may write a stored value. */
const written = (value: unknown, names: ReadonlyMap<string, string>): readonly string[] => {
  const text = String(value);
  const isTime = typeof value === 'number' && value > 1e12;
  const isAddress = /^0x[0-9a-f]{40}$/.test(text);
  const isPlace = /^\d{16}/.test(text);
  return [
    text,
    ...(isTime ? [new Date(value).toISOString()] : []),
    ...(/^\d{4}-\d\d-\d\dT[\d:.]{15}$/.test(text) ? [`${text.slice(0, 23)}Z`] : []),
    ...(isAddress ? [checksummed(lowerCase(text as `0x${string}`)), text.slice('0x00000000'.length)] : []),
    ...(isPlace ? [String(Number(text.slice(0, 16)))] : []),
    ...(names.has(text) ? [names.get(text) ?? ''] : []),
    // A token without a transaction.
    ...(text === '0x' ? [''] : []),
  ];
};

const kindOf = (table: string, item: Item): Kind | undefined =>
  storedKinds.find((kind) => kind.table === table && kind.key.test(String(item.pk ?? item.user_sub)));

/** The attributes of an item, and those of objects within, if the kind lists these. */
const attributesOf = (kind: Kind, value: unknown, path = ''): readonly (readonly [string, unknown])[] => {
  const within = Object.keys(kind.attributes).some((name) => name.startsWith(`${path}.`));
  if (path !== '' && !within) return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((each) => attributesOf(kind, each, path));
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, each]) =>
    attributesOf(kind, each, path === '' ? name : `${path}.${name}`),
  );
};

const parsed = (text: unknown): unknown => {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
};

describe('the export of a user who has everything', () => {
  it('has all that the tables have of the user, but for what there is a reason for', async () => {
    const { ana, tokens } = await twoFans('all');
    const { whole } = await world.exportAll(ana);
    const shown = new Set(leavesOf(whole));
    const names = new Map([club, shop, radio].map(({ id, name }) => [id, name]));
    const marks = await marksOf(ana);

    const problems: string[] = [];
    const seen = new Set<Kind>();
    for (const [table, items] of await everything()) {
      for (const item of items) {
        const kind = kindOf(table, item);
        if (kind === undefined) problems.push(`${table}: no kind for ${item.pk}`);
        const isOwn = marks.some((mark) => JSON.stringify(item).includes(mark));
        if (kind !== undefined && isOwn) seen.add(kind);
        for (const [name, value] of kind === undefined ? [] : attributesOf(kind, item)) {
          const where = kind?.attributes[name];
          if (where === undefined) problems.push(`${table}: ${name} of ${item.pk}`);
          if (!isOwn || where === undefined || typeof where === 'string') continue;
          // A key has other text around what it says. Who else had a token is null.
          const isOther =
            /^(giver|receiver)$/.test(name) && !marks.some((mark) => String(value).includes(mark));
          if (name === 'pk' || name === 'sk' || isOther) continue;
          const missing = leavesOf(parsed(value)).filter((leaf) => {
            const typed = typeof value === 'number' ? value : leaf;
            return leaf !== '' && !written(typed, names).some((text) => shown.has(text));
          });
          // Only the number of addresses is shown.
          if (missing.length > 0 && where.shownAs !== 'sessions.today.addresses')
            problems.push(`${table}: ${name} = ${missing.join()}`);
        }
      }
    }

    expect(problems).toEqual([]);
    expect(whole.tokens).toHaveLength(Object.keys(tokens).length - 1);
    // Otherwise the fan has not everything, and the test proves less than it says.
    const isShown = ({ attributes }: Kind) =>
      Object.values(attributes).some((where) => typeof where !== 'string');
    expect(storedKinds.filter((kind) => isShown(kind) && !seen.has(kind)).map(({ key }) => key)).toEqual([]);
  });
});

/** All that identifies a user anywhere, in every form in which a text may have it. */
const tracesOf = async (userSub: string, addresses: readonly string[]): Promise<readonly string[]> =>
  [...(await marksOf(userSub)), `${userSub}@example.com`, ...addresses].map((mark) => mark.toLowerCase());

const historyOf = (token: Item | undefined): readonly Item[] => (token?.history as Item[] | undefined) ?? [];

describe('the export of each of two fans who gave each other tokens', () => {
  it('has nothing of the other one', async () => {
    const { ana, bo, own, shared, others, tokens } = await twoFans('attack');
    const [ofAna, ofBo] = [(await world.exportAll(ana)).whole, (await world.exportAll(bo)).whole];
    const [anas, bos] = [JSON.stringify(ofAna).toLowerCase(), JSON.stringify(ofBo).toLowerCase()];

    for (const trace of await tracesOf(bo, [others.address])) expect(anas).not.toContain(trace);
    for (const trace of await tracesOf(ana, [own.address])) expect(bos).not.toContain(trace);
    expect(anas).not.toContain('radio on the hill');
    expect(bos).not.toContain('tickets and more');

    // The wallet that both had: each one sees its own link and its own claim.
    expect(ofAna.wallets?.map(({ address }) => address)).toEqual([own.address]);
    expect(ofBo.wallets?.map(({ address }) => address)).toEqual([others.address, shared.address]);
    expect(ofBo.tokens.some(({ destinationn }) => destinationn === shared.address)).toBe(false);

    const shownTo = (
      { tokens: all }: { readonly tokens: readonly Item[] },
      { contract, tokenId }: typeof tokens.given,
    ) => all.find((token) => token.contract_address === checksummed(contract) && token.id === tokenId);
    const away = shownTo(ofAna, tokens.given);
    expect(away).toEqual({
      application: 'The football club',
      contract_address: checksummed(tokens.given.contract),
      id: tokens.given.tokenId,
      known_from: expect.any(String),
      history: [
        { at: expect.any(String), what: 'reserved', to: await subOf(ana, club) },
        { at: expect.any(String), what: 'given', from: await subOf(ana, club), to: null },
      ],
    });
    expect(shownTo(ofBo, tokens.given)).toMatchObject({
      status: 'confirmed',
      destinationn: others.address,
      history: [
        { what: 'given', from: null, to: await subOf(bo, club) },
        { what: 'claimed', to: others.address },
        { what: 'minted', to: others.address, status: 'confirmed' },
      ],
    });
    const again = shownTo(ofAna, tokens.backAgain);
    expect([again?.status, historyOf(again).map(({ what }) => what)]).toEqual([
      'reserved',
      ['reserved', 'given', 'given'],
    ]);
    expect(shownTo(ofBo, tokens.kept)).toBeUndefined();
    expect(shownTo(ofBo, tokens.revoked)).toBeUndefined();
  });

  it('has nothing of the same user before an erasure', async () => {
    const name = 'returned';
    await world.put(name, { data: { email: 'before@example.com' } }, club.id);
    await world.link(name, newWallet());
    const before = await reserve(club, name, 60);
    const { cursors } = await world.exportAll(name);
    const traces = await tracesOf(name, []);

    await world.erase(name);
    const gone = await world.exportPage(name);
    await world.put(name, { data: { email: 'after@example.com' } }, club.id);
    const { whole: after } = await world.exportAll(name);
    const old = await world.exportPage(name, { cursor: cursors[0] ?? '' });

    expect([before.length, cursors.length]).toEqual([60, 1]);
    expect([gone.status, gone.body.error_fields]).toEqual([404, 'USER_NOT_FOUND']);
    expect([after.tokens, after.wallets, after.user_data]).toEqual([[], [], { email: 'after@example.com' }]);
    // Only what limits count goes on.
    expect(after.counts).toMatchObject([
      { what: 'changes', count: 2 },
      { what: 'erasures', count: 1 },
      { what: 'wallet_challenges', count: 1 },
    ]);
    const identifiers = traces.filter((trace) => /^[0-9a-f-]{32,36}$/.test(trace));
    for (const trace of identifiers) expect(JSON.stringify(after)).not.toContain(trace);
    expect([old.status, old.body.errors]).toEqual([
      400,
      [{ path: 'cursor', message: 'Not a cursor of this list' }],
    ]);
  });
});

describe('the pages of an export', () => {
  it('have every token of all applications once, whether it was kept or given away', async () => {
    const [ana, bo] = ['ana-pages', 'bo-pages'];
    for (const { id } of [club, shop]) {
      await world.put(ana, {}, id);
      await world.put(bo, {}, id);
    }
    const inClub = await reserve(club, ana, 70);
    const inShop = await reserve(shop, ana, 40);
    const given = inClub.filter((_, index) => index % 3 === 0);
    for (const token of given) await world.give(club, token, await subOf(bo, club));

    const { pages, whole } = await world.exportAll(ana);
    const { tokens } = whole;

    const keyOf = (address: string, id: string) => `${address.toLowerCase()} ${id}`;
    const seen = tokens.map(({ contract_address: address, id }) => keyOf(String(address), String(id)));
    const expected = [...inClub, ...inShop].map(({ contract, tokenId }) => keyOf(contract, tokenId));
    expect(seen.toSorted()).toEqual(expected.toSorted());
    expect(tokens.filter(({ status }) => status === undefined)).toHaveLength(given.length);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.slice(1).map(({ body }) => Object.keys(body))).toEqual(pages.slice(1).map(() => ['tokens']));
  });

  it('cannot be read with the cursor of another user, of another list, or with a broken one', async () => {
    const [ana, bo] = ['ana-cursors', 'bo-cursors'];
    await world.put(ana, {}, club.id);
    await world.put(bo, {}, club.id);
    await reserve(club, ana, 60);
    const { cursors } = await world.exportAll(ana);
    const [cursor = ''] = cursors;
    const registrationId = (await world.users.find(bo))?.registrationId;
    const position = { applicationId: 'club' };
    const ofAnother = world.seal(
      { list: 'user-tokens', filters: { registration: registrationId } },
      position,
    );

    const answers = [
      await world.exportPage(bo, { cursor }),
      await world.exportPage(bo, { cursor: ofAnother }),
      await world.exportPage(ana, { cursor: `${cursor.slice(0, -1)}_` }),
      await world.exportPage(ana, { cursor: '' }),
    ];

    for (const { status, body } of answers) {
      expect([status, body.errors]).toMatchObject([400, [{ path: 'cursor' }]]);
    }
  });

  it('are for account clients alone, and only for users who are registered', async () => {
    await world.put('ana-clients', {}, club.id);

    const shopPage = await world.exportPage('ana-clients', { as: 'client-club' });
    const nobody = await world.exportPage('nobody', { as: accountClient });

    expect([shopPage.status, shopPage.body.message]).toEqual([403, 'CLIENT_NOT_ALLOWED']);
    expect([nobody.status, nobody.body.error_fields]).toEqual([404, 'USER_NOT_FOUND']);
  });
});
