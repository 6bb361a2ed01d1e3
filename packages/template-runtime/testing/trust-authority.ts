import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Makes this process trust the certificate authority of a system on this machine, whose SNS links and certificates are
 * HTTPS.
 *
 * @public
 */
export const trustAuthority = (file: string): void => {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(file, 'utf8')]);
};
