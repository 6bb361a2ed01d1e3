import { Agent, request } from 'node:https';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { certificateUrlOf } from '../../src/sns-signature.ts';

/** `SIGNING_CERT_URLS=300000` makes as many. */
const runs = Number(process.env.SIGNING_CERT_URLS ?? 5_000);

const hosts = ['sns.eu-central-1.amazonaws.com', 'sns.cn-north-1.amazonaws.com.cn'];
const attacker = 'attacker.example';

/** Mostly the usual text, which is the correct one, so that some of the generated addresses are good. */
const mostly = (usual: string, ...others: string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 4, arbitrary: fc.constantFrom(...others) },
  );

const dot = mostly('.', '%2e', '%2E', '%252e', '\u3002', '\uff0e', '\uff61', '..', '.\u00ad', '\\.', '.%00');
const cased = (text: string) =>
  fc
    .tuple(
      fc.constantFrom('as it is', 'upper', 'full width', 'escaped'),
      fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.constant(1) }),
    )
    .map(([how, isChanged]) => {
      if (isChanged === 0 || how === 'as it is') return text;
      if (how === 'upper') return text.toUpperCase();
      const [first = '', ...rest] = text;
      if (how === 'escaped') return `%${first.charCodeAt(0).toString(16)}${rest.join('')}`;
      return `${String.fromCharCode(first.charCodeAt(0) + 0xfee0)}${rest.join('')}`;
    });
const hostLike = fc
  .constantFrom(...hosts)
  .chain((host) =>
    fc.tuple(
      ...host.split('.').flatMap((label, index) => (index === 0 ? [cased(label)] : [dot, cased(label)])),
    ),
  )
  .map((parts) => parts.join(''));
const separator = fc.constantFrom(
  ...[
    '.',
    '%2e',
    '@',
    '\\@',
    '%40',
    '#',
    '#@',
    '?',
    '?@',
    '/',
    '\\',
    '%5c',
    '%2f',
    ';',
    '&',
    ':',
    '%00',
    '%23@',
  ],
  ...['\t', '\n', ' ', '\u3002', '\uff0f', '\u2044', '\uff03', '\uff20', '\ufe6b', '\u2100', '-'],
);
const host = fc.oneof(
  { weight: 8, arbitrary: hostLike },
  { weight: 2, arbitrary: fc.tuple(hostLike, separator).map(([one, by]) => `${one}${by}${attacker}`) },
  { weight: 2, arbitrary: fc.tuple(hostLike, separator).map(([one, by]) => `${attacker}${by}${one}`) },
  { weight: 1, arbitrary: fc.constantFrom(attacker, '127.0.0.1', '[::1]', '') },
);
const id = '9c6465fa7f48f5cacd23014631ec1136';
const name = `SimpleNotificationService-${id}.pem`;
const url = fc
  .tuple(
    mostly('', ' ', '\t', '\n', '\u0000', '\u00a0', '\ufeff'),
    mostly('https:', 'HTTPS:', 'http:', 'https', 'ht\ntps:', 'https::', 'file:', ''),
    mostly('//', '/', '\\\\', '/\\', '///', '\\', '', '//\t'),
    mostly('', 'user@', 'user:word@', ':@', '@', ...hosts.map((one) => `${one}@`), `${hosts[0]}:443@`, '%40'),
    host,
    mostly('', ':443', ':8443', ':', ':0443', ':٤٤٣', ':443@', `:443@${attacker}`, ':65536', '%3a8443'),
    mostly(
      `/${name}`,
      `\\${name}`,
      `//${name}`,
      `/./${name}`,
      `/x/../${name}`,
      `/%2e%2e/${name}`,
      `/x/${name}`,
      '/a.pem',
      `/${name.toUpperCase()}`,
      `/${name.replace('9c', '')}`,
      `/${name}/`,
      `/${name}%00`,
      `/${name};x.pem`,
      name,
      '',
    ),
    mostly('', '?', '?x', '?x.pem', `?@${attacker}`, '%3f'),
    mostly('', '#', '#x', `#@${attacker}`, '%23'),
    mostly('', ' ', '\n', '\u0000'),
  )
  .map((parts) => parts.join(''));

/** Where Node would connect for this address. */
const connectionOf = (address: string) => {
  let seen: { readonly host?: string | null; readonly port?: number | string | null } | undefined;
  const agent = new Agent();
  agent.createConnection = (options) => {
    seen = options;
    return new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  };
  const asking = request(address, { agent });
  asking.on('error', () => {});
  asking.destroy();
  return {
    host: seen?.host,
    port: Number(seen?.port),
    path: asking.path,
    authorization: asking.getHeader('authorization'),
  };
};

it(`the check of ${runs} addresses accepts only those that are fetched from SNS in the topic's region`, () => {
  const counts = { admitted: 0, refused: 0, elsewhere: 0 };
  const check = (text: string, expected: string): void => {
    let admitted: string;
    try {
      admitted = certificateUrlOf(text, expected);
    } catch {
      counts.refused += 1;
      if (URL.canParse(text) && new URL(text).hostname.includes(attacker)) counts.elsewhere += 1;
      return;
    }
    counts.admitted += 1;
    const sought = { host: expected, port: 443, path: `/${name}`, authorization: undefined };
    // The returned URL leads to SNS's certificate, and the original text would have led to the same place.
    expect(connectionOf(admitted)).toEqual(sought);
    expect(connectionOf(text)).toEqual(sought);
  };

  fc.assert(
    fc.property(url, fc.constantFrom(...hosts), (text, expected) => check(text, expected)),
    { numRuns: runs },
  );

  if (process.env.SIGNING_CERT_URLS !== undefined) console.log(counts);
  // The test means something only if there were enough good, bad and attacker's addresses.
  expect(counts.admitted).toBeGreaterThan(runs / 500);
  expect(counts.refused).toBeGreaterThan(runs / 2);
  expect(counts.elsewhere).toBeGreaterThan(runs / 100);
});
