import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTarget } from '../../../operator/platform/target/target.ts';
import { servedAddresses } from '../../../operator/stage/preflight/served-addresses.ts';
import type { Address } from '../../../shared/chain/hex.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { guidePolicy } from '../../support/platform/guide-policy.ts';
import { copyProject, type ProjectCopy } from '../../support/platform/project-copy.ts';
import { remedy } from '../../support/platform/remedy.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { operatorInProcess } from '../../support/stage/console/operator-in-process.ts';

let copy: ProjectCopy;
let system: System;
let inProcess: ReturnType<typeof operatorInProcess>;
let key: string;

beforeAll(async () => {
  copy = copyProject({ file: 'config/local.ts', from: 'ott: {', to: 'ott: { behindDistribution: true,' });
  system = await startSystem({ project: copy.root, environment: { CDK_VALIDATION: 'false' } });
  inProcess = operatorInProcess(await outputsOfSetup());
  key = system.outputs.applications[0]?.api_key ?? '';
});
afterAll(async () => {
  await system?.dispose();
  copy?.remove();
});

/** The outputs, for whoever has only the policy for setting up and repair. */
const outputsOfSetup = async (): Promise<string> => {
  const values = { ACCOUNT: '000000000000', REGION: 'us-east-1', STAGE: 'local' };
  const policy = guidePolicy('The policy for setting up and repair', values);
  const response = await fetch(`${system.outputs.aws_endpoint_url}/_users`, {
    method: 'POST',
    body: JSON.stringify({ name: 'setup', policy }),
  });
  const file = fileOf('outputs-of-setup.json');
  writeFileSync(file, JSON.stringify({ ...system.outputs, operator_credentials: await response.json() }));
  return file;
};

const fileOf = (name: string): string => join(system.stateDirectory, name);
/** Calls the base API, with the header as a distribution would add it. */
const call = (
  path: string,
  value?: string,
  init: { readonly method?: string; readonly body?: unknown } = {},
) =>
  callApi<{ readonly address: string }>(`${system.outputs.base_url}${path}`, {
    key,
    ...init,
    ...(value !== undefined && { headers: { 'x-origin-verify': value } }),
  });
const statusesOf = async (value?: string): Promise<number[]> =>
  Promise.all(
    ['/api/v3/ott/events', '/api/v1/nft/contracts', '/openapi.json', '/nowhere'].map(
      async (path) => (await call(path, value)).status,
    ),
  );
const operator = async (...argv: readonly string[]): Promise<unknown> =>
  JSON.parse(await inProcess('--json', ...argv));
const list = () => operator('secrets', 'list');

describe('an API behind a CloudFront distribution', () => {
  it('answers 403 to every call that bypasses the distribution, before and after its secret is set', async () => {
    expect(await statusesOf()).toEqual([403, 403, 403, 403]);
    // The placeholder in the secret is no value.
    expect(await statusesOf('none')).toEqual([403, 403, 403, 403]);
    expect(await list()).toContainEqual({ secret: 'origin-verify', state: 'empty', fault: null });

    const first = fileOf('first-value');
    expect(await operator('secrets', 'rotate', 'origin-verify', '--file', first)).toEqual({
      secret: 'origin-verify',
      state: 'one value is valid',
    });

    const value = readFileSync(first, 'utf8');
    expect(value).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(first).mode & 0o777).toBe(0o600);
    expect(await statusesOf()).toEqual([403, 403, 403, 403]);
    expect(await statusesOf(`${value.slice(0, -1)}-`)).toEqual([403, 403, 403, 403]);
    expect(await statusesOf(value)).toEqual([200, 200, 200, 404]);
    expect(await list()).toContainEqual({ secret: 'origin-verify', state: 'good', fault: null });
  });

  it('serves the metadata of collections to every caller, because their URIs are on the chain', async () => {
    const value = readFileSync(fileOf('first-value'), 'utf8');
    const { json } = await call('/api/v1/nft/contracts', value, {
      body: { name: 'Tickets', symbol: 'TCK', chain: 'MATIC' },
    });
    const contract = `/api/v1/nft/contracts/${json.address}`;
    await call(`${contract}/mint`, value, {
      body: { destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', metadata: { name: 'Seat' } },
    });

    expect((await call(`${contract}/metadata`)).status).toBe(200);
    expect((await call(`${contract}/metadata/1`)).status).toBe(200);
    expect(
      (await call(`${contract}/metadata`, undefined, { method: 'PUT', body: { name: 'Seats' } })).status,
    ).toBe(403);
    expect((await call(contract)).status).toBe(403);
  });

  it('answers every call during a rotation of the secret, and rejects the old value afterwards', async () => {
    const former = readFileSync(fileOf('first-value'), 'utf8');
    let sent = former;
    let isOver = false;
    const answers: number[] = [];
    const viewer = async (): Promise<void> => {
      while (!isOver) answers.push((await call('/api/v3/ott/events', sent)).status);
    };
    const viewers = Promise.all([viewer(), viewer(), viewer()]);
    const more = async (): Promise<void> => {
      const before = answers.length;
      await waitFor(() => expect(answers.length).toBeGreaterThan(before + 20));
    };

    await more();
    expect(
      await operator('secrets', 'rotate', 'origin-verify', '--file', fileOf('next-value')),
    ).toMatchObject({
      state: 'two values are valid',
    });
    await more();
    // A rotation that was interrupted keeps its new value.
    await operator('secrets', 'rotate', 'origin-verify', '--file', fileOf('again'));
    const next = readFileSync(fileOf('again'), 'utf8');
    expect(next).toBe(readFileSync(fileOf('next-value'), 'utf8'));
    sent = next;
    await more();
    await operator('secrets', 'rotate', 'origin-verify', '--finish');
    await more();
    isOver = true;
    await viewers;

    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await statusesOf(former)).toEqual([403, 403, 403, 403]);
    expect(await list()).toContainEqual({ secret: 'origin-verify', state: 'good', fault: null });
  });

  it('works again after the operator has written the values of the secret into the firewall', async () => {
    const secrets = new SecretsManagerClient(system.aws);
    const { 'origin-verify': SecretId } = JSON.parse(await system.stackOutput('SecretArns'));
    // The secret is now as after a crash between the two writes of a rotation.
    const crashed = 'f'.repeat(64);
    const SecretString = JSON.stringify({ current: crashed, next: crashed });
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
    secrets.destroy();
    expect(await statusesOf(crashed)).toEqual([403, 403, 403, 403]);
    expect(await list()).toContainEqual({
      secret: 'origin-verify',
      state: 'wrong',
      fault: expect.stringContaining('other values'),
    });

    const rotate = remedy('the-firewall-refuses-requests', 'secrets rotate origin-verify');
    await operator(...rotate, '--file', fileOf('mended'));

    expect(await statusesOf(crashed)).toEqual([200, 200, 200, 404]);
    expect(await statusesOf(readFileSync(fileOf('mended'), 'utf8'))).toEqual([200, 200, 200, 404]);
    await operator(...rotate, '--finish');
  });

  it("reports the collections that still use API Gateway's own address, and whether an API answers", async () => {
    const value = readFileSync(fileOf('mended'), 'utf8');
    const { json: contracts } = await callApi<{ readonly address: Address }[]>(
      `${system.outputs.base_url}/api/v1/nft/contracts`,
      { key, headers: { 'x-origin-verify': value } },
    );
    const [{ address } = { address: '0x' as const }] = contracts;
    const outputsFile = fileOf('outputs.json');
    const addresses = servedAddresses((stage) => findTarget({ stage, outputsFile }));
    expect(await addresses.collectionsAtOwnAddress('local')).toEqual([]);

    const own = await system.stackOutput('OwnBaseUrl');
    await operatorInProcess(outputsFile)('contracts', 'set-base', 'demo', address, '--base', own, '--wait');

    expect(await addresses.collectionsAtOwnAddress('local')).toEqual([address.toLowerCase()]);
    expect(await addresses.answers(system.outputs.api_url_b2b)).toBe(true);
    expect(await addresses.answers(system.outputs.aws_endpoint_url)).toBe(false);
  });

  it('keeps the values of the secret after a deployment', async () => {
    const value = readFileSync(fileOf('mended'), 'utf8');
    await system.stop();
    await system.start(copy.root);

    expect(await statusesOf(value)).toEqual([200, 200, 200, 404]);
    expect(await statusesOf()).toEqual([403, 403, 403, 403]);
  });
});
