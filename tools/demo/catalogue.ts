import * as z from 'zod';
import { demonstrationEvents } from '../../local/seed/demonstration.ts';
import { type Chapter, eventually, expectSame, later, type Step, UnexpectedError } from './step.ts';
import { applicationOf, bodyOf, call, logIn, type World } from './world.ts';

/** The rules of this application hide paid music events, and its geoblocking hides LIVE events in two countries. */
const applicationId = 'partner';
const fan = 'demonstration-fan';
const vip = 'demonstration-vip';
/** All calls to a system on this machine come from this address. */
const address = '127.0.0.1';
/**
 * How long to wait for a change of the country. Processes cache an address's country for two seconds; the rest allows
 * for a busy machine.
 */
const cacheSeconds = 10;
const paidEvent = 'cup-final';

type Viewer = 'not logged in' | 'logged in' | 'VIP';
type Tokens = Readonly<Record<Viewer, string | undefined>>;

const everywhere = ['season-opening', 'derby-highlights'];
const catalogues: readonly {
  readonly country: string;
  readonly name: string;
  readonly seen: Readonly<Record<Viewer, readonly string[]>>;
}[] = [
  {
    country: 'DE',
    name: 'Germany',
    seen: { 'not logged in': everywhere, 'logged in': everywhere, VIP: everywhere },
  },
  {
    country: 'NO',
    name: 'Norway',
    seen: {
      'not logged in': [...everywhere, 'cup-final', 'training-session'],
      'logged in': [...everywhere, 'cup-final', 'training-session'],
      VIP: [...everywhere, 'cup-final', 'training-session', 'winter-concert'],
    },
  },
];

/** Without the event whose status changes by itself while the demo runs. */
const isOfTheDemonstration = new Set(
  demonstrationEvents('', Date.now()).flatMap(({ id, schedule }) => (schedule === undefined ? [id] : [])),
);
const listSchema = z.array(z.object({ event_id: z.string(), status: z.string() }));

const setCountry = async (world: World, country: string | null): Promise<void> => {
  const answer = await call(`${world.outputs().geolocation_url}/addresses/${address}`, {
    method: 'PUT',
    body: { country },
    signal: world.signal,
  });
  bodyOf(answer, { status: 200, schema: z.object({ country: z.string().nullable() }) });
};

const countryNow = async (world: World): Promise<string | null> => {
  const answer = await call(`${world.outputs().geolocation_url}/geoip/v2.1/country/${address}`, {
    headers: { authorization: `Basic ${Buffer.from('1:local').toString('base64')}` },
    signal: world.signal,
  });
  if (answer.status === 404) return null;
  const schema = z.object({ country: z.object({ iso_code: z.string() }) });
  return bodyOf(answer, { status: 200, schema }).country.iso_code;
};

interface Rights {
  readonly vip: boolean;
  readonly purchases: readonly string[];
}
const rightsSchema = z.object({ vip: z.boolean(), purchases: z.array(z.string()) });

const setRights = async (world: World, user: string, rights: Rights): Promise<void> => {
  const url = `${world.outputs().entitlement_url}/users/${user}`;
  const answer = await call(url, { method: 'PUT', body: rights, signal: world.signal });
  expectSame({ expected: rights, seen: bodyOf(answer, { status: 200, schema: rightsSchema }) });
};

const lendRights = async (world: World, user: string, rights: Rights): Promise<void> => {
  const url = `${world.outputs().entitlement_url}/users/${user}`;
  const before = bodyOf(await call(url, { signal: world.signal }), { status: 200, schema: rightsSchema });
  await setRights(world, user, rights);
  world.atEnd(`Rights of ${user === vip ? 'the VIP' : 'the fan'}`, () =>
    setRights(afterwards(world), user, before),
  );
};

/**
 * The same world, but with a time limit of its own for the calls that undo the demo's changes. The demo's time limit
 * may already have passed.
 */
const afterwards = (world: World): World => ({ ...world, signal: AbortSignal.timeout(10_000) });

const asking = (world: World, path: string, token: string | undefined) =>
  call(`${world.outputs().base_url}/api/v3/ott/events/${path}`, {
    token,
    headers: { 'x-client-id': applicationOf(world, applicationId).client_id },
    signal: world.signal,
  });

const catalogueOf = async (world: World, token: string | undefined) => {
  const events = bodyOf(await asking(world, '?limit=100', token), { status: 200, schema: listSchema });
  return events
    .filter(({ event_id }) => isOfTheDemonstration.has(event_id))
    .sort((a, b) => a.event_id.localeCompare(b.event_id));
};

export const catalogueChapter = (world: World): Chapter => {
  const tokens = later<Tokens>();

  const list = (country: string, viewer: Viewer, expectedIds: readonly string[]): Step => ({
    title: `${country}, ${viewer}`,
    run: async () => {
      const expected = expectedIds.toSorted().join(', ');
      const idsOf = (events: readonly { event_id: string }[]) =>
        events.map(({ event_id }) => event_id).join(', ');
      const seen = await eventually({
        look: async () => idsOf(await catalogueOf(world, tokens.get()[viewer])),
        isExpected: (ids) => ids === expected,
        expected,
        withinSeconds: cacheSeconds,
        signal: world.signal,
      });
      const live = demonstrationEvents('', Date.now()).filter(
        ({ id, status }) => status === 'LIVE' && seen.includes(id),
      );
      return `${expectedIds.length} events, ${live.length} of them LIVE`;
    },
  });

  return {
    title: 'The catalogue, by viewer and country',
    steps: [
      {
        title: 'Two viewers log in',
        run: async () => {
          const { client_id: clientId } = applicationOf(world, applicationId);
          await lendRights(world, fan, { vip: false, purchases: [] });
          await lendRights(world, vip, { vip: true, purchases: [] });
          tokens.set({
            'not logged in': undefined,
            'logged in': await logIn(world, { user: fan, clientId }),
            VIP: await logIn(world, { user: vip, clientId }),
          });
          return 'a fan and a VIP';
        },
      },
      ...catalogues.flatMap(({ country, name, seen }): Step[] => [
        {
          title: `Move to ${name}`,
          run: async () => {
            if (country === 'DE') {
              const before = await countryNow(world);
              world.atEnd(`Country of ${address}`, () => setCountry(afterwards(world), before));
            }
            await setCountry(world, country);
            return `${address} is in ${country}`;
          },
        },
        ...(['not logged in', 'logged in', 'VIP'] as const).map((viewer) => list(name, viewer, seen[viewer])),
        {
          title: `${name}, LIVE by id`,
          run: async () => {
            const expected = seen['logged in'].includes(paidEvent) ? 200 : 404;
            await eventually({
              look: async () => (await asking(world, paidEvent, tokens.get()['logged in'])).status,
              isExpected: (status) => status === expected,
              expected,
              withinSeconds: cacheSeconds,
              signal: world.signal,
            });
            return expected === 200 ? '200' : '404, as if the event did not exist';
          },
        },
      ]),
    ],
  };
};

const refusalSchema = z.object({ status: z.literal(403), message: z.string() });

export const streamChapter = (world: World): Chapter => {
  const token = later<string>();
  const signed = later<{ readonly url: string; readonly cookies: string }>();

  const refused = async (bearer: string | undefined, message: string): Promise<string> => {
    await eventually({
      look: async () => {
        const answer = await asking(world, `${paidEvent}/stream`, bearer);
        // The service may still have cached the previous country, in which the event may be hidden.
        return answer.status === 404
          ? undefined
          : bodyOf(answer, { status: 403, schema: refusalSchema }).message;
      },
      isExpected: (seen) => seen === message,
      expected: `403 ${message}`,
      withinSeconds: cacheSeconds,
      signal: world.signal,
    });
    return `403 ${message}`;
  };

  return {
    title: 'A stream before and after its purchase',
    steps: [
      { title: 'Without a login', run: () => refused(undefined, 'LOGIN_REQUIRED') },
      {
        title: 'Before the purchase',
        run: async () => {
          const { client_id: clientId } = applicationOf(world, applicationId);
          token.set(await logIn(world, { user: fan, clientId }));
          return refused(token.get(), 'PURCHASE_REQUIRED');
        },
      },
      {
        title: 'The purchase',
        run: async () => {
          await setRights(world, fan, { vip: false, purchases: [paidEvent] });
          return `${fan} bought ${paidEvent}`;
        },
      },
      {
        title: 'After the purchase',
        run: async () => {
          const answer = await asking(world, `${paidEvent}/stream`, token.get());
          const schema = z.object({
            event_id: z.literal(paidEvent),
            url: z.url(),
            expires_at: z.iso.datetime(),
          });
          const { url, expires_at } = bodyOf(answer, { status: 200, schema });
          const expected = demonstrationEvents(world.outputs().distribution_url, Date.now()).find(
            ({ id }) => id === paidEvent,
          )?.stream?.url;
          if (url !== expected) throw new UnexpectedError({ expected, seen: url });
          signed.set({
            url,
            cookies: answer.headers
              .getSetCookie()
              .map((cookie) => cookie.split(';')[0])
              .join('; '),
          });
          return `200 ${new URL(url).pathname}, signed until ${expires_at.slice(11, 19)}`;
        },
      },
      {
        title: 'What the cookies open',
        run: async () => {
          const { url, cookies } = signed.get();
          const statusOf = async (file: string, cookie: string) =>
            (await call(file, { headers: { cookie }, signal: world.signal })).status;
          const seen = {
            'its own folder': await statusOf(url, cookies),
            'another folder': await statusOf(url.replace(paidEvent, 'winter-concert'), cookies),
            'without it': await statusOf(url, ''),
          };
          expectSame({ expected: { 'its own folder': 200, 'another folder': 403, 'without it': 403 }, seen });
          return 'the event’s folder: 200; another folder: 403; without cookies: 403';
        },
      },
      {
        title: 'Before its window',
        run: async () => {
          const answer = await asking(world, 'season-opening/stream', token.get());
          const schema = z.object({ message: z.literal('STREAM_NOT_AVAILABLE'), available_from: z.string() });
          const { message, available_from } = bodyOf(answer, { status: 404, schema });
          return `404 ${message}, from ${available_from.slice(0, 10)}`;
        },
      },
    ],
  };
};
