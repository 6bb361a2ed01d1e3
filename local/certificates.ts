import { generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { promisify } from 'node:util';

export interface KeyAndCertificate {
  /** PKCS #8, PEM. */
  readonly privateKey: string;
  /** PEM; the issuer's certificate follows, if it is another. */
  readonly certificate: string;
}

const lifetimeMilliseconds = 10 * 365 * 86_400_000;

/** One DER element (X.690): tag, length, content. */
const der = (tag: number, ...content: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const length =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);
const octets = (content: Uint8Array): Buffer => der(0x04, content);
const bits = (content: Uint8Array, unused = 0): Buffer => der(0x03, Buffer.from([unused]), content);
const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

const sha256WithRsa = sequence(identifier('2a864886f70d01010b'), der(0x05));
const name = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(commonName, 'utf8')))));
/** UTCTime, which RFC 5280 wants until 2049. */
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));

const criticalExtension = (oid: string, value: Uint8Array): Buffer =>
  sequence(identifier(oid), boolean(true), octets(value));
const basicConstraints = criticalExtension('551d13', sequence(boolean(true)));
const mayCertify = criticalExtension('551d0f', bits(Buffer.from([0x04]), 2));
const maySign = criticalExtension('551d0f', bits(Buffer.from([0x80]), 7));
const alternativeNames = (addresses: readonly string[]): Buffer =>
  sequence(
    identifier('551d11'),
    octets(
      sequence(
        ...addresses.map((address) =>
          isIPv4(address)
            ? der(0x87, Buffer.from(address.split('.').map(Number)))
            : der(0x82, Buffer.from(address)),
        ),
      ),
    ),
  );

const newKeys = () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 });

const pem = (label: string, content: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${(
    Buffer.from(content)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END ${label}-----\n`;

const privateKeyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: readonly Uint8Array[];
}

/** An X.509 version 3 certificate (RFC 5280), valid from yesterday on. */
const certify = ({ subject, issuer, publicKey, signingKey, extensions }: Certificate): string => {
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    sha256WithRsa,
    name(issuer),
    sequence(time(new Date(Date.now() - 86_400_000)), time(new Date(Date.now() + lifetimeMilliseconds))),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  return pem(
    'CERTIFICATE',
    sequence(toBeSigned, sha256WithRsa, bits(sign('sha256', toBeSigned, signingKey))),
  );
};

/** A certificate that vouches for itself, as the one that signs notifications. */
export const selfSigned = async (subject: string): Promise<KeyAndCertificate> => {
  const { publicKey, privateKey } = await newKeys();
  return {
    privateKey: privateKeyPem(privateKey),
    certificate: certify({
      subject,
      issuer: subject,
      publicKey,
      signingKey: privateKey,
      extensions: [maySign],
    }),
  };
};

/** An authority of our own and a server's certificate under it; the authority's key is thrown away. */
export const serverUnderOwnAuthority = async (
  addresses: readonly string[],
): Promise<KeyAndCertificate & { readonly authority: string }> => {
  const [authorityKeys, keys] = await Promise.all([newKeys(), newKeys()]);
  const issuer = 'Marquee local authority';
  const authority = certify({
    subject: issuer,
    issuer,
    publicKey: authorityKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [basicConstraints, mayCertify],
  });
  const certificate = certify({
    subject: addresses[0] ?? 'localhost',
    issuer,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [alternativeNames(addresses)],
  });
  return { privateKey: privateKeyPem(keys.privateKey), certificate: certificate + authority, authority };
};
