import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetTopicAttributesCommand, SetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { olderRecovery } from 'template-runtime/testing/older-recovery.ts';
import { waitFor, waitUntil } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { applicationsOf, documentsOf, eventStoreOf } from '../../../operator/platform/target/stores.ts';
import { findTarget } from '../../../operator/platform/target/target.ts';
import { runCommand } from '../../../operator/run.ts';
import { preferredSigners } from '../../../shared/nft/submit/application-signer.ts';
import type { Event } from '../../../shared/ott/events/event.ts';
import {
  addressesAtMost,
  type DayOfSessions,
  type Slot,
} from '../../../shared/ott/sessions/viewer-sessions.ts';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { dynamoDbSessions } from '../../../shared/ott/store/sessions.ts';
import { notificationsOf, startCustomerEndpoint } from '../../support/notifications/customer-endpoint.ts';
import { switchOffRedelivery } from '../../support/notifications/switch-off-redelivery.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { commandNames } from '../../support/platform/operator-commands.ts';
import { copyProject, type ProjectCopy } from '../../support/platform/project-copy.ts';
import { remedy } from '../../support/platform/remedy.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { operatorInProcess } from '../../support/stage/console/operator-in-process.ts';
import { anApplication } from '../../support/users/users.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

let system: System;
/** The edited copy of the project that later tests deploy. */
let edited: ProjectCopy | undefined;

let inProcess: ReturnType<typeof operatorInProcess>;

beforeAll(async () => {
  // Skips the validation of the edited project's template, which would only take time here.
  system = await startSystem({ environment: { CDK_VALIDATION: 'false' } });
  inProcess = operatorInProcess(join(system.stateDirectory, 'outputs.json'));
});
afterAll(async () => {
  await system.dispose();
  edited?.remove();
});

/** Runs the command line as a process of its own, without a terminal. */
const operator = async (...argv: readonly string[]) => {
  const outputs = join(system.stateDirectory, 'outputs.json');
  const child = spawn(process.execPath, ['operator/main.ts', '--outputs', outputs, ...argv], {
    cwd: edited?.root ?? root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, said, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { printed, said, exitCode };
};

/** What a successful command prints with `--json`. The edited project's command line runs as a process of its own. */
const answerOf = async (...argv: readonly string[]) => {
  if (edited === undefined) return JSON.parse(await inProcess('--json', ...argv));
  const { printed, said, exitCode } = await operator('--json', ...argv);
  expect({ exitCode, said: exitCode === 0 ? '' : said }).toEqual({ exitCode: 0, said: '' });
  return JSON.parse(printed);
};

const contractsUrl = () => `${system.outputs.base_url}/api/v1/nft/contracts`;

describe('an application', () => {
  it('can use its key from its creation to its removal', async () => {
    const { api_key: key } = await answerOf('applications', 'create', 'club', '--client', 'club-web');

    expect(await callApi(contractsUrl(), { key })).toMatchObject({ status: 200, json: [] });
    expect(await answerOf('applications', 'show', 'club')).not.toHaveProperty('api_key');
    expect((await operator('applications', 'create', 'club')).exitCode).toBe(1);
    expect(await operator('applications', 'remove', 'club')).toMatchObject({
      exitCode: 3,
      said: expect.stringContaining('--yes'),
    });
    await answerOf('applications', 'remove', 'club', '--yes');
    expect((await callApi(contractsUrl(), { key })).status).toBe(403);
    expect((await operator('applications', 'create', 'club')).said).toContain('Application club was removed');
    expect(await answerOf('applications', 'create', 'club', '--again')).toMatchObject({ id: 'club' });
  });

  it('has two valid keys during a rotation, and one after the grace period', async () => {
    const first = await answerOf('applications', 'create', 'shop');

    const second = await answerOf('applications', 'rotate-key', 'shop');
    const [one, two] = [first.api_key, second.api_key];
    for (const key of [one, two]) expect((await callApi(contractsUrl(), { key })).status).toBe(200);
    const third = await answerOf('applications', 'rotate-key', 'shop', '--grace', '1s');

    for (const key of [one, two]) {
      // Functions cache an application for 30 seconds.
      await waitUntil(async () => (await callApi(contractsUrl(), { key })).status === 403, { interval: 200 });
    }
    expect((await callApi(contractsUrl(), { key: third.api_key })).status).toBe(200);
  });

  it('whose key has leaked mints nothing more, then refuses the key, and accepts the next one', async () => {
    const { api_key: leaked, api_key_id: keyId } = await answerOf('applications', 'create', 'robbed');
    const mint = async (key: string) =>
      (await callApi(contractsUrl(), { key, body: { name: 'Robbed', symbol: 'ROB', chain: 'MATIC' } }))
        .status;
    expect((await callApi(contractsUrl(), { key: leaked })).status).toBe(200);

    const stop = remedy('a-customers-key-has-leaked', 'applications set');
    await answerOf(...stop, 'robbed', '--mints-per-day', '0', '--contracts-per-day', '0');
    // Functions cache an application for 30 seconds.
    await waitUntil(async () => [422, 429].includes(await mint(leaked)), { interval: 200 });
    const end = remedy('a-customers-key-has-leaked', 'applications remove-key');
    await answerOf(...end, 'robbed', keyId, '--yes');
    await waitUntil(async () => (await callApi(contractsUrl(), { key: leaked })).status === 403, {
      interval: 200,
    });

    const next = await answerOf(...remedy('a-customers-key-has-leaked', 'applications rotate-key'), 'robbed');
    expect((await callApi(contractsUrl(), { key: next.api_key })).status).toBe(200);
  });

  it('of an editor can have no OIDC clients, endpoints, users and signer', async () => {
    await answerOf('applications', 'create', 'desk', '--editor');

    for (const words of [
      ['applications', 'add-client', 'desk', 'desk-web'],
      ['subscriptions', 'add', 'desk', 'https://desk.example.com/hook'],
      ['listen', 'desk'],
      ['users', 'put', 'somebody', '--data', '{}', '--application', 'desk'],
      ['signers', 'assign', 'desk', '0'],
    ]) {
      expect(await operator(...words), words.join(' ')).toMatchObject({
        exitCode: 1,
        said: expect.stringContaining("desk is not a customer's application"),
      });
    }
    await answerOf('applications', 'remove', 'desk', '--yes');
  });

  it('shows its viewers only what its OTT rules allow', async () => {
    await answerOf('applications', 'create', 'tv', '--client', 'tv-web');
    const file = join(system.stateDirectory, 'rules.json');
    writeFileSync(
      file,
      JSON.stringify({ ott: { rules: [{ id: 'live', enabled: true, statuses: ['LIVE'] }] } }),
    );
    await answerOf('applications', 'configure', 'tv', '--file', file);
    await answerOf('applications', 'set', 'tv', '--audience', 'linked', '--mints-per-day', '0');

    const events = `${system.outputs.base_url}/api/v3/ott/events`;
    const { json } = await callApi<{ event_id: string; status: string }[]>(events, {
      headers: { 'x-client-id': 'tv-web' },
    });

    expect(new Set(json.map(({ status }) => status))).toEqual(new Set(['LIVE']));
    expect(await answerOf('applications', 'show', 'tv')).toMatchObject({
      audience: 'linked',
      mints_per_day: 0,
    });
  });
});

describe('the command that listens for notifications', () => {
  /** Starts `listen demo` and waits until it is subscribed. */
  const started = async () => {
    const outputs = join(system.stateDirectory, 'outputs.json');
    const argv = ['operator/main.ts', '--outputs', outputs, '--json', 'listen', 'demo'];
    const child = spawn(process.execPath, argv, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    await waitUntil(() => said.includes('Listening for demo'), { interval: 50 });
    return { child, lines };
  };
  const listeners = async (): Promise<{ endpoint: string }[]> =>
    (await answerOf('subscriptions', 'list', '--application', 'demo')).filter(
      ({ endpoint }: { endpoint: string }) => endpoint.includes('/listen/'),
    );

  it('prints each message with its data, and removes its own subscription and that of a killed listener', async () => {
    const killed = await started();
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    expect(await listeners()).toHaveLength(1);

    const { child, lines } = await started();
    expect(await listeners()).toHaveLength(1);
    await answerOf('users', 'put', 'hears', '--application', 'demo', '--data', '{"club_id":"B-1"}');
    await waitUntil(() => lines.length > 0, { interval: 50 });

    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      message: { operation_type: 'data_update' },
      read: { user_data: { club_id: 'B-1' }, user_agreements: [] },
    });
    await answerOf('users', 'remove', 'hears', '--yes');
    await waitUntil(() => lines.length > 1, { interval: 50 });
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ read: null });
    child.kill('SIGINT');
    await once(child, 'exit');
    expect(await listeners()).toEqual([]);
  });
});

describe('the commands about subscriptions and dead letters', () => {
  it('deliver changes to one application, and redrive or delete what its endpoint rejected', async ({
    onTestFinished,
  }) => {
    onTestFinished(await switchOffRedelivery(system));
    let status = 404;
    const endpoint = await startCustomerEndpoint(({ headers }) =>
      headers['x-amz-sns-message-type'] === 'Notification' ? status : 200,
    );
    await answerOf('subscriptions', 'add', 'demo', endpoint.url);
    expect(await answerOf('subscriptions', 'list')).toMatchObject([
      { application: null, endpoint: endpoint.url, state: 'pending' },
    ]);
    const confirmation = await waitUntil(() => endpoint.posted[0]);
    await fetch(String(confirmation.body.SubscribeURL));
    expect(await answerOf('subscriptions', 'list', '--application', 'demo')).toMatchObject([
      { endpoint: endpoint.url, state: 'confirmed', form: 'raw' },
    ]);
    expect((await operator('subscriptions', 'add', 'partner', endpoint.url)).exitCode).toBe(1);

    await answerOf('users', 'put', 'ana', '--data', '{"club_id":"B-2"}');
    const [letter] = await waitFor(
      async () => {
        const letters = await answerOf('dead-letters', 'list');
        expect(letters).toHaveLength(1);
        return letters;
      },
      { interval: 500 },
    );
    const { application_user_subs: subs } = await answerOf('users', 'show', 'ana');
    expect(letter).toMatchObject({
      application: 'demo',
      subject: subs.find(
        ({ application: applicationId }: { application: string }) => applicationId === 'demo',
      ).application_user_sub,
    });

    status = 200;
    const before = notificationsOf(endpoint).length;
    await answerOf(...remedy('dead-letters', 'dead-letters redrive'), letter.message_id);
    await waitUntil(() => notificationsOf(endpoint).length > before);
    expect(await answerOf('dead-letters', 'list')).toEqual([]);

    const fail = async (clubId: string): Promise<void> => {
      status = 404;
      await answerOf('users', 'put', 'ana', '--data', JSON.stringify({ club_id: clubId }));
      await waitFor(async () => expect(await answerOf('dead-letters', 'list')).toHaveLength(1), {
        interval: 500,
      });
    };
    await fail('B-3');
    const failing = remedy('deliveries-fail', 'subscriptions list');
    await waitFor(
      async () =>
        expect(await answerOf(...failing, '--failing', '--application', 'demo')).toMatchObject([
          { endpoint: endpoint.url },
        ]),
      { interval: 500 },
    );
    status = 200;
    const redrive = remedy('endpoints-fail-for-days', 'dead-letters redrive --application');
    expect(await answerOf(...redrive, 'partner')).toEqual([]);
    await answerOf(...redrive, 'demo');
    expect(await answerOf('dead-letters', 'list')).toEqual([]);
    await waitFor(async () => expect(await answerOf('subscriptions', 'list', '--failing')).toEqual([]), {
      interval: 500,
    });

    await fail('B-4');
    expect((await operator('dead-letters', 'purge')).exitCode).toBe(3);
    const purge = remedy('dead-letters', 'dead-letters purge');
    expect(await answerOf(...purge, '--application', 'partner', '--yes')).toEqual([]);
    expect(await answerOf(...purge, '--yes')).toHaveLength(1);
    expect(await answerOf('dead-letters', 'list')).toEqual([]);

    await fail('B-5');
    await answerOf(...remedy('endpoints-fail-for-days', 'subscriptions remove'), endpoint.url, '--yes');
    expect(await answerOf('subscriptions', 'list')).toEqual([]);
    expect(await answerOf(...remedy('endpoints-fail-for-days', 'dead-letters purge'), '--yes')).toHaveLength(
      1,
    );
    await endpoint.stop();
  });
});

describe('the commands about events and users', () => {
  it('list events by status, and change a status', async () => {
    const live = async () =>
      (await answerOf('events', 'list', '--status', 'LIVE')).map(
        ({ event_id }: { event_id: string }) => event_id,
      );
    // The event that turns LIVE by itself may do so while this test runs.
    await answerOf('events', 'set-status', 'evening-match', 'FINISHED');
    expect(await live()).toEqual(['cup-final', 'training-session']);

    await answerOf('events', 'set-status', 'cup-final', 'FINISHED');

    expect(await live()).toEqual(['training-session']);
    expect((await operator('events', 'set-status', 'no-such-event', 'LIVE')).exitCode).toBe(1);
    const [newest] = await answerOf('events', 'history', 'cup-final');
    expect(newest).toMatchObject({
      at: expect.any(String),
      by: expect.stringMatching(/^operator arn:aws:/),
      change: 'changed',
      fields: expect.arrayContaining(['status']),
    });
    expect(await answerOf('events', 'history', 'no-such-event')).toEqual([]);
  });

  it("remove a user together with the applications' identifiers of the user", async () => {
    await answerOf('users', 'put', 'nino', '--data', '{"email":"nino@example.com"}', '--application', 'demo');
    const { application_user_subs: subs } = await answerOf('users', 'show', 'nino');
    const [{ application_user_sub }] = subs;
    const read = () =>
      callApi(`${system.outputs.api_url_b2b}/user-data/read`, {
        key: String(system.outputs.applications[0]?.api_key),
        body: { application_user_sub },
      });
    expect(await read()).toMatchObject({ status: 200 });

    await answerOf('users', 'remove', 'nino', '--yes');

    expect((await read()).status).toBe(404);
    expect((await operator('users', 'show', 'nino')).exitCode).toBe(1);
  });

  it('remove a user even if the stored data cannot be parsed', async () => {
    await answerOf('users', 'put', 'vera', '--data', '{"email":"vera@example.com"}');
    const client = new DynamoDBClient(system.aws);
    await client.send(
      new UpdateItemCommand({
        TableName: await system.stackOutput('UsersTable'),
        Key: { user_sub: { S: 'vera' } },
        UpdateExpression: 'SET user_data = :broken',
        ExpressionAttributeValues: { ':broken': { S: '{' } },
      }),
    );
    client.destroy();
    expect((await operator('users', 'show', 'vera')).exitCode).toBe(1);

    expect(await answerOf(...remedy('failed-changes', 'users remove'), 'vera', '--yes')).toEqual({
      removed: 'vera',
    });

    expect((await operator('users', 'remove', 'vera', '--yes')).exitCode).toBe(1);
  });
});

describe('the command "viewers sharing"', () => {
  const now = Date.now();
  const today = new Date(now).toISOString().slice(0, 10);
  const day: DayOfSessions = {
    day: today,
    applicationIds: ['demo'],
    begun: 0,
    ended: 0,
    takenOver: 0,
    refused: 0,
    addresses: [],
  };
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => `address-${index}`);
  const slot = (endsAt: number): Slot => ({
    sessionId: randomUUID(),
    eventId: 'final',
    applicationIds: ['demo'],
    beganAt: now,
    leasedAt: now,
    endsAt,
    continuations: [],
  });
  const yesterday = new Date(now - 86_400_000).toISOString().slice(0, 10);
  const viewers: Readonly<Record<string, DayOfSessions>> = {
    zapping: { ...day, begun: 12, ended: 11, takenOver: 1, refused: 1, addresses: addresses(2) },
    passing: { ...day, applicationIds: ['demo', 'partner'], begun: 2, refused: 3, addresses: addresses(1) },
    moving: { ...day, begun: 4, ended: 4, addresses: addresses(10) },
    crowd: { ...day, applicationIds: ['partner'], begun: 40, addresses: addresses(addressesAtMost) },
    honest: { ...day, begun: 9, ended: 1, refused: 2, addresses: addresses(9) },
    past: { ...day, day: yesterday, begun: 99, refused: 99, addresses: addresses(20) },
  };

  beforeAll(async () => {
    const outputsFile = join(system.stateDirectory, 'outputs.json');
    const target = await findTarget({ stage: 'local', outputsFile });
    const store = dynamoDbSessions({
      client: documentsOf(target),
      tableName: target.output('SessionsTable'),
    });
    for (const [userSub, ofToday] of Object.entries(viewers)) {
      const slots = userSub === 'passing' ? [slot(now + 600_000), slot(now + 600_000), slot(now - 1)] : [];
      const sessions = { slots, takenOver: [], freedAt: [], movedAt: [], repeatedAt: [], today: ofToday };
      expect(await store.save(userSub, { before: undefined, sessions })).toBe(true);
    }
  });

  const listed = async (...options: readonly string[]) => {
    const rows: readonly { readonly user_sub: string }[] = await answerOf('viewers', 'sharing', ...options);
    return rows.filter(({ user_sub }) => user_sub in viewers);
  };
  const named = async (...options: readonly string[]) =>
    (await listed(...options)).map(({ user_sub }) => user_sub);

  it("lists each viewer's sessions of today, the most suspicious first", async () => {
    expect(await listed()).toEqual([
      {
        applications: 'partner',
        user_sub: 'crowd',
        begun: 40,
        ended: 0,
        taken_over: 0,
        refused: 0,
        addresses: '20 or more',
        playing: 0,
      },
      {
        applications: 'demo, partner',
        user_sub: 'passing',
        begun: 2,
        ended: 0,
        taken_over: 0,
        refused: 3,
        addresses: 1,
        playing: 2,
      },
      {
        applications: 'demo',
        user_sub: 'zapping',
        begun: 12,
        ended: 11,
        taken_over: 1,
        refused: 1,
        addresses: 2,
        playing: 0,
      },
      {
        applications: 'demo',
        user_sub: 'moving',
        begun: 4,
        ended: 4,
        taken_over: 0,
        refused: 0,
        addresses: 10,
        playing: 0,
      },
    ]);
  });

  it.each([
    [
      ['--application', 'demo'],
      ['passing', 'zapping', 'moving'],
    ],
    [
      ['--application', 'partner'],
      ['crowd', 'passing'],
    ],
    [
      ['--begun', '13'],
      ['crowd', 'passing', 'moving'],
    ],
    [
      ['--begun', '9', '--refused', '100', '--addresses', '100'],
      ['crowd', 'honest', 'zapping'],
    ],
    [
      ['--begun', '100', '--refused', '2', '--addresses', '100'],
      ['honest', 'passing'],
    ],
    [
      ['--begun', '100', '--refused', '100', '--addresses', '9'],
      ['crowd', 'honest', 'moving'],
    ],
    [['--begun', '100', '--refused', '100', '--addresses', '100'], []],
  ])('with the options %j lists %j', async (options, expected) => {
    expect(await named(...options)).toEqual(expected);
  });
});

/** Puts a message into a queue of the stage. Returns its id. */
const put = async (queue: string, body: unknown): Promise<string> => {
  const sqs = new SQSClient(system.aws);
  const sent = await sqs.send(
    new SendMessageCommand({ QueueUrl: await system.stackOutput(queue), MessageBody: JSON.stringify(body) }),
  );
  sqs.destroy();
  return String(sent.MessageId);
};

describe('a notification that was not recorded', () => {
  it('appears in the customer’s list after a redrive', async () => {
    const { api_key: key } = await answerOf('applications', 'create', 'unrecorded');
    const id = randomUUID();
    await put('UnfinishedQueueUrl', {
      Type: 'Notification',
      MessageId: id,
      Timestamp: new Date().toISOString(),
      Message: JSON.stringify({
        operation_type: 'data_update',
        application_user_sub: randomUUID(),
        date_time: new Date().toISOString().replace('Z', '000'),
      }),
      MessageAttributes: { application_id: { Type: 'String', Value: 'unrecorded' } },
    });
    const recorded = async () => {
      const url = `${system.outputs.api_url_b2b}/notifications`;
      return (await callApi<readonly unknown[]>(url, { key })).json;
    };
    expect(await recorded()).toEqual([]);

    expect(await answerOf(...remedy('notifications-are-not-recorded', 'unfinished redrive'))).toMatchObject([
      { queue: 'record' },
    ]);

    await waitFor(async () => expect(await recorded()).toMatchObject([{ id }]), { interval: 500 });
  });
});

describe('a failed change without a user', () => {
  it('stays in its queue until the operator deletes it', async () => {
    const MessageId = await put('FailedChangesQueueUrl', { unknown: true });
    const listed = async () =>
      (await answerOf('failed-changes', 'list')).filter(
        ({ message_id: id }: { message_id: string }) => id === MessageId,
      );
    await expect(inProcess('failed-changes', 'redrive')).rejects.toThrow('could not be redriven');
    expect(await listed()).toHaveLength(1);

    await answerOf(...remedy('failed-changes', 'failed-changes purge'), MessageId, '--yes');

    expect(await listed()).toEqual([]);
  });
});

describe('a failed erasure without a user', () => {
  it('stays in its queue until the operator deletes it', async () => {
    const MessageId = await put('FailedErasuresQueueUrl', { unknown: true });
    await expect(inProcess('failed-erasures', 'redrive')).rejects.toThrow('could not be redriven');
    expect(await answerOf('failed-erasures', 'list')).toMatchObject([{ message_id: MessageId }]);

    await answerOf(...remedy('failed-erasures', 'failed-erasures purge'), MessageId, '--yes');

    expect(await answerOf('failed-erasures', 'list')).toEqual([]);
  });
});

describe('the commands about the chain', () => {
  it('set a new base URL of a collection, and show its transaction', async () => {
    const key = String(system.outputs.applications[0]?.api_key);
    const body = { name: 'Tickets', symbol: 'TICKET', chain: 'MATIC' };
    const { json } = await callApi<{ address: string }>(contractsUrl(), { key, body });

    const [moved] = await answerOf(
      'contracts',
      'set-base',
      'demo',
      json.address,
      '--base',
      'https://new.example.com',
      '--wait',
    );

    expect(moved).toMatchObject({ contract: json.address, status: 'confirmed', problem: null });
    expect(await answerOf('transactions', 'show', String(moved.nonce))).toMatchObject({
      kind: 'set-base',
      attempts: [{ hash: moved.hash, place: 'mined', result: 'success' }],
    });
    expect(await answerOf('transactions', 'list')).toEqual([]);
    expect(await answerOf('contracts', 'list', 'demo')).toMatchObject([{ status: 'confirmed' }]);
    expect((await operator('transactions', 'bump', String(moved.nonce))).exitCode).toBe(1);
  });

  it('list three signers with funds, and a drained signer gets no new collection', async () => {
    const key = String(system.outputs.applications[0]?.api_key);
    const signers = await answerOf('signers');
    const { signer: assigned } = await answerOf('applications', 'show', 'demo');
    const { signer: drained, address } = signers.find((each: { address: string }) =>
      assigned.endsWith(each.address.toLowerCase()),
    );

    expect(signers).toMatchObject(
      [1, 2, 3].map((signer) => ({ signer, takes: 'new collections', chain: 31_337, undecided: 0 })),
    );
    for (const { balance } of signers) expect(Number(balance)).toBeGreaterThan(9_000);
    expect(assigned).toBe(`31337#${address.toLowerCase()}`);

    await answerOf('signers', 'drain', String(drained));
    const { status } = await callApi(contractsUrl(), {
      key,
      body: { name: 'Elsewhere', symbol: 'ELSE', chain: 'MATIC' },
    });
    const [newest, before] = await answerOf('contracts', 'list', 'demo');
    await answerOf('signers', 'resume', String(drained));

    expect(status).toBe(201);
    expect(before.signer).toBe(`31337#${address.toLowerCase()}`);
    expect(newest.signer).not.toBe(before.signer);
    expect((await operator('signers', 'drain', '4')).exitCode).toBe(2);
  });
});

describe('the commands about a stage', () => {
  it('pass every check of `smoke`, which sends no test notification', async () => {
    const { api_key: key } = await answerOf('applications', 'create', 'smoked');

    const results = await answerOf('smoke', '--api-key', key);

    expect(results.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
    expect(results.length).toBeGreaterThan(50);
    expect(results).toContainEqual(
      expect.objectContaining({ check: "a free event's stream, and its file without a signature" }),
    );
    expect(results).toContainEqual(
      expect.objectContaining({
        check: 'a request for a test notification to an unknown endpoint, with an API key',
      }),
    );
    const tests = `${system.outputs.api_url_b2b}/notifications?operation_type=test`;
    expect(await callApi(tests, { key })).toMatchObject({
      status: 200,
      json: [],
    });
  });

  it('check with `smoke` that alarms reach their topic, without notifying anybody', async () => {
    const results = await answerOf('smoke', '--alarms');

    expect(results).toContainEqual(
      expect.objectContaining({ ok: true, check: 'an alarm reaches its topic', fault: null }),
    );
    expect(results).toContainEqual(expect.objectContaining({ ok: true, check: 'the topic of all alarms' }));
  });

  it('find with `smoke` that the policy of the alarm topic was changed, until it is restored', async () => {
    const sns = new SNSClient(system.aws);
    const topic = { TopicArn: await system.stackOutput('AlarmTopicArn'), AttributeName: 'Policy' };
    const policy = String((await sns.send(new GetTopicAttributesCommand(topic))).Attributes?.Policy);
    const setPolicy = (AttributeValue: string) =>
      sns.send(new SetTopicAttributesCommand({ ...topic, AttributeValue }));
    const ofTopic = async () => {
      const { printed } = await operator('--json', ...remedy('alarms-reach-nobody', 'smoke --alarms'));
      return JSON.parse(printed).find(({ check }: { check: string }) => check === 'the topic of all alarms');
    };

    const { Statement, ...rest } = JSON.parse(policy);
    const denials = Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Deny');
    await setPolicy(JSON.stringify({ ...rest, Statement: denials }));
    expect(await ofTopic()).toMatchObject({ ok: false, fault: expect.stringContaining('policy') });

    await setPolicy(policy);
    expect(await ofTopic()).toMatchObject({ ok: true, fault: null });
    sns.destroy();
  });

  it('record the delivery of a test notification to the operator’s own endpoint', async () => {
    const { api_key: key } = await answerOf('applications', 'create', 'watched');
    const endpoint = await startCustomerEndpoint(() => 200);
    await answerOf('subscriptions', 'add', 'watched', endpoint.url);
    const confirmation = await waitUntil(() => endpoint.posted[0]);
    await fetch(String(confirmation.body.SubscribeURL));

    const results = await answerOf('smoke', '--notifications', '--api-key', key);
    await endpoint.stop();

    expect(results).toContainEqual(
      expect.objectContaining({
        ok: true,
        check: 'the delivery of the test notification is recorded',
        fault: null,
      }),
    );
    expect(notificationsOf(endpoint).map(({ body }) => body.operation_type)).toEqual(['test']);
    expect((await operator('smoke', '--notifications')).exitCode).toBe(2);
  });

  it('issue access tokens for users of the local system', async () => {
    const { printed } = await operator('token', 'ana', '--client', 'demo-web');

    const profile = `${system.outputs.api_url_profile}/user/data`;
    await waitFor(async () => expect((await callApi(profile, { token: printed.trim() })).status).toBe(200), {
      interval: 500,
    });
  });

  it.each([
    ['There is no user nobody.', ['users', 'remove', 'nobody']],
    ['There is no event nothing.', ['events', 'delete', 'nothing']],
    ['nokey is not a key of demo.', ['applications', 'remove-key', 'demo', 'nokey']],
    ['There is no application nosuch.', ['subscriptions', 'list', '--application', 'nosuch']],
    ['Nonce 999999 has no log entry.', ['transactions', 'cancel', '999999']],
  ])('report a missing item before they ask for consent: %s', async (message, argv) => {
    await expect(inProcess(...argv)).rejects.toThrow(message);
  });

  it('report a stage that does not run in one line', async () => {
    expect(await operator('--outputs', '/no/such/file', 'signers')).toEqual({
      exitCode: 1,
      printed: '',
      said: expect.stringMatching(/^The local system has not been started: .*\n$/),
    });
  });
});

describe('text that users have stored', () => {
  /** Sets the terminal's title, colours text, reverses its direction and contains invisible characters. */
  const hostile = '\x1b]0;taken\x07\x9b31m\u202e\u2066\u200b\x7f';
  const all = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character))
    .join('');
  const harmful = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
  const mallory = `mallory${hostile}`;

  /** What a command prints on a terminal with 80 columns. */
  const saidBy = async (...argv: readonly string[]): Promise<{ result: string; remarks: string }> => {
    const [results, remarks]: [string[], string[]] = [[], []];
    const { columns } = process.stdout;
    process.stdout.columns = 80;
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation((text) => results.push(String(text)) > 0),
      vi.spyOn(process.stderr, 'write').mockImplementation((text) => remarks.push(String(text)) > 0),
    ];
    try {
      await runCommand(['--outputs', join(system.stateDirectory, 'outputs.json'), ...argv]);
    } finally {
      for (const spy of spies) spy.mockRestore();
      process.stdout.columns = columns;
    }
    return { result: results.join(''), remarks: remarks.join('') };
  };

  /** Lines that are hard to read: `true` or `false` without a name, many decimals, and tables that are too wide. */
  const unreadOf = (result: string): string[] =>
    result
      .split('\n')
      .filter(
        (line) =>
          !line.includes('npm run') &&
          (/^\s*(true|false)\b|\d\.\d{10,}/.test(line) ||
            (line.length > 80 && / {2,}\S+ {2,}\S+ {2,}/.test(line))),
      );

  it('does not put control characters into the output of any command', async () => {
    const key = String(system.outputs.applications[0]?.api_key);
    const stored = { user_data: { [hostile]: all, list: [hostile] }, user_agreements: [{ [hostile]: all }] };
    const token = await system.token({ sub: mallory, client_id: 'demo-web' });
    const profile = `${system.outputs.api_url_profile}/user/data`;
    const put = await fetch(profile, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(stored),
    });
    const description = `${hostile}${all}`;
    const withoutControls = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, '');
    const takenText = withoutControls(description);
    const contract = await callApi<{ address: string }>(contractsUrl(), {
      key,
      // Contracts and tokens accept all characters except control characters.
      body: { name: 'Seats\u200b\u200f', symbol: 'S\u200b', chain: 'MATIC', description: takenText },
    });
    const metadata = {
      name: 'Seat\u200b',
      description: takenText,
      attributes: [{ trait_type: 'x', value: withoutControls(hostile) }],
    };
    const minted = await callApi<{ id: string }>(`${contractsUrl()}/${contract.json.address}/mint`, {
      key,
      body: { destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', metadata },
    });
    expect([put.status, contract.status, minted.status]).toEqual([200, 201, 201]);
    // Written directly to the table, because imports refuse such an event.
    const target = await findTarget({
      stage: 'local',
      outputsFile: join(system.stateDirectory, 'outputs.json'),
    });
    const event: Event = {
      id: 'hostile',
      title: `Title ${hostile}`,
      description,
      status: 'UPCOMING',
      access: 'free',
      startsAt: '2027-01-01T00:00:00.000Z',
      endsAt: '2027-01-01T02:00:00.000Z',
      image: null,
      categories: [hostile],
      stream: { type: 'file', url: 'https://streams.example.com/hostile/a.mp4' },
      hand: {},
    };
    await dynamoDbCatalogue(eventStoreOf(target)).write([{ after: event }]);
    // So is the application, whose names the commands refuse.
    const { version: _, ...application } = anApplication({
      id: 'hostile',
      name: hostile,
      clientIds: [`web${hostile}`],
    });
    await applicationsOf(target).create(application);
    const file = (name: string, content: unknown) => {
      const path = join(system.stateDirectory, name);
      writeFileSync(path, JSON.stringify(content));
      return path;
    };
    const rules = { ott: { rules: [{ id: 'all', enabled: true, categories: [withoutControls(hostile)] }] } };
    const events = [
      { ...event, event_id: hostile, title: hostile, starts_at: event.startsAt },
      { event_id: 'hostile', title: 'Mild', status: 'UPCOMING', access: 'free', starts_at: event.startsAt },
    ];

    /** Marks the commands that print stored text. */
    const shown = 'what is stored';
    /** The commands in the order in which they run. Those with `false` are not run, for the reasons given. */
    const runs: Record<string, false | readonly [argv: readonly string[], shows?: typeof shown]> = {
      status: [[]],
      find: [[mallory], shown],
      // Prints only its own URL and runs until Ctrl-C.
      console: false,
      'applications create': [['hostile', '--name', hostile, '--client', `web${hostile}`]],
      'applications list': [[], shown],
      'applications show': [['hostile'], shown],
      'applications usage': [['hostile']],
      'applications set': [['hostile', '--name', `Again ${hostile}`], shown],
      'applications configure': [['hostile', '--file', file('hostile-rules.json', rules)], shown],
      'applications rotate-key': [['hostile']],
      // The local stage has no canary.
      'applications watch-keys': false,
      'applications remove-key': [['hostile', hostile]],
      'applications add-client': [['hostile', `app${hostile}`], shown],
      'applications remove-client': [['hostile', `app${hostile}`], shown],
      'subscriptions add': [['hostile', `https://example.com/${hostile}`]],
      'subscriptions list': [[]],
      'subscriptions remove': [[hostile, '--yes']],
      'dead-letters list': [[]],
      'dead-letters redrive': [[hostile]],
      'dead-letters purge': [[hostile, '--yes']],
      'failed-changes list': [[]],
      'failed-changes redrive': [[]],
      'failed-changes purge': [[hostile, '--yes']],
      'failed-erasures list': [[]],
      'failed-erasures redrive': [[]],
      'failed-erasures purge': [[hostile, '--yes']],
      'unfinished redrive': [[]],
      'secrets list': [[]],
      // Prints only the name of a secret that the stage has, and would change its value.
      'secrets set': false,
      'secrets rotate': false,
      'events list': [['--status', 'UPCOMING'], shown],
      'events show': [['hostile'], shown],
      'events history': [['hostile']],
      'events export': [[], shown],
      'events set-status': [['hostile', 'UPCOMING']],
      'events extend': [['hostile', '5']],
      'events check': [['--signing', 'cookies']],
      'events why': [['hostile', '--client', 'hostile'], shown],
      'events import': [[file('hostile-events.json', events), '--verbose'], shown],
      'events delete': [['hostile', '--yes']],
      'applications remove': [['hostile']],
      'users show': [[mallory], shown],
      'users put': [[mallory, '--data', JSON.stringify({ more: hostile })], shown],
      'users set': [[mallory, '--data', JSON.stringify({ most: hostile })], shown],
      'users remove': [[mallory]],
      'signers drain': [[hostile]],
      'signers resume': [[hostile]],
      'signers assign': [['demo', hostile]],
      signers: [[]],
      'transactions list': [[]],
      'transactions show': [[hostile]],
      'transactions bump': [[hostile]],
      'transactions cancel': [[hostile]],
      'contracts list': [['demo'], shown],
      'contracts show': [[contract.json.address], shown],
      'contracts set-base': [['demo', contract.json.address, '--base', `https://example.com/${hostile}`]],
      // Refuses the local stage.
      preflight: [[]],
      // A test above runs it against this stage.
      smoke: false,
      // Runs until Ctrl-C. A test above checks what it prints.
      listen: false,
      token: [[mallory]],
      'tickets void': [[hostile, '1']],
      'tickets unvoid': [[hostile, '1']],
      'tickets list': [[]],
      'viewers sharing': [[]],
      restore: [[hostile, '--yes']],
      adopt: [['--template', `${hostile}.json`]],
    };
    expect(new Set(Object.keys(runs))).toEqual(new Set(await commandNames()));

    for (const [name, run] of Object.entries(runs)) {
      if (run === false) continue;
      const [argv, shows] = run;
      for (const form of [[], ['--json']]) {
        const { result, remarks } = await saidBy(...form, ...name.split(' '), ...argv);

        expect({ name, harmful: harmful.exec(result)?.[0], said: result + remarks }).toMatchObject({
          harmful: undefined,
          said: expect.stringMatching(/\n$/),
        });
        expect({ name, harmful: harmful.exec(remarks)?.[0] }).toEqual({ name, harmful: undefined });
        if (form.length === 0) expect({ name, unread: unreadOf(result) }).toEqual({ name, unread: [] });
        if (shows === shown) {
          expect({ name, result: result + remarks }).toMatchObject({
            result: expect.stringMatching(/\\u(202e|200b|\{202e\}|\{200b\})/),
          });
        }
      }
    }
  }, 120_000);
});

describe('a restore of lost items', () => {
  const lose = async (output: string, Key: Record<string, string>): Promise<void> => {
    const target = await findTarget({
      stage: 'local',
      outputsFile: join(system.stateDirectory, 'outputs.json'),
    });
    await documentsOf(target).delete({ TableName: await system.stackOutput(output), Key });
  };

  it('brings them back from an earlier moment while customers mint, and the waiter decides a mint again', async () => {
    const { api_key: key } = await answerOf('applications', 'create', 'restored');
    const contract = await callApi<{ readonly address: string }>(contractsUrl(), {
      key,
      body: { name: 'Seats', symbol: 'SEAT', chain: 'MATIC' },
    });
    const { address } = contract.json;
    const tokenUrl = `${contractsUrl()}/${address}/tokens/1`;
    const mint = (name: string) =>
      callApi<{ readonly id: string }>(`${contractsUrl()}/${address}/mint`, {
        key,
        body: { destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', metadata: { name } },
      });
    await mint('Seat 1');
    olderRecovery(system.stateDirectory, 10 * 60_000);
    const moment = new Date(Date.now() - 6 * 60_000).toISOString();
    await waitFor(
      async () => expect((await callApi(tokenUrl, { key })).json).toMatchObject({ status: 'confirmed' }),
      { interval: 200 },
    );
    const [collection] = await answerOf('find', address);
    const [token] = await answerOf('find', `${address}/1`);
    await lose('NftsTable', { pk: `restored#${address.toLowerCase()}`, sk: '1'.padStart(16, '0') });
    await lose('TransactionsTable', {
      pk: collection.fields.signer,
      sk: String(token.fields.nonce).padStart(16, '0'),
    });
    expect((await callApi(tokenUrl, { key })).status).toBe(404);

    const command = ['restore', 'transactions', 'nfts', 'contracts', 'requests', '--moment', moment];
    const counted = await answerOf(...command, '--dry-run');
    expect((await callApi(tokenUrl, { key })).status).toBe(404);
    let isRestoring = true;
    const minting = (async () => {
      const answers: Awaited<ReturnType<typeof mint>>[] = [];
      while (isRestoring) answers.push(await mint(`Seat ${answers.length + 2}`));
      return answers;
    })();
    expect(await answerOf(...command, '--yes')).toEqual(counted);
    isRestoring = false;
    const meanwhile = await minting;

    expect(counted).toContainEqual({
      table: 'nfts',
      kind: 'token',
      written: 1,
      kept: expect.any(Number),
      left: 0,
    });
    expect(meanwhile.map(({ status }) => status)).toEqual(meanwhile.map(() => 201));
    const ids = ['1', ...meanwhile.map(({ json }) => json.id)];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      const url = `${contractsUrl()}/${address}/tokens/${id}`;
      await waitFor(
        async () => expect((await callApi(url, { key })).json).toMatchObject({ status: 'confirmed' }),
        { interval: 200 },
      );
    }
  });

  it('is rejected for tables that cannot be restored and for moments without known deletions', async () => {
    expect(await operator('restore', 'signers', '--moment', '2026-11-20T09:15:00Z')).toMatchObject({
      exitCode: 2,
      said: expect.stringContaining('nonces a second time'),
    });
    expect(await operator('restore', 'users', '--moment', '2020-11-20T09:15:00Z')).toMatchObject({
      exitCode: 2,
      said: expect.stringContaining('the last 30 days'),
    });
    expect(await operator('restore', 'users', '--yes')).toMatchObject({ exitCode: 2 });
    expect(
      await operator('restore', `users=${await system.stackOutput('EventsTable')}`, '--yes'),
    ).toMatchObject({ exitCode: 1, said: expect.stringContaining('a state of another table') });
  });
});

describe('the commands about secrets', () => {
  const marker = 'Very-Secret-0815';
  const file = () => join(system.stateDirectory, 'secret.json');
  const stored = async (name: string): Promise<string | undefined> => {
    const arns = JSON.parse(await system.stackOutput('SecretArns'));
    const secrets = new SecretsManagerClient(system.aws);
    return (await secrets.send(new GetSecretValueCommand({ SecretId: arns[name] }))).SecretString;
  };
  /** Sets a secret in a process of its own, and collects the command lines of all processes meanwhile. */
  const set = async (name: string, value: unknown) => {
    writeFileSync(file(), JSON.stringify(value));
    let isOver = false;
    const setting = operator('secrets', 'set', name, '--file', file()).finally(() => {
      isOver = true;
    });
    const processes: string[] = [];
    while (!isOver) {
      const listed = spawn('ps', ['-A', '-o', 'args='], { stdio: ['ignore', 'pipe', 'ignore'] });
      processes.push(await text(listed.stdout));
    }
    expect(processes.join('')).toContain('secrets set');
    return { ...(await setting), processes: processes.join('') };
  };

  it('report all local secrets as good, and show no value', async () => {
    const good = ['chain', 'ticket-chain', 'entitlement', 'geolocation', 'signing-key', 'cursor'];
    expect(await answerOf('secrets', 'list')).toEqual([
      ...good.map((secret) => ({ secret, state: 'good', fault: null })),
      // The local stage has no canary.
      { secret: 'canary', state: 'empty', fault: null },
    ]);
  });

  it('reject wrong or non-working secrets, and no value appears in output, logs or processes', async () => {
    const before = await stored('chain');
    const tries = [
      { name: 'chain', value: { url: marker } },
      { name: 'chain', value: { urls: [system.outputs.chain_rpc_url, `http://127.0.0.1:9/${marker}`] } },
      { name: 'entitlement', value: { api_key: marker } },
      { name: 'geolocation', value: { account_id: '1', license_key: marker } },
      { name: 'signing-key', value: { key_pair_id: marker, private_key: `PRIVATE KEY ${marker}` } },
    ];
    for (const { name, value } of tries) {
      const outcome = await set(name, value);

      expect(outcome).toMatchObject({ exitCode: 1, said: expect.stringContaining('Nothing was stored.') });
      expect(JSON.stringify(outcome)).not.toContain(marker);
      expect(await stored(name)).not.toContain(marker);
    }
    expect(await stored('chain')).toBe(before);

    const urls = [`${system.outputs.chain_rpc_url}/?key=${marker}`];
    const outcome = await set('chain', { urls });

    expect(outcome).toMatchObject({ exitCode: 0, printed: expect.stringContaining('good') });
    expect(JSON.stringify(outcome)).not.toContain(marker);
    expect(JSON.parse(String(await stored('chain')))).toEqual({ urls });
    const logs = join(system.stateDirectory, 'logs');
    const files = readdirSync(logs, { withFileTypes: true }).filter((each) => each.isFile());
    for (const { name } of files) expect(readFileSync(join(logs, name), 'utf8')).not.toContain(marker);
    writeFileSync(file(), String(before));
    await answerOf('secrets', 'set', 'chain', '--file', file());
    expect(await operator('secrets', 'set', 'origin-verify', '--file', file())).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining('Stage local has no secret origin-verify'),
    });
  }, 120_000);
});

describe('a stage whose entitlement service refuses the API key', () => {
  it('lets viewers play again once the operator has stored the right key', async () => {
    const { entitlement: SecretId } = JSON.parse(await system.stackOutput('SecretArns'));
    const secrets = new SecretsManagerClient(system.aws);
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    const good = join(system.stateDirectory, 'good-entitlement.json');
    writeFileSync(good, String(SecretString));
    const wrong = JSON.stringify({ api_key: 'withdrawn' });
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: wrong }));
    const stateOf = async () =>
      (await answerOf('secrets', 'list')).find(({ secret }: { secret: string }) => secret === 'entitlement');
    expect(await stateOf()).toMatchObject({ state: 'wrong', fault: expect.stringContaining('401') });

    const set = remedy('the-entitlement-service-is-down', 'secrets set entitlement');
    await answerOf(...set, '--file', good);

    expect(await stateOf()).toMatchObject({ state: 'good' });
    const token = await system.token({ sub: 'vip', client_id: 'demo-web' });
    const list = await callApi(`${system.outputs.base_url}/api/v3/ott/events`, { token });
    expect(list.status).toBe(200);
  });
});

describe('a stage whose RPC endpoints do not answer', () => {
  it('is shown with the data of its tables', async () => {
    const key = String(system.outputs.applications[0]?.api_key);
    const body = { name: 'Alone', symbol: 'ALONE', chain: 'MATIC' };
    const contract = await callApi<{ readonly address: string }>(contractsUrl(), { key, body });
    const [timeline] = await answerOf('find', contract.json.address);
    const signer = String(timeline.fields.signer).replace('31337#', '');
    const secrets = new SecretsManagerClient(system.aws);
    const SecretId = await system.stackOutput('ChainSecretArn');
    const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
    const urls = ['http://127.0.0.1:9'];
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify({ urls }) }));
    const good = join(system.stateDirectory, 'good-chain.json');
    writeFileSync(good, String(SecretString));

    try {
      const said = expect.stringContaining('No RPC endpoint answers');
      expect(await operator('--json', 'transactions', 'list')).toMatchObject({ exitCode: 0 });
      const show = ['transactions', 'show', String(timeline.fields.nonce), '--signer', signer];
      expect(await operator(...show)).toMatchObject({ exitCode: 0, said });
      expect(await operator('signers')).toMatchObject({ exitCode: 0, said });
      expect(await operator('status')).toMatchObject({
        exitCode: 0,
        printed: expect.stringContaining('funds unknown'),
        said,
      });
      expect(await operator('find', contract.json.address)).toMatchObject({
        exitCode: 0,
        printed: expect.stringContaining('no RPC endpoint says whether the transaction is on the chain'),
      });
      expect(await operator('find', `0x${'12'.repeat(32)}`)).toMatchObject({
        exitCode: 0,
        printed: expect.stringContaining('no RPC endpoint says who sent this transaction'),
      });
    } finally {
      await answerOf(...remedy('no-rpc-endpoint-answers', 'secrets set chain'), '--file', good);
    }
    expect((await operator('signers')).said).not.toContain('No RPC endpoint answers');

    const halfDead = { urls: [...JSON.parse(String(SecretString)).urls, ...urls] };
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(halfDead) }));
    expect((await operator('signers')).said).not.toContain('No RPC endpoint answers');
    await answerOf(...remedy('one-rpc-endpoint-does-not-answer', 'secrets set chain'), '--file', good);
  });
});

describe('a stage whose configuration file changes', () => {
  const signerOf = ({ address }: { readonly address: string }) => ({
    id: `31337#${address.toLowerCase()}` as const,
  });

  it('uses an additional signer for new applications only', async () => {
    const key = String(system.outputs.applications[0]?.api_key);
    const before = await answerOf('signers');
    const application = await answerOf('applications', 'show', 'demo');
    const collections = await answerOf('contracts', 'list', 'demo');
    await system.stop();
    edited = copyProject({ file: 'config/local.ts', from: 'signers: 3', to: 'signers: 4' });
    const stage = join(edited.root, 'config/local.ts');
    const settings = readFileSync(stage, 'utf8');
    writeFileSync(stage, settings.replace('userData: {', "userData: { readOnlyKeys: ['is_club'],"));
    await system.start(edited.root);

    const after = await answerOf('signers');
    const [, , , added] = after.map(signerOf);
    expect(after.slice(0, 3).map(signerOf)).toEqual(before.map(signerOf));
    expect(after).toHaveLength(4);
    expect(Number(after[3].balance)).toBeGreaterThan(9_000);
    expect(await answerOf('applications', 'show', 'demo')).toEqual(application);

    const newcomer = Array.from({ length: 200 }, (_, index) => `newcomer-${index}`).find(
      (id) => preferredSigners(id, after.map(signerOf))[0]?.id === added?.id,
    );
    const { api_key: newKey } = await answerOf('applications', 'create', String(newcomer));
    const body = { name: 'Later', symbol: 'LATE', chain: 'MATIC' };
    const [ours, theirs] = await Promise.all(
      [key, newKey].map((each) => callApi<{ readonly address: string }>(contractsUrl(), { key: each, body })),
    );
    const [early] = collections;
    const seat = {
      destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      metadata: { name: 'Seat' },
    };
    const minted = await callApi<{ readonly id: string }>(`${contractsUrl()}/${early.address}/mint`, {
      key,
      body: seat,
    });

    expect([ours?.status, theirs?.status, minted.status]).toEqual([201, 201, 201]);
    expect(await answerOf('contracts', 'list', 'demo')).toMatchObject([
      { address: ours?.json.address, signer: application.signer },
      ...collections.map(({ address, signer }: Record<string, string>) => ({ address, signer })),
    ]);
    expect(await answerOf('contracts', 'list', String(newcomer))).toMatchObject([
      { address: theirs?.json.address, signer: added?.id },
    ]);
    await waitFor(
      async () => {
        const [token, contract] = await Promise.all([
          callApi(`${contractsUrl()}/${early.address}/tokens/${minted.json.id}`, { key }),
          callApi(`${contractsUrl()}/${theirs?.json.address}`, { key: newKey }),
        ]);
        expect([token.json, contract.json]).toMatchObject([{ status: 'confirmed' }, { status: 'confirmed' }]);
      },
      { interval: 500 },
    );
  });

  it('lets only the operator write the keys that are read-only in its file', async () => {
    const profile = `${system.outputs.api_url_profile}/user/data`;
    const token = await system.token({ sub: 'lena', client_id: 'demo-web' });
    const put = (user_data: object) => callApi(profile, { method: 'PUT', token, body: { user_data } });
    expect(await put({ email: 'lena@example.com' })).toMatchObject({ status: 200 });

    const refused = await put({ email: 'other@example.com', is_club: 'yes' });
    const byPut = await operator('users', 'put', 'lena', '--data', '{"is_club":"yes"}');
    const written = await answerOf('users', 'set', 'lena', '--data', '{"is_club":"yes"}');
    const nobody = await operator('users', 'set', 'nobody', '--data', '{"is_club":"yes"}');

    expect(refused).toMatchObject({
      status: 403,
      json: { status: 403, message: 'FIELD_NOT_WRITABLE', errors: [{ path: 'user_data.is_club' }] },
    });
    expect(byPut).toMatchObject({
      exitCode: 1,
      said: 'Only the operator can write is_club, with "users set".\n',
    });
    expect(written).toMatchObject({ user_data: { email: 'lena@example.com', is_club: 'yes' } });
    expect(nobody).toMatchObject({ exitCode: 1, said: 'There is no user nobody.\n' });
    expect(await callApi(profile, { token })).toMatchObject({
      json: { user_data: { email: 'lena@example.com', is_club: 'yes' } },
    });
  });
});

describe('a new stage with the signing keys of an old stage', () => {
  it('mints into the old collections after a restore of the old tables', async () => {
    const key = String(system.outputs.applications[0]?.api_key);
    const body = { name: 'Old', symbol: 'OLD', chain: 'MATIC' };
    const collection = (await callApi<{ readonly address: string }>(contractsUrl(), { key, body })).json;
    const mint = (key: string) =>
      callApi<{ readonly id: string }>(`${contractsUrl()}/${collection.address}/mint`, {
        key,
        body: { destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', metadata: { name: 'Seat' } },
      });
    const tokens = `${contractsUrl()}/${collection.address}/tokens`;
    const isConfirmed = (id: string, key: string) =>
      waitFor(
        async () =>
          expect((await callApi(`${tokens}/${id}`, { key })).json).toMatchObject({ status: 'confirmed' }),
        { interval: 200 },
      );
    await isConfirmed((await mint(key)).json.id, key);
    const old = (await callApi<readonly { readonly id: string }[]>(tokens, { key })).json;
    const signers = await answerOf('signers');
    const arns = (await system.stackOutput('SignerKeyIds')).split(',');
    const names = { contracts: 'ContractsTable', nfts: 'NftsTable', transactions: 'TransactionsTable' };
    const kept = await Promise.all(
      Object.entries(names).map(
        async ([name, output]) => [name, await readTable(await system.stackOutput(output))] as const,
      ),
    );
    await system.stop();
    for (const entry of readdirSync(system.stateDirectory)) {
      if (!['kms.json', 'chain'].includes(entry))
        rmSync(join(system.stateDirectory, entry), { recursive: true });
    }
    edited ??= copyProject();
    const stage = join(edited.root, 'config/local.ts');
    const quoted = arns.map((arn) => `'${arn}'`).join(', ');
    writeFileSync(stage, readFileSync(stage, 'utf8').replace(/signers: \d,/, `$& signerKeys: [${quoted}],`));
    await system.start(edited.root);
    const sources = await Promise.all(
      kept.map(async ([name, table]) => {
        await writeTable(`Kept-${name}`, table);
        return `${name}=Kept-${name}`;
      }),
    );

    const outputs = JSON.parse(readFileSync(join(system.stateDirectory, 'outputs.json'), 'utf8'));
    const newKey = String(outputs.applications[0].api_key);
    const empty = await callApi(contractsUrl(), { key: newKey });
    expect({ status: empty.status, json: empty.json }).toEqual({ status: 200, json: [] });
    await answerOf('restore', ...sources, '--yes');

    expect((await answerOf('signers')).map(signerAddress)).toEqual(signers.map(signerAddress));
    expect((await callApi(tokens, { key: newKey })).json).toEqual(old);
    const minted = await mint(newKey);
    expect(minted.status).toBe(201);
    expect(old.map(({ id }) => id)).not.toContain(minted.json.id);
    await isConfirmed(minted.json.id, newKey);
  }, 240_000);

  const signerAddress = ({ address }: { readonly address: string }) => address;
  const withDatabase = async <Result>(work: (client: DynamoDBClient) => Promise<Result>): Promise<Result> => {
    const client = new DynamoDBClient(system.aws);
    try {
      return await work(client);
    } finally {
      client.destroy();
    }
  };
  const readTable = (TableName: string) =>
    withDatabase(async (client) => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      const { Items = [] } = await client.send(new ScanCommand({ TableName }));
      return { Table, Items };
    });
  const writeTable = (TableName: string, { Table, Items }: Awaited<ReturnType<typeof readTable>>) =>
    withDatabase(async (client) => {
      const names = new Set(Table?.KeySchema?.map(({ AttributeName }) => AttributeName));
      await client.send(
        new CreateTableCommand({
          TableName,
          KeySchema: Table?.KeySchema,
          AttributeDefinitions: Table?.AttributeDefinitions?.filter(({ AttributeName }) =>
            names.has(AttributeName),
          ),
          BillingMode: 'PAY_PER_REQUEST',
        }),
      );
      for (const Item of Items) await client.send(new PutItemCommand({ TableName, Item }));
    });
});
