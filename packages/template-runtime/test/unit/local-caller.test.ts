import { describe, expect, it } from 'vitest';
import { type LocalCallers, whyRefused } from '../../local-caller.ts';

const request = (headers: Readonly<Record<string, string>>, method = 'GET') => ({
  method,
  headers: { host: '127.0.0.1:3000', ...headers },
});
const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const script = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' };

describe('a local HTTP server', () => {
  it.each([
    ['a program', {}],
    ['a program that names localhost', { host: 'localhost:3000' }],
    ['a program that uses IPv6', { host: '[::1]:3000' }],
    ['a page of this machine', { origin: 'http://127.0.0.1:5173' }],
    ['a page of localhost', { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }],
    ['someone who enters the address', { ...link, 'sec-fetch-site': 'none' }],
    ['its own page', { 'sec-fetch-site': 'same-origin' }],
  ])('accepts %s', (_, headers) => {
    expect(whyRefused(request(headers))).toBeUndefined();
  });

  it.each([
    ['a host name that leads here by DNS rebinding', { host: 'evil.example:3000' }],
    ['a host name that only begins with this machine’s', { host: '127.0.0.1.evil.example' }],
    ['a missing host name', { host: '' }],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page whose host only begins with this machine’s', { origin: 'http://localhost.evil.example' }],
    ['a page with an opaque origin', { origin: 'null' }],
    ['an extension', { origin: 'chrome-extension://localhost' }],
    ['a script of another site', script],
    ['a link of another site', link],
  ])('rejects %s', (_, headers) => {
    expect(whyRefused(request(headers))).toEqual(expect.any(String));
  });

  it('accepts extensions, other pages and links of other sites only if it is configured so', () => {
    const answers = (callers: LocalCallers, headers: Readonly<Record<string, string>>, method?: string) =>
      whyRefused(request(headers, method), callers) === undefined;
    const page = { origin: 'https://fans.example', ...script };

    expect(answers({ pageOrigins: ['https://fans.example'] }, page, 'POST')).toBe(true);
    expect(answers({ pageOrigins: ['https://fans.example'] }, { origin: 'https://fans.example.org' })).toBe(
      false,
    );
    expect(answers({ extensions: true }, { origin: 'moz-extension://0a-1b', ...script }, 'POST')).toBe(true);
    expect(answers({ extensions: true }, { origin: 'https://chrome-extension.example' })).toBe(false);
    const own = { ownHost: '127.0.0.1:3000' };
    expect(answers(own, { origin: 'http://127.0.0.1:3000' })).toBe(true);
    expect(answers(own, { origin: 'http://127.0.0.1:3001' })).toBe(false);
    expect(answers(own, { host: 'localhost:3000' })).toBe(false);
    expect(answers(own, { 'sec-fetch-site': 'same-site' })).toBe(false);
    expect(answers({ otherSites: 'link' }, link)).toBe(true);
    expect(answers({ otherSites: 'link' }, { ...link, 'sec-fetch-dest': 'iframe' })).toBe(false);
    expect(answers({ otherSites: 'link' }, script)).toBe(false);
    expect(answers({ otherSites: 'show' }, script)).toBe(true);
    expect(answers({ otherSites: 'show' }, { ...link, origin: 'https://evil.example' }, 'POST')).toBe(false);
  });
});
