import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TinyServer } from '../test/support/ott/tiny-server.ts';
import { httpCall } from './http-call.ts';
import type { Measurement } from './measurement.ts';

/** A function behind a gateway, in a process of its own. */
export interface MeasuredFunction extends AsyncDisposable {
  readonly call: () => Promise<void>;
}

const startFunction = async (source: string, ...asked: readonly string[]): Promise<MeasuredFunction> => {
  const gateway = fileURLToPath(new URL('bare-gateway.ts', import.meta.url));
  const child = spawn(process.execPath, [gateway, source, ...asked], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    call: async () => void (await httpCall(url, { method: 'POST', json: {} })),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
};

/** A function that does nothing, behind the gateway of `npm start`: what calls are compared with. */
export const startBareFunction = (): Promise<MeasuredFunction> =>
  startFunction('export const handler = async () => ({ statusCode: 200, body: "{}" });');

/**
 * A function that does nothing but ask a server once, without a signature: over the gateway's process, as over the endpoint
 * of AWS, one in another process, as the database is. What asks the database takes no less.
 */
export const startAskingFunction = ({ url }: Pick<TinyServer, 'url'>): Promise<MeasuredFunction> =>
  startFunction(asking, url);

const asking = `
  import { Agent, request } from 'node:http';
  const agent = new Agent({ keepAlive: true });
  const body = 'x'.repeat(200);
  const headers = { 'content-length': body.length };
  const ask = () => new Promise((resolve, reject) => {
    const asked = request(process.env.RELAY_URL, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => { text += part; });
      answer.on('end', () => resolve(text)).on('error', reject);
    });
    asked.on('error', reject).end(body);
  });
  export const handler = async () => ({ statusCode: 200, body: await ask() });
`;

/** What a call takes as a multiple of what the bare function takes. */
export const againstBare = ({
  name,
  milliseconds,
  bare,
}: {
  readonly name: string;
  readonly milliseconds: number;
  readonly bare: number;
}): Measurement => ({
  name: `${name}, against the bare function`,
  value: milliseconds / bare,
  unit: '×',
});
