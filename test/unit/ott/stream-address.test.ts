import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewerRequestRefusal } from '../../../local/fakes/distribution/viewer-request.ts';
import { putEvent } from '../../../shared/ott/catalogue/put-event.ts';
import type { Event, Stream } from '../../../shared/ott/events/event.ts';
import { signedPathMistakes, signedPathOf } from '../../../shared/ott/streams/signed-path.ts';
import { ambiguousPath } from '../../../shared/ott/streams/stream-address.ts';
import { BadRequestError } from '../../../shared/platform/errors.ts';
import { anEvent, anOttApplication, fileRecord } from '../../support/ott/builders.ts';
import { ottCalls } from '../../support/ott/calls.ts';
import { importing } from '../../support/ott/importing.ts';
import { inMemoryEvents } from '../../support/ott/in-memory.ts';

const cdn = 'https://cdn.example.com';
const viewerRequest = readFileSync(new URL('../../../docs/viewer-request.js', import.meta.url), 'utf8');

/** The reasons with which an import refuses an event. */
const refusedByImport = async (event: Event): Promise<readonly string[]> => {
  const [row] = await importing(inMemoryEvents([]), [fileRecord(event)]);
  return row?.reasons ?? [];
};

/** The reasons with which the editors' call refuses it. */
const refusedByEditor = async (event: Event): Promise<readonly string[]> => {
  try {
    await putEvent(
      {
        catalogue: inMemoryEvents([]),
        holdings: { notErc721: async () => [] },
        clock: Date.now,
        pause: async () => {},
        newLife: () => 'life',
      },
      { event, signing: 'cookies', requireExpected: () => {} },
    );
    return [];
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    return error.issues.map(({ path, message }) => `${path}: ${message}`);
  }
};

/** The reasons with which the stream call does not sign it, though it is stored. */
const refusedBySigning = async (event: Event): Promise<readonly string[]> => {
  const logged: { readonly mistakes?: readonly string[] }[] = [];
  const calls = ottCalls({
    events: inMemoryEvents([event]),
    applications: [anOttApplication()],
    signer: {
      signing: 'cookies',
      sign: async ({ stream: { url } }) => ({ url, expiresAt: null, cookies: [] }),
    },
    logger: { error: (_, fields) => logged.push(fields as object) },
  });
  const { status } = await calls.stream(event.id);
  return status === 200 ? [] : logged.flatMap(({ mistakes = [] }) => mistakes);
};

const piece = fc.constantFrom(
  ...[
    'a',
    'live',
    '.',
    '..',
    '...',
    '/',
    '//',
    '/./',
    '/../',
    ';',
    '%',
    '%2',
    '%2e',
    '%2E',
    '%2f',
    '%2F',
    '%5c',
    '\\',
  ],
  ...[
    '%25',
    '%252e',
    '%61',
    '%c3%a9',
    'é',
    '%00',
    '%1F',
    '%7f',

    '*',
    '%2a',
    '%3b',
    '%3B',
    ' ',
    '+',
    '~',
    '%20',
    '%zz',
  ],
);
/** A path below a folder, so that it is never the root folder. A `;` in a folder is only a matter of cookies. */
const paths = fc
  .array(piece, { maxLength: 8 })
  .map((pieces) => `/live/x${pieces.join('')}/index.m3u8`)
  .filter((path) => !path.replaceAll(/\/(?:\.|%2e){1,2};/gi, '').includes(';'));

describe('the address of a stream', () => {
  it('is refused by import, editor, signing and the function of the distribution alike, for 300 paths', async () => {
    await fc.assert(
      fc.asyncProperty(paths, async (path) => {
        const stream: Stream = { type: 'hls', url: `${cdn}${path}` };
        const event = anEvent({ stream });

        const reasons = await refusedByImport(event);

        const isRefused = reasons.length > 0;
        expect(viewerRequestRefusal(path) !== undefined).toBe(isRefused);
        expect((await refusedBySigning(event)).length > 0).toBe(isRefused);
        const ofEditor = await refusedByEditor(event);
        expect(ofEditor).toEqual(reasons.slice(0, 1));
        if (isRefused) return;
        // What a browser makes of the address is served, too, and is covered by the signature.
        const requested = new URL(stream.url).pathname;
        expect(viewerRequestRefusal(requested)).toBeUndefined();
        const { writtenPath } = signedPathOf(stream, { signing: 'cookies' });
        expect(requested.startsWith(writtenPath)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    '/a//index.m3u8',
    '//index.m3u8',
    '/a%25/index.m3u8',
    '/a/%252e%252e/index.m3u8',
    '/a/..;/index.m3u8',
  ])('is refused for the same reason everywhere when its path is %s', async (path) => {
    const event = anEvent({ stream: { type: 'hls', url: `${cdn}${path}` } });

    const reasons = await refusedByImport(event);

    expect(reasons).toEqual([expect.stringMatching(/^stream\.url: must not contain /)]);
    expect(await refusedByEditor(event)).toEqual(reasons);
    expect(await refusedBySigning(event)).toEqual(reasons);
    expect(viewerRequestRefusal(path)).toBe(403);
    expect(signedPathMistakes({ type: 'file', url: `${cdn}${path}` }, { signing: 'url' })).toEqual(reasons);
  });

  it('is judged by the same expression in the function of the distribution', () => {
    const [, expression = ''] = /const ambiguous =\s*\/(.*)\/i;/.exec(viewerRequest) ?? [];
    const alternatives = (source: string) => source.split('|').sort();

    expect(alternatives(expression)).toEqual(alternatives(ambiguousPath.source));
  });

  it('is signed without its fragment, which no request has', () => {
    const file: Stream = { type: 'file', url: `${cdn}/final.mp4#t=10` };

    for (const signing of ['cookies', 'url'] as const) {
      expect(signedPathMistakes(file, { signing })).toEqual([]);
      expect(signedPathOf(file, { signing }).resource).toBe(`${cdn}/final.mp4`);
    }
  });
});
