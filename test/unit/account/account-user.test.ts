import { describe, expect, it } from 'vitest';
import { parseStage } from '../../../config/stage.ts';
import { staging } from '../../../config/staging.ts';
import { accountUser } from '../../../shared/account/account-user.ts';

const asked = (clientId: string | undefined, accountClients: readonly string[]) =>
  accountUser(
    { verifyAccessToken: async () => ({ sub: 'ana', clientId }), accountClients },
    { header: () => 'Bearer token' },
  );

describe('a call about the whole account', () => {
  it('is allowed for a client that the stage lists', async () => {
    expect(await asked('account-page', ['other', 'account-page'])).toMatchObject({ sub: 'ana' });
  });

  it.each([
    ['another client', 'shop-web', ['account-page']],
    ['a token that names no client', undefined, ['account-page']],
    ['every client of a stage that lists none', 'account-page', []],
  ])('is refused for %s', async (_, clientId, accountClients) => {
    await expect(asked(clientId, accountClients)).rejects.toMatchObject({ code: 'CLIENT_NOT_ALLOWED' });
  });

  it('is allowed for no client by default', () => {
    expect(parseStage('staging', staging).userData.accountClients).toEqual([]);
  });

  it('cannot be allowed for one client twice', () => {
    const twice = { ...staging, userData: { ...staging.userData, accountClients: ['a', 'a'] } };

    expect(() => parseStage('staging', twice)).toThrow('userData.accountClients: names a client twice');
  });
});
