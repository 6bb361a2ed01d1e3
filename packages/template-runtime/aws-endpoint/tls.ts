import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KeyAndCertificate, serverUnderOwnAuthority } from '../certificates.ts';
import { writeFileDurably } from '../durable-file.ts';

export interface ServerIdentity extends KeyAndCertificate {
  readonly certificateAuthorityFile: string;
}

/**
 * Creates the certificate authority and the certificate, unless the state directory has them. So clients that trust the
 * authority still do after a restart.
 */
export const serverIdentity = async (stateDirectory: string): Promise<ServerIdentity> => {
  const keyFile = join(stateDirectory, 'tls', 'key.pem');
  const certificateFile = join(stateDirectory, 'tls', 'certificate.pem');
  const certificateAuthorityFile = join(stateDirectory, 'tls', 'ca.pem');
  if (![keyFile, certificateFile, certificateAuthorityFile].every((file) => existsSync(file))) {
    const made = await serverUnderOwnAuthority(['127.0.0.1', 'localhost']);
    writeFileDurably(keyFile, made.privateKey);
    writeFileDurably(certificateFile, made.certificate);
    writeFileDurably(certificateAuthorityFile, made.authority);
  }
  return {
    privateKey: readFileSync(keyFile, 'utf8'),
    certificate: readFileSync(certificateFile, 'utf8'),
    certificateAuthorityFile,
  };
};
