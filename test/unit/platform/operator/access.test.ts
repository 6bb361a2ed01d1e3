import { describe, expect, it } from 'vitest';
import { type AccessRequest, consoleAccess } from '../../../../operator/platform/console/access.ts';

const host = '127.0.0.1:4580';

const opened = () => {
  const access = consoleAccess({ host });
  const enter = { method: 'GET', url: `/console?token=${access.token}`, headers: { host } };
  const cookie = access.cookie.split(';')[0] ?? '';
  const judge = ({ headers, ...request }: Partial<AccessRequest>) =>
    access.judge({
      method: 'GET',
      url: '/console/api/customers',
      ...request,
      headers: { host, cookie, ...headers },
    });
  return { access, enter, judge };
};

describe('the console', () => {
  it('exchanges its token once, for a cookie that scripts and other sites do not get', () => {
    const { access, enter } = opened();

    expect(access.judge(enter)).toBe('enter');
    expect(access.judge(enter)).toBe('refused');
    expect(access.cookie).toMatch(/; Path=\/console; HttpOnly; SameSite=Strict$/);
  });

  it('accepts requests with the cookie', () => {
    const { judge } = opened();

    expect(judge({})).toBe('admitted');
    expect(judge({ headers: { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' } })).toBe(
      'admitted',
    );
  });

  it('admits requests for addresses that are no URLs, so that they get a 404', () => {
    const { judge } = opened();

    for (const url of ['//', '//?token=x', '/\\', '/%']) expect(judge({ url })).toBe('admitted');
  });

  it('can be opened by a link from elsewhere', () => {
    const { access, enter } = opened();

    const link = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(access.judge({ ...enter, headers: { host, ...link } })).toBe('enter');
    expect(access.judge({ ...enter, url: '/console', headers: { host, ...link } })).toBe('refused');
  });

  it.each<[string, Partial<AccessRequest>]>([
    ['without the cookie', { headers: { cookie: undefined } }],
    ['with another cookie', { headers: { cookie: 'marquee_console=x' } }],
    ['by another name of this machine', { headers: { host: 'attacker.example:4580' } }],
    ['at another port', { headers: { host: '127.0.0.1:4581' } }],
    ['from a page of another origin', { headers: { origin: 'https://attacker.example' } }],
    ['from a page of another port', { headers: { origin: 'http://127.0.0.1:3000' } }],
    ['for an image of another site', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['for a script of another port', { headers: { 'sec-fetch-site': 'same-site' } }],
    ['to change something', { method: 'POST' }],
    ['with a wrong token', { url: '/console?token=wrong', headers: { cookie: undefined } }],
  ])('refuses a request %s', (_, request) => {
    expect(opened().judge(request)).toBe('refused');
  });

  it('accepts the token in the address of its page, and of nothing else', () => {
    const { access } = opened();

    const url = `/console/api/customers?token=${access.token}`;
    expect(access.judge({ method: 'GET', url, headers: { host } })).toBe('refused');
  });
});
