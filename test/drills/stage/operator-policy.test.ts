import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { covering, judge, parsePolicy } from 'template-runtime/engines/iam/policy.ts';
import type { Credentials, UserRequest } from 'template-runtime/engines/iam/types.ts';
import { olderRecovery } from 'template-runtime/testing/older-recovery.ts';
import { waitFor, waitUntil } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findTarget } from '../../../operator/platform/target/target.ts';
import { runCommand } from '../../../operator/run.ts';
import { startCustomerEndpoint } from '../../support/notifications/customer-endpoint.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { type GuidePolicy, guidePolicy, lessOneAction } from '../../support/platform/guide-policy.ts';
import { commandNames } from '../../support/platform/operator-commands.ts';
import { templateOf } from '../../support/platform/stack.ts';
import { type System, startSystem } from '../../support/platform/system.ts';
import { get, startWatchedConsole } from '../../support/stage/console/watched-console.ts';

const patience = { interval: 200 };
const folder = mkdtempSync(join(tmpdir(), 'marquee-policies-'));

let system: System;
let policy: GuidePolicy;
let setupPolicy: GuidePolicy;
let sqs: SQSClient;
let endpoint: Awaited<ReturnType<typeof startCustomerEndpoint>>;
let contract: string;
let key: string;
let users = 0;
let made = 0;

beforeAll(async () => {
  system = await startSystem();
  sqs = new SQSClient(system.aws);
  key = String(system.outputs.applications[0]?.api_key);
  const values = { ACCOUNT: '000000000000', REGION: 'us-east-1', STAGE: 'local' };
  policy = guidePolicy('The policy for the command line', values);
  setupPolicy = guidePolicy('The policy for setting up and repair', values);
  await asAnyone('users', 'put', 'ana', '--data', '{"club_id":"1"}');
  endpoint = await startCustomerEndpoint(() => 200);
  await confirmedSubscription();
  contract = await newContract();
}, 240_000);
afterAll(async () => {
  sqs?.destroy();
  await endpoint?.stop();
  await system?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const contractsUrl = () => `${system.outputs.base_url}/api/v1/nft/contracts`;

const newContract = async (): Promise<string> => {
  const body = { name: 'Seats', symbol: 'SEAT', chain: 'MATIC' };
  const { json } = await callApi<{ readonly address: string }>(contractsUrl(), { key, body });
  await waitFor(async () => {
    const made = await callApi(`${contractsUrl()}/${json.address}`, { key });
    expect(made.json).toMatchObject({ status: 'confirmed' });
  }, patience);
  return json.address;
};

/** Creates a user with this policy, and an outputs file that contains the user's credentials. */
const newUser = async (allowed: unknown) => {
  users += 1;
  const name = `user-${users}`;
  const url = `${system.outputs.aws_endpoint_url}/_users`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ name, policy: allowed }) });
  const credentials = (await response.json()) as Credentials;
  expect({ status: response.status, credentials }).toMatchObject({ status: 201 });
  const outputs = join(folder, `${name}.json`);
  const own = JSON.parse(readFileSync(join(system.stateDirectory, 'outputs.json'), 'utf8'));
  writeFileSync(outputs, JSON.stringify({ ...own, operator_credentials: credentials }));
  return {
    outputs,
    requestsOf: async (): Promise<UserRequest[]> =>
      (await fetch(`${url}?accessKeyId=${credentials.accessKeyId}`)).json() as Promise<UserRequest[]>,
  };
};

const run = async (outputs: string, argv: readonly string[]) => {
  const said: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0),
  );
  try {
    return { exitCode: await runCommand(['--outputs', outputs, ...argv]), said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
};

/** Runs a command as the local system's operator, who is allowed everything. */
const asAnyone = async (...argv: readonly string[]): Promise<void> => {
  const outcome = await run(join(system.stateDirectory, 'outputs.json'), argv);
  expect({ argv, ...outcome }).toMatchObject({ exitCode: 0 });
};

const newAddress = (): string => `${endpoint.url}${++made}`;
/** Creates a confirmed subscription and returns its address. */
const confirmedSubscription = async (): Promise<string> => {
  const address = newAddress();
  const isAsked = ({ body, path }: (typeof endpoint.posted)[number]) =>
    path === new URL(address).pathname && 'SubscribeURL' in body;
  await asAnyone('subscriptions', 'add', 'demo', address);
  const confirmation = await waitUntil(() => endpoint.posted.find(isAsked), patience);
  await fetch(String(confirmation.body.SubscribeURL));
  return address;
};

const put = async (queue: string, body: unknown): Promise<string> => {
  const QueueUrl = await system.stackOutput(queue);
  const sent = await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
  return String(sent.MessageId);
};
const failedChange = () =>
  put('FailedChangesQueueUrl', {
    reason: 'of the test',
    record: { dynamodb: { Keys: { user_sub: { S: 'ana' } } } },
  });
const failedErasure = () =>
  put('FailedErasuresQueueUrl', {
    reason: 'of the test',
    record: {
      dynamodb: {
        Keys: { user_sub: { S: 'gone' } },
        NewImage: { registration_id: { S: 'ended' }, changed_at: { S: '2026-01-01T00:00:00.000000' } },
      },
    },
  });
const deadLetter = async () => {
  const target = await findTarget({
    stage: 'local',
    outputsFile: join(system.stateDirectory, 'outputs.json'),
  });
  const { applicationUserSubsOf, usersOf } = await import('../../../operator/platform/target/stores.ts');
  const ana = await usersOf(target).find('ana');
  const subs = await applicationUserSubsOf(target).ofRegistration(String(ana?.registrationId));
  const demo = [...subs.values()].find(({ applicationId }) => applicationId === 'demo');
  return put('DeadLetterQueueUrl', {
    operation_type: 'data_update',
    application_user_sub: demo?.applicationUserSub,
    date_time: String(ana?.changedAt),
  });
};

/** Deletes an item of a table. */
const lose = async (output: string, Key: Record<string, string>): Promise<void> => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(system.aws));
  await client.send(new DeleteCommand({ TableName: await system.stackOutput(output), Key }));
  client.destroy();
};

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};

/** Creates an application and returns its id. */
const application = async (...clients: readonly string[]): Promise<string> => {
  made += 1;
  const id = `policy-${made}`;
  await asAnyone('applications', 'create', id, ...clients.flatMap((client) => ['--client', client]));
  return id;
};
const newEvent = async (): Promise<string> => {
  made += 1;
  const event = {
    event_id: `policy-${made}`,
    title: 'Mild',
    status: 'UPCOMING',
    access: 'free',
    starts_at: '2027-01-01T00:00:00.000Z',
    stream: {
      type: 'hls',
      url: `https://streams.example.com/policy-${made}/index.m3u8`,
      available_until: '2027-01-01T02:00:00.000Z',
    },
  };
  return file(`${event.event_id}.json`, [event]);
};

/** Stored fees that are older than this are no longer used by commands. */
const tooOldMilliseconds = 5_000;

/** Waits until no signer has stored fees that are recent and high. Commands use recent stored fees, as requests do. */
const waitersSeeLowFees = async (): Promise<void> => {
  const outputsFile = join(system.stateDirectory, 'outputs.json');
  const { transactionsOf } = await import('../../../operator/nft/chain/stores.ts');
  const { signers } = transactionsOf(await findTarget({ stage: 'local', outputsFile }));
  await waitUntil(
    async () =>
      (await signers.list()).every(
        ({ fees }) =>
          fees === undefined ||
          fees.baseFeePerGas < 10n ** 10n ||
          Date.now() - fees.readAt > tooOldMilliseconds,
      ),
    patience,
  );
};

/** Runs `work` while the deployment of a contract waits, because the base fee is higher than any stage pays. */
const whileOneWaits = async <Result>(work: (address: string) => Promise<Result>): Promise<Result> => {
  const rpc = async (method: string, ...params: readonly unknown[]) => {
    const body = { jsonrpc: '2.0', id: 1, method, params };
    return (await callApi<{ result: never }>(system.outputs.chain_rpc_url, { body })).json.result;
  };
  const setFee = (gwei: bigint) =>
    rpc('anvil_setNextBlockBaseFeePerGas', `0x${(gwei * 10n ** 9n).toString(16)}`);
  const latest = (): Promise<{ number: string; baseFeePerGas: string }> =>
    rpc('eth_getBlockByNumber', 'latest', false);
  const body = { name: 'Waits', symbol: 'WAIT', chain: 'MATIC' };
  for (let tries = 1; ; tries++) {
    const { number } = await latest();
    await waitUntil(async () => (await latest()).number !== number, { ...patience, interval: 20 });
    const made = await callApi<{ readonly address: string }>(contractsUrl(), { key, body });
    const asked = [setFee(5_000n)];
    const timer = setInterval(() => {
      asked.push(setFee(5_000n));
    }, 50);
    try {
      await waitUntil(async () => BigInt((await latest()).baseFeePerGas) === 5_000n * 10n ** 9n, patience);
      // A block may have included the deployment before the fee rose. Then the next try follows.
      const code: string = await rpc('eth_getCode', made.json.address, 'latest');
      if (code === '0x') return await work(made.json.address);
      expect(tries).toBeLessThan(10);
    } finally {
      clearInterval(timer);
      // A `setFee` that is still under way would raise the fee again.
      await Promise.all(asked);
      await setFee(1n);
      await waitUntil(async () => BigInt((await latest()).baseFeePerGas) < 10n ** 10n, patience);
      await waitersSeeLowFees();
    }
  }
};

/** The command-line arguments for the nonce and the signer of a contract's deployment. */
const nonceOf = async (address: string): Promise<string[]> => {
  const all = join(system.stateDirectory, 'outputs.json');
  const { said } = await run(all, ['--json', 'find', address]);
  const [{ fields }] = JSON.parse(said[0] ?? '');
  return [String(fields.nonce), '--signer', String(fields.signer).split('#')[1] ?? ''];
};

type Prepared = readonly string[];
interface Trial {
  /** The arguments after the command's name. They are prepared anew for each run. */
  readonly argv?: () => Prepared | Promise<Prepared>;
  /** @default runs the command line */
  readonly run?: (outputs: string, argv: readonly string[]) => ReturnType<typeof run>;
  /** @default 0 */
  readonly exitCode?: number;
}

const whileItWaits: Trial['run'] = (outputs, argv) =>
  whileOneWaits(async (address) => run(outputs, [...argv, ...(await nonceOf(address))]));

/** `console` runs until Ctrl-C, so this starts its server and waits until every panel has been read. */
const lookAtConsole: Trial['run'] = async (outputsFile) => {
  try {
    const target = await findTarget({ stage: 'local', outputsFile });
    const watched = await startWatchedConsole(target);
    const { cookie } = await get(watched.url);
    const followed = watched.follow(cookie);
    const panels = () => new Set(followed.shown.map(({ panel }) => panel)).size;
    await waitUntil(() => panels() >= 4, patience);
    followed.stop();
    await watched.stop();
    return { exitCode: 0, said: [] };
  } catch (error) {
    return { exitCode: 1, said: [String(error)] };
  }
};

/** Each trial makes every kind of AWS request that its command can make. */
const trials: Readonly<Record<string, Trial>> = {
  status: {},
  find: { argv: () => [contract] },
  console: { run: lookAtConsole },
  'applications create': { argv: () => [`policy-${++made}`, '--client', `web-${made}`] },
  'applications list': {},
  'applications show': { argv: () => ['demo'] },
  'applications usage': { argv: () => ['demo'] },
  'applications set': { argv: async () => [await application(), '--name', 'Again'] },
  'applications configure': {
    argv: async () => [
      await application(),
      '--file',
      file('rules.json', { ott: { rules: [{ id: 'all', enabled: true, statuses: ['LIVE'] }] } }),
    ],
  },
  'applications watch-keys': {},
  'applications rotate-key': { argv: async () => [await application(), '--grace', '1s'] },
  'applications remove-key': {
    argv: async () => {
      const id = await application();
      await asAnyone('applications', 'rotate-key', id);
      const { said } = await run(join(system.stateDirectory, 'outputs.json'), [
        '--json',
        'applications',
        'show',
        id,
      ]);
      const { keys } = JSON.parse(said[0] ?? '');
      return [id, String(keys[0].id ?? keys[0].key_id), '--yes'];
    },
  },
  'applications add-client': { argv: async () => [await application(), `app-${made}`] },
  'applications remove-client': {
    argv: async () => [await application(`web-${made + 1}`), `web-${made}`],
  },
  'applications remove': { argv: async () => [await application(), '--yes'] },
  'subscriptions list': {},
  'subscriptions remove': { argv: async () => [await confirmedSubscription(), '--yes'] },
  'subscriptions add': { argv: () => ['demo', newAddress()] },
  'dead-letters list': { argv: () => deadLetter().then(() => []) },
  'dead-letters redrive': { argv: () => deadLetter().then(() => []) },
  'dead-letters purge': { argv: () => deadLetter().then(() => ['--yes']) },
  'failed-changes list': { argv: () => failedChange().then(() => []) },
  'failed-changes redrive': { argv: () => failedChange().then(() => []) },
  'failed-changes purge': { argv: async () => [await failedChange(), '--yes'] },
  'failed-erasures list': { argv: () => failedErasure().then(() => []) },
  'failed-erasures redrive': { argv: () => failedErasure().then(() => []) },
  'failed-erasures purge': { argv: async () => [await failedErasure(), '--yes'] },
  'events list': {},
  'events show': { argv: () => ['cup-final'] },
  'events history': { argv: () => ['cup-final'] },
  'events export': {},
  'events set-status': { argv: () => ['cup-final', 'LIVE'] },
  'events extend': {
    argv: async () => {
      await asAnyone('events', 'import', await newEvent());
      return [`policy-${made}`, '1440'];
    },
  },
  'events check': { argv: () => ['--signing', 'cookies'] },
  'events why': { argv: () => ['cup-final', '--client', 'demo-web'] },
  'events import': { argv: async () => [await newEvent()] },
  'events delete': {
    argv: async () => {
      await asAnyone('events', 'import', await newEvent());
      return [`policy-${made}`, '--yes'];
    },
  },
  'users show': { argv: () => ['ana'] },
  'users put': { argv: () => [`user-${++made}`, '--data', '{"club_id":"1"}', '--application', 'demo'] },
  'users set': { argv: () => ['ana', '--data', `{"club_id":"${++made}"}`] },
  'users remove': {
    argv: async () => {
      made += 1;
      await asAnyone('users', 'put', `user-${made}`, '--data', '{"a":"1"}', '--application', 'demo');
      return [`user-${made}`, '--yes'];
    },
  },
  'viewers sharing': {},
  'tickets void': { argv: () => [contract, '1'] },
  'tickets list': {},
  'tickets unvoid': { argv: () => [contract, '1'] },
  signers: {},
  'signers drain': { argv: () => ['3'] },
  'signers resume': { argv: () => ['3'] },
  'signers assign': { argv: () => ['partner', '2'] },
  'transactions list': {},
  'transactions show': { argv: () => nonceOf(contract) },
  // The fee is above the stage's ceiling, so `bump` fails. `cancel` gets a higher ceiling here.
  'transactions bump': { run: whileItWaits, exitCode: 1 },
  'transactions cancel': { argv: () => ['--fee-ceiling', '50000', '--yes'], run: whileItWaits },
  'contracts list': { argv: () => ['demo'] },
  'contracts show': { argv: () => [contract] },
  'contracts set-base': {
    argv: () => ['demo', contract, '--base', `https://example.com/${++made}`, '--wait'],
  },
  smoke: { argv: () => ['--alarms', '--api-key', key] },
  token: { argv: () => ['ana', '--client', 'demo-web'] },
};

/** The commands that need the policy for setting up and repair. */
const setupTrials: Readonly<Record<string, Trial>> = {
  'secrets list': {},
  'secrets set': {
    argv: () => ['chain', '--file', file('chain.json', { urls: [system.outputs.chain_rpc_url] })],
  },
  // This stage has no distribution. `behind-distribution.test.ts` runs the command with the policy on one that has.
  'secrets rotate': { argv: () => ['origin-verify', '--finish'], exitCode: 1 },
  // One message comes from a queue. The other has an unknown form, so the command puts it back and fails.
  'unfinished redrive': {
    argv: async () => {
      await put('UnfinishedQueueUrl', { application_id: 'demo', replay_id: 'unknown' });
      await put('UnfinishedQueueUrl', { unknown: 1 });
      return [];
    },
    exitCode: 1,
  },
  adopt: {
    argv: () => {
      const { Resources } = templateOf('local');
      const retained = Object.entries(Resources).map(([id, resource]) => [
        id,
        {
          ...resource,
          ...(['AWS::SQS::Queue', 'AWS::KMS::Key'].includes(resource.Type) && { DeletionPolicy: 'Retain' }),
        },
      ]);
      const template = file('template.json', { Resources: Object.fromEntries(retained) });
      return ['--template', template, '--out', join(folder, 'adopted')];
    },
  },
  // Each run restores other tables, to another second.
  restore: {
    argv: async () => {
      await asAnyone('users', 'put', 'restored', '--data', '{"club_id":"1"}');
      olderRecovery(system.stateDirectory, 10 * 60_000);
      await lose('UsersTable', { user_sub: 'restored' });
      made += 1;
      const moment = new Date(Date.now() - 6 * 60_000 + made * 1_000).toISOString();
      return ['users', 'applications', '--moment', moment, '--yes'];
    },
  },
};

/** `preflight` reads the account and needs the policy for deploying instead. `listen` is refused on AWS. */
const otherPolicy = ['preflight', 'listen'];

const attempt = async (name: string, allowed: GuidePolicy) => {
  const trial = trials[name] ?? setupTrials[name] ?? {};
  const user = await newUser(allowed);
  const argv = [...name.split(' '), ...((await trial.argv?.()) ?? [])];
  const outcome = await (trial.run ?? run)(user.outputs, argv);
  return { ...outcome, asked: await user.requestsOf() };
};

/** The requests that each command made with the whole policy. */
const needs = new Map<string, readonly UserRequest[]>();

it('the operator policy allows all requests of every command', async () => {
  expect(new Set([...Object.keys(trials), ...Object.keys(setupTrials), ...otherPolicy])).toEqual(
    new Set(await commandNames()),
  );

  for (const [name, { exitCode = 0 }] of Object.entries(trials)) {
    const { asked, said, ...outcome } = await attempt(name, policy);

    expect({
      name,
      ...outcome,
      said: exitCode === outcome.exitCode ? '' : said,
      refused: asked.filter(({ isAllowed }) => !isAllowed),
    }).toMatchObject({
      name,
      exitCode,
      said: '',
      refused: [],
    });
    expect({ name, asks: asked.length > 0 }).toEqual({ name, asks: true });
    needs.set(name, asked);
  }
}, 300_000);

const admits =
  (allowed: GuidePolicy) =>
  ({ action, resources, context = {} }: UserRequest): boolean => {
    const statements = parsePolicy(allowed);
    const values = new Map(Object.entries(context).map(([name, value]) => [name.toLowerCase(), value]));
    return resources.every(
      (resource) => judge(covering(statements, { action, resource }), () => values) === 'allowed',
    );
  };

it('the operator policy contains no superfluous action: without each, a command fails and names it', async () => {
  const superfluous: string[] = [];
  for (const { sid, action, policy: less } of lessOneAction(policy)) {
    const candidates = [...needs].filter(([, asked]) => !asked.every(admits(less))).map(([name]) => name);
    if (candidates.length === 0) {
      superfluous.push(`${sid}: ${action}`);
      continue;
    }
    const tried: unknown[] = [];
    let isToldOf = false;
    for (const name of candidates) {
      const { exitCode, said } = await attempt(name, less);
      isToldOf = exitCode === 1 && said.join('').includes(`is not authorized to perform: ${action}`);
      if (isToldOf) break;
      tried.push({ name, exitCode, said });
    }
    expect({ sid, action, isToldOf, tried: isToldOf ? [] : tried }).toEqual({
      sid,
      action,
      isToldOf: true,
      tried: [],
    });
  }
  expect(superfluous).toEqual([]);
}, 300_000);

it('the setup policy allows the commands about secrets, which name any action that it lacks', async () => {
  const actions = new Set<string>();
  for (const [name, { exitCode: expected = 0 }] of Object.entries(setupTrials)) {
    const { asked, exitCode, said } = await attempt(name, setupPolicy);

    expect({ name, exitCode, refused: asked.filter(({ isAllowed }) => !isAllowed) }, said.join('')).toEqual({
      name,
      exitCode: expected,
      refused: [],
    });
    for (const { action } of asked) actions.add(action);
  }
  expect([...actions].sort()).toEqual([
    'cloudformation:DescribeStacks',
    'cloudformation:ListStackResources',
    'dynamodb:BatchGetItem',
    'dynamodb:BatchWriteItem',
    'dynamodb:ConditionCheckItem',
    'dynamodb:DeleteItem',
    'dynamodb:DescribeTable',
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:Query',
    'dynamodb:RestoreTableToPointInTime',
    'dynamodb:Scan',
    'dynamodb:UpdateItem',
    'secretsmanager:GetSecretValue',
    'secretsmanager:PutSecretValue',
    'sqs:ChangeMessageVisibility',
    'sqs:DeleteMessage',
    'sqs:ReceiveMessage',
    'sqs:SendMessage',
  ]);
  for (const { action, policy: less } of lessOneAction(setupPolicy)) {
    if (!actions.has(action)) continue;
    const outcomes = [];
    for (const name of Object.keys(setupTrials)) outcomes.push(await attempt(name, less));
    expect(outcomes.map(({ said }) => said.join('')).join('')).toContain(
      `is not authorized to perform: ${action}`,
    );
  }
});
