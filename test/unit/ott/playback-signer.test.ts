import { createVerify, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { signedCookies, signedUrls, unsignedPlayback } from '../../../shared/ott/aws/playback-signer.ts';
import type { Stream } from '../../../shared/ott/events/event.ts';
import { secretReader } from '../../../shared/platform/aws/secret-reader.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const now = Date.parse('2026-05-01T18:00:00.700Z');
const props = {
  secret: { read: async () => ({ key_pair_id: 'K2JCJMDEHXQW5F', private_key: pem }) },
  lifetimeSeconds: 900,
  clock: () => now,
};
const expiresAt = '2026-05-01T18:15:00.000Z';
const epoch = Date.parse(expiresAt) / 1_000;
const hls: Stream = { type: 'hls', url: 'https://cdn.example.com/live/final/index.m3u8' };

/** Decodes CloudFront's variant of base64 for URLs and cookies. */
const decode = (text: string) =>
  Buffer.from(text.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'), 'base64');

const isSignatureOf = (policy: string, signature: string) =>
  createVerify('RSA-SHA1').update(policy).verify(publicKey, decode(signature));

const readCookies = (cookies: readonly string[]) =>
  Object.fromEntries(
    cookies.map((cookie) => {
      const [pair = '', ...attributes] = cookie.split('; ');
      const separator = pair.indexOf('=');
      return [pair.slice(0, separator), { value: pair.slice(separator + 1), attributes }];
    }),
  );

describe('unsigned playback', () => {
  it('returns stream URLs unchanged and without an expiry', async () => {
    expect(await unsignedPlayback.sign({ stream: hls })).toEqual({
      url: hls.url,
      expiresAt: null,
      cookies: [],
    });
  });
});

describe('a signed URL', () => {
  it('contains a signature of its file and its expiry', async () => {
    const file: Stream = { type: 'file', url: 'https://cdn.example.com/vod/final.mp4?quality=high' };

    const signed = await signedUrls(props).sign({ stream: file });

    expect(signed).toMatchObject({ expiresAt, cookies: [] });
    const query = new URL(signed.url).searchParams;
    expect([query.get('quality'), query.get('Expires'), query.get('Key-Pair-Id')]).toEqual([
      'high',
      String(epoch),
      'K2JCJMDEHXQW5F',
    ]);
    const policy = `{"Statement":[{"Resource":"${file.url}","Condition":{"DateLessThan":{"AWS:EpochTime":${epoch}}}}]}`;
    expect(isSignatureOf(policy, query.get('Signature') ?? '')).toBe(true);
  });
});

describe('a leaked signing key pair', () => {
  it('is no longer used five minutes after the operator stores another key pair', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pemOf = (key: typeof privateKey) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
    let stored = { key_pair_id: 'LEAKED', private_key: pem };
    let time = now;
    const secret = secretReader({
      client: { read: async () => JSON.stringify(stored) },
      secretId: 'signing-key',
      schema: z.object({ key_pair_id: z.string(), private_key: z.string() }),
      clock: () => time,
    });
    const signer = signedUrls({ ...props, secret, clock: () => time });
    const file: Stream = { type: 'file', url: 'https://cdn.example.com/vod/final.mp4' };
    const keyOf = async () =>
      new URL((await signer.sign({ stream: file })).url).searchParams.get('Key-Pair-Id');
    expect(await keyOf()).toBe('LEAKED');

    stored = { key_pair_id: 'NEW', private_key: pemOf(other.privateKey) };
    time += 5 * 60_000;

    expect(await keyOf()).toBe('NEW');
  });
});

describe('signed cookies', () => {
  const signer = signedCookies({ ...props, domain: 'example.com' });

  it.each([
    [hls, 'https://cdn.example.com/live/final/*', '/live/final/'],
    [{ ...hls, signedPath: 'https://cdn.example.com/live/*' }, 'https://cdn.example.com/live/*', '/live/'],
    [
      { type: 'file', url: 'https://cdn.example.com/vod/final.mp4' },
      'https://cdn.example.com/vod/final.mp4',
      '/vod/final.mp4',
    ],
    [
      { ...hls, signedPath: 'https://cdn.example.com/für alle/*' },
      'https://cdn.example.com/f%C3%BCr%20alle/*',
      '/f%C3%BCr%20alle/',
    ],
    [
      { type: 'file', url: 'https://cdn.example.com/für alle/final.mp4' },
      'https://cdn.example.com/f%C3%BCr%20alle/final.mp4',
      '/f%C3%BCr%20alle/final.mp4',
    ],
  ] as [Stream, string, string][])('of %j give access to %s', async (stream, resource, path) => {
    const signed = await signer.sign({ stream });

    expect(signed).toMatchObject({ url: stream.url, expiresAt });
    const cookies = readCookies(signed.cookies);
    const policy = decode(cookies['CloudFront-Policy']?.value ?? '').toString('utf8');
    expect(JSON.parse(policy)).toEqual({
      Statement: [{ Resource: resource, Condition: { DateLessThan: { 'AWS:EpochTime': epoch } } }],
    });
    expect(isSignatureOf(policy, cookies['CloudFront-Signature']?.value ?? '')).toBe(true);
    expect(cookies['CloudFront-Key-Pair-Id']?.value).toBe('K2JCJMDEHXQW5F');
    for (const { attributes } of Object.values(cookies)) {
      expect(attributes).toEqual([
        'Domain=example.com',
        `Path=${path}`,
        'Max-Age=900',
        'Secure',
        'HttpOnly',
        'SameSite=None',
      ]);
    }
  });
});
