import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oidcConfig } from '../../../config/oidc.ts';
import { InvalidTokenError } from '../../../shared/platform/auth/errors.ts';
import { accessTokenVerifier } from '../../../shared/platform/outside/access-token-verifier.ts';
import { startIssuer, type TestIssuer } from '../../support/platform/issuer.ts';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.stop());

const now = Date.parse('2026-11-20T09:15:02.000Z');

/** The client that a token with these claims names, on a stage with these settings. */
const clientOf = async (
  claims: JWTPayload,
  clientClaims?: readonly string[],
): Promise<string | undefined> => {
  const { audience, clientClaims: claimed } = oidcConfig.parse({
    issuer: 'https://id.example.com',
    audience: { claim: 'aud', values: ['marquee'] },
    ...(clientClaims !== undefined && { clientClaims }),
  });
  const verify = accessTokenVerifier({
    issuer: issuer.url,
    audience,
    clientClaims: claimed,
    clock: () => now,
  });
  const all = { iss: issuer.url, aud: 'marquee', sub: 'user-1', exp: now / 1_000 + 300, ...claims };
  return (await verify(`Bearer ${await issuer.sign(all)}`)).clientId;
};

describe('the client of a token', () => {
  it.each<[string, JWTPayload, readonly string[] | undefined, string | undefined]>([
    ['azp', { azp: 'one' }, undefined, 'one'],
    ['client_id', { client_id: 'one' }, undefined, 'one'],
    ['both, which are equal', { azp: 'one', client_id: 'one' }, undefined, 'one'],
    ['client_id beside an azp that is null', { azp: null, client_id: 'one' }, undefined, 'one'],
    ['azp beside a client_id that is null', { azp: 'one', client_id: null }, undefined, 'one'],
    ['neither, since both are null', { azp: null, client_id: null }, undefined, undefined],
    ['neither, since azp is empty', { azp: '' }, undefined, undefined],
    [
      'neither cid nor appid, if the stage does not name them',
      { cid: 'one', appid: 'one' },
      undefined,
      undefined,
    ],
    ['cid, if the stage names it', { cid: 'one', azp: 'two' }, ['cid'], 'one'],
    ['appid, if the stage names it', { appid: 'one' }, ['appid'], 'one'],
    ['appid beside an azp that is absent', { appid: 'one' }, ['azp', 'appid'], 'one'],
    [
      'a claim with a namespace',
      { 'https://example.com/client': 'one' },
      ['https://example.com/client'],
      'one',
    ],
    ['nothing, for the name of something that each object has', {}, ['toString'], undefined],
  ])('is that in %s', async (_, claims, clientClaims, client) => {
    expect(await clientOf(claims, clientClaims)).toBe(client);
  });

  it.each<[string, JWTPayload, readonly string[] | undefined]>([
    ['differ', { azp: 'one', client_id: 'two' }, undefined],
    ['differ, as one is empty', { azp: '', client_id: 'two' }, undefined],
    ['differ on a stage that names others', { azp: 'one', appid: 'two' }, ['azp', 'appid']],
    ['are a list', { azp: ['one'] }, undefined],
    ['are a number', { cid: 1 }, ['cid']],
  ])('is refused if the claims %s', async (_, claims, clientClaims) => {
    await expect(clientOf(claims, clientClaims)).rejects.toThrow(InvalidTokenError);
  });
});

describe('a claim that is null', () => {
  it.each(['nonce', 'at_hash', 'c_hash', 'events', 'typ', 'token_use'])(
    '%s counts as absent',
    async (claim) => {
      expect(await clientOf({ azp: 'one', [claim]: null })).toBe('one');
    },
  );
});
