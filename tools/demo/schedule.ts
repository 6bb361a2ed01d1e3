import type { EventNotification } from '@marquee/client/notifications';
import * as z from 'zod';
import { findTarget } from '../../operator/platform/target/target.ts';
import { createApplication, removeApplication } from '../../operator/stage/applications/application-keys.ts';
import { editorFields } from '../../operator/stage/applications/command-registry.ts';
import { keyKeepingOf } from '../../operator/stage/applications/key-keeping.ts';
import { arrivalSeconds, startEndpoint } from './endpoint.ts';
import { type Chapter, eventually, expectSame, later, type Step, UnexpectedError } from './step.ts';
import { applicationOf, bodyOf, call, type World } from './world.ts';

const second = 1_000;
/** Long enough for the calls before kick-off, also on a busy machine. */
const untilKickOff = 10 * second;
const untilEnd = untilKickOff + 15 * second;
/** Applications are notified of a scheduled status within a minute of its time. The rest allows for a busy machine. */
const toldSeconds = 60 + arrivalSeconds;

const eventSchema = z.object({ status: z.string() });
const streamSchema = z.object({ url: z.url(), expires_at: z.iso.datetime() });

/**
 * An event that an editor publishes over HTTP. It turns LIVE and FINISHED by its schedule, while nobody does anything.
 * The customer is notified of the status within a minute of its time. The last chapter waits for that while others run.
 */
export const scheduleChapters = (world: World): { readonly match: Chapter; readonly told: Chapter } => {
  const { signal, run } = world;
  const id = `${run}-match`;
  const times = later<{ readonly kickOff: string; readonly end: string }>();
  const signed = later<{ readonly url: string; readonly cookie: string }>();
  const editorKey = later<string>();
  const heard: EventNotification[] = [];
  const ofMatch = () => heard.filter(({ event_id }) => event_id === id);
  const hears = (
    isExpected: (notification: EventNotification) => boolean,
    expected: string,
    seconds: number,
  ) =>
    eventually({
      look: ofMatch,
      isExpected: (all) => all.some(isExpected),
      expected,
      withinSeconds: seconds,
      signal,
    });
  const inCatalogue = () => `${world.outputs().base_url}/api/v3/ott/catalogue/${id}`;

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

  const removeMatch = async (): Promise<void> => {
    // The time limit of the whole demonstration may already have passed, so the cleanup has a limit of its own.
    const asEditor = { key: editorKey.get(), signal: AbortSignal.timeout(10_000) };
    // A LIVE event cannot be deleted, and the walk may have ended during the match.
    await call(`${inCatalogue()}/status`, { method: 'PUT', body: { status: 'CANCELLED' }, ...asEditor });
    const { status, text } = await call(inCatalogue(), { method: 'DELETE', ...asEditor });
    if (status !== 204 && status !== 404) {
      throw new UnexpectedError({ expected: 'the match deleted', seen: `${status} ${text}` });
    }
  };

  const steps: readonly Step[] = [
    {
      title: 'An editor gets a key',
      run: async () => {
        const keeping = keyKeepingOf(await findTarget({ stage: 'local', outputsFile: world.outputsFile() }));
        const editor = `${run}-desk`;
        const fields = { id: editor, name: 'News desk', tier: 'standard', ...editorFields };
        const { keyValue } = await createApplication(keeping, fields);
        world.atEnd('Remove the editor', () => removeApplication(keeping, editor));
        editorKey.set(keyValue);
        // Undone after the customer's subscription has ended, so that no message is sent to an endpoint that does not
        // exist any more.
        world.atEnd('Remove the match', removeMatch);
        const { status } = await call(inCatalogue(), { key: keyValue, signal });
        expectSame({ expected: 404, seen: status });
        return editor;
      },
    },
    {
      title: 'A customer listens',
      run: async () => {
        const { url, subscribe, confirmed } = await startEndpoint(world, {
          operationType: 'event_update',
          onNotification: (notification) => {
            if (notification.operation_type === 'event_update') heard.push(notification);
          },
        });
        await subscribe();
        await confirmed();
        return url;
      },
    },
    {
      title: 'The editor publishes',
      run: async () => {
        const from = Math.ceil(Date.now() / second) * second;
        const at = (milliseconds: number) => new Date(from + milliseconds).toISOString();
        const [kickOff, end] = [at(untilKickOff), at(untilEnd)];
        times.set({ kickOff, end });
        const answer = await call(inCatalogue(), {
          method: 'PUT',
          key: editorKey.get(),
          headers: { 'if-none-match': '*' },
          body: {
            event_id: id,
            title: 'A match by schedule',
            status: 'UPCOMING',
            access: 'free',
            starts_at: kickOff,
            ends_at: end,
            schedule: [
              { at: kickOff, status: 'LIVE' },
              { at: end, status: 'FINISHED' },
            ],
            stream: { type: 'hls', url: `${world.outputs().distribution_url}/${id}/index.m3u8` },
          },
          signal,
        });
        expectSame({
          expected: 'UPCOMING',
          seen: bodyOf(answer, { status: 201, schema: eventSchema }).status,
        });
        return `LIVE at ${kickOff.slice(11, 19)}, FINISHED at ${end.slice(11, 19)}`;
      },
    },
    { title: 'Before kick-off', run: notAvailable },
    {
      title: 'The customer hears',
      run: async () => {
        await hears(({ change }) => change === 'created', 'event_update, created', arrivalSeconds);
        return 'event_update, created';
      },
    },
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
  const toldStep: Step = {
    title: 'The customer has heard',
    run: async () => {
      const isEnd = ({ change, status }: EventNotification) => change === 'status' && status === 'FINISHED';
      await hears(isEnd, 'event_update, status FINISHED', toldSeconds);
      return ofMatch()
        .map(({ change, status }) => `${change} ${status}`)
        .join(', ');
    },
  };
  return {
    match: { title: 'An event that an editor publishes, and that follows its schedule', steps },
    told: { title: 'What the customer was told about the match', steps: [toldStep] },
  };
};
