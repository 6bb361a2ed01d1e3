import * as z from 'zod';
import { eventStoreOf } from '../../operator/platform/stage/stores.ts';
import { findTarget } from '../../operator/platform/stage/target.ts';
import { dynamoDbCatalogue } from '../../shared/ott/store/catalogue.ts';
import { type Chapter, eventually, expectSame, later, type Step } from './step.ts';
import { applicationOf, bodyOf, call, type World } from './world.ts';

const second = 1_000;
/** Long enough for the calls before kick-off, also on a busy machine. */
const untilKickOff = 10 * second;
const untilEnd = untilKickOff + 15 * second;

const eventSchema = z.object({ status: z.string() });
const streamSchema = z.object({ url: z.url(), expires_at: z.iso.datetime() });

/** An event that turns LIVE and FINISHED by its schedule, while nobody does anything. */
export const scheduleChapter = (world: World): Chapter => {
  const { signal, run } = world;
  const id = `${run}-match`;
  const times = later<{ readonly kickOff: string; readonly end: string }>();
  const signed = later<{ readonly url: string; readonly cookie: string }>();

  const ask = (path: string) =>
    call(`${world.outputs().base_url}/api/v3/ott/events/${path}`, {
      headers: { 'x-client-id': applicationOf(world, 'demo').client_id },
      signal,
    });
  const statusTurns = (expected: string): Promise<string> =>
    eventually({
      look: async () => bodyOf(await ask(id), { status: 200, schema: eventSchema }).status,
      isExpected: (seen) => seen === expected,
      expected,
      withinSeconds: 60,
      signal,
    });
  const isListedAs = async (expected: string): Promise<void> => {
    const schema = z.array(z.object({ event_id: z.string() }));
    const listed = bodyOf(await ask(`?status=${expected}&limit=100`), { status: 200, schema });
    expectSame({ expected: true, seen: listed.some(({ event_id }) => event_id === id) });
  };
  const notAvailable = async (): Promise<string> => {
    const schema = z.object({ message: z.literal('STREAM_NOT_AVAILABLE') });
    return `404 ${bodyOf(await ask(`${id}/stream`), { status: 404, schema }).message}`;
  };

  const steps: readonly Step[] = [
    {
      title: 'A scheduled event',
      run: async () => {
        const target = await findTarget({ stage: 'local', outputsFile: world.outputsFile() });
        const catalogue = dynamoDbCatalogue(eventStoreOf(target));
        const from = Math.ceil(Date.now() / second) * second;
        const at = (milliseconds: number) => new Date(from + milliseconds).toISOString();
        const [kickOff, end] = [at(untilKickOff), at(untilEnd)];
        times.set({ kickOff, end });
        world.atEnd('Remove the match', async () => {
          const before = await catalogue.findStored(id);
          if (before !== undefined) await catalogue.write([{ before }]);
        });
        const url = `${world.outputs().distribution_url}/${id}/index.m3u8`;
        const [written] = await catalogue.write([
          {
            after: {
              id,
              title: 'A match by schedule',
              description: null,
              status: 'UPCOMING',
              access: 'free',
              startsAt: kickOff,
              endsAt: end,
              image: null,
              categories: [],
              schedule: [
                { at: kickOff, status: 'LIVE' },
                { at: end, status: 'FINISHED' },
              ],
              stream: { type: 'hls', url },
            },
          },
        ]);
        expectSame({ expected: { outcome: 'written' }, seen: written });
        return `LIVE at ${kickOff.slice(11, 19)}, FINISHED at ${end.slice(11, 19)}`;
      },
    },
    { title: 'Before kick-off', run: notAvailable },
    {
      title: 'It turns LIVE by itself',
      run: async () => {
        await statusTurns('LIVE');
        await isListedAs('LIVE');
        return 'in the list, too';
      },
    },
    {
      title: 'A viewer plays',
      run: async () => {
        const answer = await ask(`${id}/stream`);
        const { url, expires_at: expiresAt } = bodyOf(answer, { status: 200, schema: streamSchema });
        expectSame({ expected: times.get().end, seen: expiresAt });
        const cookie = answer.headers
          .getSetCookie()
          .map((each) => each.split(';')[0])
          .join('; ');
        signed.set({ url, cookie });
        const { status } = await call(url, { headers: { cookie }, signal });
        expectSame({ expected: 200, seen: status });
        return '200, signed until the end of the match';
      },
    },
    {
      title: 'The end closes it',
      run: async () => {
        await statusTurns('FINISHED');
        await isListedAs('FINISHED');
        const { url, cookie } = signed.get();
        const { status } = await call(url, { headers: { cookie }, signal });
        expectSame({ expected: 403, seen: status });
        return `${await notAvailable()}; the cookies: 403`;
      },
    },
  ];
  return { title: 'An event that follows its schedule', steps };
};
