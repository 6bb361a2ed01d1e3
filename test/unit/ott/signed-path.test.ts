import { describe, expect, it } from 'vitest';
import { eventMistakes } from '../../../shared/ott/catalogue/event-mistakes.ts';
import type { Stream } from '../../../shared/ott/events/event.ts';
import { signedPathMistakes } from '../../../shared/ott/streams/signed-path.ts';
import { anEvent, anOttApplication } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { inMemoryEvents } from '../../support/ott/in-memory.ts';
import { refusal } from '../../support/platform/refusal.ts';

const cdn = 'https://cdn.example.com';
const hls = (fields: Partial<Stream> = {}): Stream => ({
  type: 'hls',
  url: `${cdn}/live/final/index.m3u8`,
  ...fields,
});

describe('the signed path of a stream', () => {
  it.each<[string, Stream]>([
    ['its folder', hls()],
    ['a folder above it', hls({ signedPath: `${cdn}/live/*` })],
    ['names that begin alike', hls({ signedPath: `${cdn}/live/fin*` })],
    ['a folder with escapes', hls({ url: `${cdn}/live/the%20final/index.m3u8` })],
    ['one file', { type: 'file', url: `${cdn}/final.mp4` }],
  ])('is accepted if it is %s', (_, stream) => {
    expect(signedPathMistakes(stream, { signing: 'cookies' })).toEqual([]);
  });

  it.each<[string, Stream, RegExp]>([
    ['everything on the host', hls({ url: `${cdn}/index.m3u8` }), /^stream\.url: .*root folder/],
    ['everything on the host', hls({ signedPath: `${cdn}/*` }), /^stream\.signed_path: .*root folder/],
    ['all that begins alike on the host', hls({ signedPath: `${cdn}/l*` }), /root folder/],
    ['on another host', hls({ signedPath: 'https://other.example.com/live/final/*' }), /another host/],
    ['with a ?', hls({ signedPath: `${cdn}/live/fina?/*` }), /must not contain \?/],
    ['with a ? of a file', { type: 'file', url: `${cdn}/final.mp4?a=1` }, /must not contain \?/],
    ['with an inner *', hls({ signedPath: `${cdn}/*/final/*` }), /must not contain \*/],
    ['with an inner * of the address', hls({ url: `${cdn}/li*ve/index.m3u8` }), /must not contain \*/],
    ['with dot segments', hls({ signedPath: `${cdn}/live/final/../*` }), /dot segments/],
    ['with encoded dot segments', hls({ url: `${cdn}/live/%2E%2e/final/index.m3u8` }), /dot segments/],
    ['with encoded slashes', hls({ url: `${cdn}/live/a%2Fb/index.m3u8` }), /encoded slashes/],
    ['with an empty folder', hls({ url: `${cdn}/live//final/index.m3u8` }), /^stream\.url: .*empty folder/],
    ['with an empty first folder', hls({ url: `${cdn}//index.m3u8` }), /^stream\.url: .*empty folder/],
    ['with an empty folder', hls({ signedPath: `${cdn}//*` }), /^stream\.signed_path: .*empty folder/],
    ['with an encoded percent sign', hls({ url: `${cdn}/live/100%25/index.m3u8` }), /percent sign/],
    ['with dots and a semicolon', hls({ url: `${cdn}/live/..;/index.m3u8` }), /dot segments/],
    ['with an encoded zero', hls({ url: `${cdn}/live/a%00/index.m3u8` }), /control characters/],
    ['with dots that a tab hides', hls({ url: `${cdn}/live/.\t./x/index.m3u8` }), /control characters/],
    ['on every host', hls({ url: 'https://*/live/index.m3u8' }), /whole name of the host/],
    ['on hosts that begin alike', hls({ url: 'https://cdn%2A.example.com/live/index.m3u8' }), /whole name/],
    [
      'on a host with a dot at its end',
      hls({ url: 'https://cdn.example.com./live/index.m3u8' }),
      /whole name/,
    ],
    ['with a password', hls({ url: 'https://a:b@cdn.example.com/live/index.m3u8' }), /a password/],
    ['without its two slashes', hls({ url: 'https:cdn.example.com/live/index.m3u8' }), /must begin with/],
    ['the first half of an escape', hls({ signedPath: `${cdn}/live/%6*` }), /two hexadecimal digits/],
    ['with a % that escapes nothing', hls({ url: `${cdn}/live/100%/index.m3u8` }), /two hexadecimal digits/],
    ['beside the stream', hls({ signedPath: `${cdn}/live/other/*` }), /does not cover stream\.url/],
  ])('is rejected if it is %s', (_, stream, mistake) => {
    expect(signedPathMistakes(stream, { signing: 'cookies' })).toEqual([expect.stringMatching(mistake)]);
    expect(signedPathMistakes(stream, { signing: 'none' })).toEqual([]);
  });

  it.each<[string, Stream, RegExp]>([
    [
      'names that begin alike',
      hls({ signedPath: `${cdn}/live/fin*` }),
      /^stream\.signed_path: must end in \/\*/,
    ],
    ['a folder with ;', hls({ url: `${cdn}/live;v=1/index.m3u8` }), /^stream\.url: must not contain ;/],
  ])('is rejected in a change, but signed if stored, if it is %s', (_, stream, mistake) => {
    const after = anEvent({ stream });
    const options = { signing: 'cookies', notErc721: new Set<never>() } as const;

    expect(eventMistakes({ before: undefined, after }, options)).toEqual([expect.stringMatching(mistake)]);
    expect(eventMistakes({ before: after, after }, options)).toEqual([]);
    expect(eventMistakes({ before: undefined, after }, { ...options, signing: 'url' })).not.toEqual([
      expect.stringMatching(mistake),
    ]);
    expect(signedPathMistakes(stream, { signing: 'cookies' })).toEqual([]);
  });

  it('is rejected for an HLS stream if the stage signs single URLs, which would cover only the playlist', () => {
    expect(signedPathMistakes(hls(), { signing: 'url' })).toEqual([
      expect.stringMatching(/^stream\.type: hls/),
    ]);
    expect(signedPathMistakes({ type: 'file', url: `${cdn}/a.mp4?b` }, { signing: 'url' })).toEqual([]);
    expect(signedPathMistakes({ type: 'file', url: `${cdn}//a.mp4` }, { signing: 'url' })).toEqual([
      expect.stringMatching(/^stream\.url: .*empty folder/),
    ]);
  });
});

describe('the stream call of a stage that signs', () => {
  const setUp = (streams: Record<string, Stream>) => {
    const signed: unknown[] = [];
    const logged: unknown[] = [];
    const calls = ottCalls({
      events: inMemoryEvents(Object.entries(streams).map(([id, stream]) => anEvent({ id, stream }))),
      applications: [anOttApplication()],
      signer: {
        signing: 'cookies',
        sign: async ({ stream: { url }, endsAt }) => {
          signed.push(endsAt);
          return { url, expiresAt: null, cookies: [] };
        },
      },
      logger: { error: (_, fields) => logged.push(fields) },
    });
    return { calls, signed, logged };
  };

  it('does not sign a path that would open the stream of another event', async () => {
    const { calls, signed, logged } = setUp({
      above: hls({ url: `${cdn}/live/index.m3u8` }),
      below: hls(),
      root: hls({ url: `${cdn}/index.m3u8` }),
    });

    const answers = [await calls.stream('above'), await calls.stream('root')];

    expect(answers.map(({ body }) => body)).toEqual(
      Array(2).fill(refusal({ status: 404, message: 'STREAM_NOT_AVAILABLE' })),
    );
    expect(signed).toEqual([]);
    expect(logged).toMatchObject([
      { code: 'SIGNED_PATH_REFUSED', event_id: 'above', opens: 'below' },
      { code: 'SIGNED_PATH_REFUSED', event_id: 'root' },
    ]);
    expect((await calls.stream('below')).status).toBe(200);
  });

  it.each([
    ['a letter', '/live/%66inal/index.m3u8', '/live/final/b.m3u8'],
    ['a letter of what is opened', '/live/final/index.m3u8', '/live/fin%61l/b.m3u8'],
    ['another case of the hexadecimals', '/live/caf%C3%A9/index.m3u8', '/live/caf%c3%a9/b.m3u8'],
    ['a sign that needs none', '/live/%28a%29/index.m3u8', '/live/(a)/b.m3u8'],
  ])('does not sign a path that leads to another stream once %s is decoded', async (_, own, other) => {
    const { calls, signed } = setUp({
      first: hls({ url: `${cdn}${own}` }),
      second: { type: 'file', url: `${cdn}${other}` },
    });

    expect((await calls.stream('first')).status).toBe(404);
    expect(signed).toEqual([]);
  });

  it('signs a folder shared with a later event only until its own window ends', async () => {
    const noon = '2026-05-01T20:00:00.000Z';
    const { calls, signed } = setUp({
      first: hls({ availableUntil: noon }),
      second: hls({ availableFrom: noon }),
    });

    expect((await calls.stream('first')).status).toBe(200);
    expect((await calls.stream('second')).body).toEqual(
      refusal({ status: 404, message: 'STREAM_NOT_AVAILABLE', available_from: noon }),
    );
    expect(signed).toEqual([Date.parse(noon)]);
  });
});
