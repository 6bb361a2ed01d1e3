import type { webcrypto } from 'node:crypto';
import { isIPv4 } from 'node:net';
// tsyringe, a dependency of x509, requires that `reflect-metadata` is imported first.
import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

export interface KeyAndCertificate {
  /** PKCS #8, PEM. */
  readonly privateKey: string;
  /** PEM. Also contains the issuer's certificate, unless the certificate is self-signed. */
  readonly certificate: string;
}

const dayMilliseconds = 86_400_000;
const lifetimeMilliseconds = 10 * 365 * dayMilliseconds;

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

const privateKeyPem = async ({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> =>
  `${PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')}\n`;

interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: webcrypto.CryptoKey;
  readonly signingKey: webcrypto.CryptoKey;
  readonly extensions: Extension[];
}

const certify = async ({ subject, issuer, ...certificate }: Certificate): Promise<string> => {
  const made = await X509CertificateGenerator.create({
    ...certificate,
    subject: [{ CN: [subject] }],
    issuer: [{ CN: [issuer] }],
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - dayMilliseconds),
    notAfter: new Date(Date.now() + lifetimeMilliseconds),
  });
  return `${made.toString('pem')}\n`;
};

export const selfSigned = async (subject: string): Promise<KeyAndCertificate> => {
  const keys = await newKeys();
  const certificate = await certify({
    subject,
    issuer: subject,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)],
  });
  return { privateKey: await privateKeyPem(keys), certificate };
};

/** Creates a certificate authority and a server certificate that it signs. Discards the authority's private key. */
export const serverUnderOwnAuthority = async (
  addresses: readonly string[],
): Promise<KeyAndCertificate & { readonly authority: string }> => {
  const [authorityKeys, keys] = await Promise.all([newKeys(), newKeys()]);
  const issuer = 'Local authority';
  const authority = await certify({
    subject: issuer,
    issuer,
    publicKey: authorityKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const certificate = await certify({
    subject: addresses[0] ?? 'localhost',
    issuer,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [
      new SubjectAlternativeNameExtension(
        addresses.map((value) => ({ type: isIPv4(value) ? 'ip' : 'dns', value })),
      ),
      // A client that trusts several authorities finds the right one by its key, since all have the same name.
      await AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  return { privateKey: await privateKeyPem(keys), certificate: certificate + authority, authority };
};
