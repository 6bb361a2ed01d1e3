import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApi } from '../../support/platform/api-client.ts';
import { type System, startSystem } from '../../support/platform/system.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const demo = async (words: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, ['tools/demo/main.ts', ...words], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, stdout, stderr };
};

describe('the demonstration on a running system', () => {
  let system: System;
  let outputsFile: string;

  const put = async (url: string, body: unknown) => {
    expect((await callApi(url, { method: 'PUT', body })).status).toBe(200);
  };
  /** The state that the walk changes temporarily. */
  const borrowed = async () => {
    const { geolocation_url, entitlement_url, topic_arn } = system.outputs;
    const sns = new SNSClient(system.aws);
    const { Subscriptions } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: topic_arn }));
    const address = await callApi(`${geolocation_url}/geoip/v2.1/country/127.0.0.1`, {
      headers: { authorization: `Basic ${btoa('1:local')}` },
    });
    const rights = ['demonstration-fan', 'demonstration-vip'].map((user) =>
      callApi(`${entitlement_url}/users/${user}`).then(({ json }) => json),
    );
    const { json: endpoints } = await callApi(`${system.outputs.api_url_b2b}/notifications/endpoints`, {
      key: String(system.outputs.applications[0]?.api_key),
    });
    return {
      subscriptions: Subscriptions ?? [],
      endpoints,
      address: address.json,
      rights: await Promise.all(rights),
    };
  };

  beforeAll(async () => {
    system = await startSystem();
    outputsFile = join(system.stateDirectory, 'outputs.json');
    await put(`${system.outputs.geolocation_url}/addresses/127.0.0.1`, { country: 'SE' });
  });
  afterAll(() => system.dispose());

  it('runs every step, prints plain lines, exits with 0, and restores what it changed', async () => {
    const before = await borrowed();

    const { exitCode, stdout, stderr } = await demo(['--outputs', outputsFile]);

    expect({ exitCode, stderr }, stdout).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).not.toContain('\x1b');
    expect(stdout).not.toContain('FAIL');
    for (const line of [
      `Find or start it +runs at ${new URL(system.outputs.base_url).origin}`,
      'Create a collection +0x[0-9a-fA-F]{40}',
      'Collection confirmed +block \\d+, gas [\\d,]+',
      'Token confirmed +block \\d+, gas [\\d,]+',
      'The notification +data_update, ',
      'Read with the API key +demo-\\w+@example.com',
      'Norway, VIP +5 events, 2 of them LIVE',
      'Germany, LIVE by id +404',
      'Before the purchase +403 PURCHASE_REQUIRED',
      'After the purchase +200 /cup-final/index.m3u8, signed until [\\d:]+',
      'What the cookies open +the event’s folder: 200; another folder: 403; without cookies: 403',
      'Before its window +404 STREAM_NOT_AVAILABLE, from 2099-08-15',
      'An editor gets a key +demo-\\w+-desk',
      'The editor publishes +LIVE at [\\d:]+, FINISHED at [\\d:]+',
      'The customer hears +event_update, created',
      'Before kick-off +404 STREAM_NOT_AVAILABLE',
      'It turns LIVE by itself +in the list, too',
      'A viewer plays +200, signed until the end of the match',
      'The end closes it +404 STREAM_NOT_AVAILABLE; the cookies: 403',
      'A ticket is reserved +id 1, by one call, without a transaction',
      'Plays without a wallet +200',
      'No RPC endpoint answers +the fan plays on',
      'Given to another fan +demo-\\w+-friend',
      'First fan is refused +403 PURCHASE_REQUIRED',
      'First fan’s stream ends +403',
      'The other fan plays +200',
      'The fan links a wallet +0x[0-9a-fA-F]{40}',
      'The fan claims it +pending, 0x[0-9a-f]{64}',
      'Plays while it is mined +200 to all \\d+ calls',
      'What happened to it +reserved, given, claimed and minted',
      'What the first fan sees +that it was given away, but not to whom',
      'The seller is refused +403 PURCHASE_REQUIRED',
      'Seller’s stream ends +403',
      'The buyer plays +200',
      'A third screen +403 TOO_MANY_STREAMS',
      'Third screen takes over +200; the replaced screen: 403 SESSION_ENDED',
      'The customer has heard +created UPCOMING, (status LIVE, )?status FINISHED',
      'A copy of everything +the fan.s data, and the identifier in Demonstration fan portal',
      'What would go, and stay +email would go; \\d+ things would stay',
      'Another client +403 CLIENT_NOT_ALLOWED',
      'A login of an hour ago +401 INSUFFICIENT_USER_AUTHENTICATION',
      'The fan leaves +204',
      'The customer hears it +reads 404 USER_NOT_FOUND',
      'The fan comes back +as \\w{8}…, a stranger',
      'Remove the subscription +done',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ok    ${line}.*  \\(\\d+ ms\\)$`, 'm'));
    }
    expect(await borrowed()).toEqual(before);
  });

  it('names the failed step when the entitlement service is down, exits with 1, and restores everything', async () => {
    const before = await borrowed();
    await put(`${system.outputs.entitlement_url}/behaviour`, { mode: 'down' });

    const { exitCode, stdout, stderr } = await demo(['--outputs', outputsFile]);

    expect(exitCode, stdout).toBe(1);
    expect(stdout).toMatch(/^ {2}FAIL {2}Norway, VIP$/m);
    expect(stderr).toMatch(
      /Failed: The catalogue, by viewer and country: Norway, VIP\n {2}expected {2}.*winter-concert\n {2}seen {6}cup-final, /,
    );
    expect(await borrowed()).toEqual(before);
  });
});

describe('the demonstration without a running system', () => {
  it('fails if `--outputs` names a file that does not exist', async () => {
    const { exitCode, stderr } = await demo(['--outputs', join(tmpdir(), 'no', 'outputs.json')]);

    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/Failed: The system: Find or start it\n {2}expected {2}a running system at/);
  });

  it('stops its own system and removes its state when the time limit is reached', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'marquee-demo-test-'));

    const { exitCode, stderr } = await demo(['--own', '--timeout', '1'], { TMPDIR: folder });

    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/Find or start it\n {2}expected {2}all steps to end within 1 s/);
    expect(readdirSync(folder).filter((name) => name.startsWith('marquee-demo-'))).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
