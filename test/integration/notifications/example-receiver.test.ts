import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor, waitUntil } from 'template-runtime/testing/wait.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rawPost, topicArn } from '../../../packages/client/test/support/sns.ts';
import { inParallel } from '../../../shared/platform/in-parallel.ts';

let directory: string;
let api: Server;
let isAnswering = true;
const children = new Set<ChildProcess>();
const batches: string[][] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'marquee-receiver-'));
  api = createServer(async (request, response) => {
    const { application_user_subs: subs } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    batches.push(subs);
    if (!isAnswering) return;
    const users = (subs as string[]).map((sub) => ({
      application_user_sub: sub,
      user_data: {},
      user_agreements: [],
    }));
    response.end(JSON.stringify(users));
  });
  api.listen(0, '127.0.0.1');
  await once(api, 'listening');
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  api.closeAllConnections();
  api.close();
  await once(api, 'close');
  rmSync(directory, { recursive: true });
});

const startReceiver = async () => {
  const child = spawn(process.execPath, ['examples/receiver/main.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      TOPIC_ARN: topicArn,
      API_URL_B2B: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      API_KEY: 'key',
      PENDING_FILE: join(directory, 'pending'),
    },
  });
  children.add(child);
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const port = await waitFor(() => {
    const [, found] = /on port (\d+)/.exec(said) ?? [];
    if (found === undefined) throw new Error('not yet');
    return found;
  });
  const read = () => new Set([...said.matchAll(/^(\S+) is now/gm)].map(([, sub]) => sub));
  return { child, url: `http://127.0.0.1:${port}/`, read };
};

it('the example receiver reads a thousand changed users in at most twenty calls, even when it is killed', async () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `user-${index}`);
  let receiver = await startReceiver();
  const tell = (some: readonly string[]) =>
    inParallel(some, {
      atOnce: 20,
      run: async (application_user_sub) => {
        const date_time = '2026-11-20T09:15:02.123456';
        const { headers, body } = rawPost(
          { operation_type: 'data_update', application_user_sub, date_time },
          { 'x-amz-sns-message-id': `about-${application_user_sub}` },
        );
        const response = await fetch(receiver.url, { method: 'POST', headers, body });
        await response.arrayBuffer();
        expect(response.status).toBe(200);
      },
    });

  isAnswering = false;
  await tell(names.slice(0, 250));
  await waitUntil(() => batches.length > 0);
  receiver.child.kill('SIGKILL');
  await once(receiver.child, 'exit');
  isAnswering = true;
  receiver = await startReceiver();
  await tell(names.slice(250));

  await waitFor(() => expect(receiver.read().size).toBe(1_000));
  expect([...receiver.read()].sort()).toEqual(names.sort());
  expect(batches.length).toBeLessThanOrEqual(20);
});
