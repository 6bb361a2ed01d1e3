import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  confirmationOf,
  dataUpdate,
  envelopedPost,
  newSigningKey,
  rawPost,
  topicArn,
} from '../../../packages/client/test/support/sns.ts';
import {
  frameworks,
  receiving,
} from '../../../tools/scripts/second-engine/programs/receivers/frameworks.mjs';

const source = new URL(
  '../../../tools/scripts/second-engine/programs/receivers/frameworks.mjs',
  import.meta.url,
);
const readme = new URL('../../../packages/client/README.md', import.meta.url);

/** Express is not installed here: `npm run check:engines -- receivers` tries it. */
const here = { Fastify: () => import('fastify'), 'Next, App Router': () => ({ default: undefined }) };

const listen = async (name: keyof typeof here): Promise<string> => {
  const server: Server = await frameworks[name](receiving({ topicArn, form: 'raw' }), await here[name]());
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(Object.keys(here) as (keyof typeof here)[])(
  'a receiver in %s, as the README has it',
  (name) => {
    it.each(['text/plain; charset=UTF-8', 'application/json', 'application/octet-stream'])(
      'confirms, and hears of a change, if the Content-Type is %s',
      async (type) => {
        const sns = await newSigningKey();
        const { fetch } = globalThis;
        const asked: string[] = [];
        vi.spyOn(console, 'log').mockImplementation(() => {});
        vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
          if (!String(url).startsWith('https://sns.')) return fetch(url, init);
          asked.push(String(url));
          return new Response(String(url) === sns.certificateUrl ? sns.certificate : 'confirmed');
        });
        const url = await listen(name);
        const confirmation = confirmationOf();

        for (const post of [envelopedPost(sns.signed(confirmation)), rawPost(dataUpdate)]) {
          const headers = { ...post.headers, 'content-type': type };
          const { status } = await fetch(url, { method: 'POST', headers, body: post.body });
          expect(status).toBe(200);
        }

        expect(asked).toContain(confirmation.SubscribeURL);
        expect(console.log).toHaveBeenCalledWith('Read again sub-1');
      },
    );
  },
);

describe('the receivers that are tried', () => {
  it.each([
    ['Express', 'express.raw({ type: () => true })'],
    [
      'Fastify',
      "addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));",
    ],
    ['Next, App Router', 'await request.text()'],
  ])('have the line of the README: %s', (name, line) => {
    const row = readFileSync(readme, 'utf8')
      .split('\n')
      .find((each) => each.startsWith(`| ${name} |`));

    expect(row).toContain(line);
    expect(readFileSync(source, 'utf8')).toContain(line);
  });
});
