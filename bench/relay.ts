import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

/**
 * Answers each POST as the server does that it is told, or without one with `{}` at once. Runs as long as its process.
 *
 * @returns its address.
 */
export const startRelay = async (behind?: string): Promise<string> => {
  const pool = behind === undefined ? undefined : new Pool(behind);
  const server = createServer({ noDelay: true }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const answer = await pool?.request({ method: 'POST', path: '/', body: Buffer.concat(chunks) });
      const text = (await answer?.body.text()) ?? '{}';
      outgoing.writeHead(200, { 'content-length': Buffer.byteLength(text) });
      outgoing.end(text);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await startRelay()}\n`);
