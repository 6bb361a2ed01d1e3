import { createPublicKey, generateKeyPair } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { pictureOf } from './distribution/picture.ts';
import { judge } from './distribution/signature.ts';
import { viewerRequestRefusal } from './distribution/viewer-request.ts';
import { createJsonServer, type FakeService, listen } from './json-server.ts';
import { keepState } from './kept-state.ts';

export interface SigningKey {
  readonly key_pair_id: string;
  /** PEM. */
  readonly private_key: string;
}

export interface Distribution extends FakeService {
  readonly signingKey: SigningKey;
}

const state = z.object({ key_pair_id: z.string(), private_key: z.string() });
const keyPairId = 'KLOCALDISTRIBUTION';

const newKey = async (): Promise<SigningKey> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return {
    key_pair_id: keyPairId,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

const sample = (name: string): Buffer => readFileSync(new URL(`distribution/${name}`, import.meta.url));

/**
 * The sample video, which is served in every folder: two and a half minutes of a moving gradient that shows the elapsed
 * time. It is VP9 in fragmented MP4, which plays in every Chromium. It was created by `ffmpeg -f lavfi -i gradients=size=640x360:rate=12:duration=150:c0=0x0b1026:c1=0x5b2a86:
 * c2=0xe0457b:n=3:speed=0.02:seed=7` with a `drawtext` of `%{pts\\:hms}`, and `-c:v libvpx-vp9 -b:v 30k -g 48
 * -keyint_min 48 -an -f hls -hls_time 4 -hls_playlist_type vod -hls_segment_type fmp4 -hls_flags single_file`.
 */
const files = [
  { name: 'index.m3u8', type: 'application/vnd.apple.mpegurl' },
  { name: 'video.mp4', type: 'video/mp4' },
] as const;

/**
 * The query parameters of a signed URL that belong to the signature. They are not part of the address that is signed.
 */
const signing = ['Expires', 'Policy', 'Signature', 'Key-Pair-Id', 'Hash-Algorithm'];

const cookiesOf = ({ headers }: FastifyRequest): ReadonlyMap<string, string> =>
  new Map(
    (headers.cookie ?? '').split('; ').map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );

/** The path that an origin reads if it decodes the path and follows its dot segments, as many file servers do. */
const originPath = (path: string): string => {
  try {
    return new URL(`http://origin${decodeURIComponent(path)}`).pathname;
  } catch {
    // It has a percent sign that encodes nothing.
    return path;
  }
};

/** Sends one range of a file, or all of it (RFC 9110, 14.2). */
const sendFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  { body, type }: { readonly body: Buffer; readonly type: string },
) => {
  reply.header('accept-ranges', 'bytes').header('cache-control', 'no-store').type(type);
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined) return reply.send(body);
  const first = Number(from);
  const last = Math.min(to === undefined || to === '' ? body.length - 1 : Number(to), body.length - 1);
  if (first > last) return reply.code(416).header('content-range', `bytes */${body.length}`).send();
  return reply
    .code(206)
    .header('content-range', `bytes ${first}-${last}/${body.length}`)
    .send(body.subarray(first, last + 1));
};

/**
 * The local fake of the CloudFront distribution of the streams. It serves the same sample video in every folder,
 * to requests with a valid signature in the URL or in cookies. Its origin decodes paths, and it has the CloudFront
 * Function of the operator guide. The pictures of events need no signature. `GET /served`
 * lists all requests for streams, served or refused.
 */
export const startDistribution = async ({
  port,
  stateDirectory,
  pageOrigins = [],
}: {
  readonly port: number;
  readonly stateDirectory: string;
  /** The origins of the pages that play streams, besides those of this machine. @default none */
  readonly pageOrigins?: readonly string[];
}): Promise<Distribution> => {
  const kept = keepState<SigningKey | undefined>({
    path: join(stateDirectory, 'stand-ins', 'distribution.json'),
    schema: state,
    initial: undefined,
  });
  const signingKey = kept.read() ?? (await newKey());
  kept.write(signingKey);
  const publicKey = createPublicKey(signingKey.private_key)
    .export({ type: 'spki', format: 'pem' })
    .toString();
  const bodies = new Map(files.map(({ name, type }) => [name as string, { body: sample(name), type }]));
  const served: { path: string; at: number; status: number }[] = [];
  // As on a CDN, pages of any site may show pictures.
  const server = createJsonServer({ pageOrigins, otherSites: 'show' });
  let url = '';

  server.get('/served', async () => served);
  server.get('/pictures/:name', async (request, reply) =>
    reply.type('image/svg+xml').send(pictureOf(request.url)),
  );
  server.get('/*', async (request, reply) => {
    const [path = '/', query = ''] = request.url.split('?', 2);
    const parameters = new URLSearchParams(query);
    const signed = new URLSearchParams(query);
    for (const name of signing) signed.delete(name);
    const cookies = cookiesOf(request);
    const isSignedUrl = parameters.has('Signature');
    const judgement = judge(
      {
        // CloudFront compares the path as the client wrote it.
        url: `${url}${path}${signed.size === 0 ? '' : `?${signed}`}`,
        value: (name) =>
          isSignedUrl ? (parameters.get(name) ?? undefined) : cookies.get(`CloudFront-${name}`),
      },
      { keyPairId, publicKey, now: Date.now() },
    );
    const note = (status: number) => served.push({ path: originPath(path), at: Date.now(), status });
    const refusal = viewerRequestRefusal(path);
    if (refusal !== undefined) {
      note(refusal);
      return reply.code(refusal).send();
    }
    if (!judgement.admitted) {
      note(403);
      return reply
        .code(403)
        .type('text/xml')
        .send(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${judgement.code}</Code></Error>`);
    }
    const file = bodies.get(originPath(path).split('/').at(-1) ?? '');
    note(file === undefined ? 404 : 200);
    if (file === undefined)
      return reply.code(404).type('text/xml').send('<Error><Code>NoSuchKey</Code></Error>');
    return sendFile(request, reply, file);
  });

  const fake = await listen(server, port);
  url = fake.url;
  return { ...fake, signingKey };
};
