import { describe, expect, it } from 'vitest';
import { type AccessRequest, consoleAccess } from '../../../operator/stage/console/access.ts';

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

describe('the access control of the console', () => {
  it('exchanges its token once for a cookie that scripts and other sites cannot read', () => {
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

  it('accepts requests of a browser that has another console open, because cookies are for all ports', () => {
    const consoles = [host, '127.0.0.1:4581'].map((of) => ({ of, access: consoleAccess({ host: of }) }));
    const kept = new Map(
      consoles.map(({ access }) => (access.cookie.split(';')[0] ?? '').split('=') as [string, string]),
    );
    const cookie = [...kept].map((pair) => pair.join('=')).join('; ');

    for (const { of, access } of consoles) {
      const request = { method: 'GET', url: '/console', headers: { host: of, cookie } };
      expect(access.judge(request)).toBe('admitted');
    }
  });

  it('accepts requests whose path is not a valid URL, so that they get a 404', () => {
    const { judge } = opened();

    for (const url of ['//', '//?token=x', '/\\', '/%']) expect(judge({ url })).toBe('admitted');
  });

  it('accepts a link with the token from another site, and rejects one without it', () => {
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
    ['with another cookie', { headers: { cookie: 'marquee_console_4580=x' } }],
    ['by another name of this machine', { headers: { host: 'attacker.example:4580' } }],
    ['at another port', { headers: { host: '127.0.0.1:4581' } }],
    ['from a page of another origin', { headers: { origin: 'https://attacker.example' } }],
    ['from a page of another port', { headers: { origin: 'http://127.0.0.1:3000' } }],
    ['for an image of another site', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['for a script of another port', { headers: { 'sec-fetch-site': 'same-site' } }],
    ['to change something', { method: 'POST' }],
    ['with a wrong token', { url: '/console?token=wrong', headers: { cookie: undefined } }],
  ])('rejects a request %s', (_, request) => {
    expect(opened().judge(request)).toBe('refused');
  });

  it('accepts the token only in the address of the console page', () => {
    const { access } = opened();

    const url = `/console/api/customers?token=${access.token}`;
    expect(access.judge({ method: 'GET', url, headers: { host } })).toBe('refused');
  });
});
