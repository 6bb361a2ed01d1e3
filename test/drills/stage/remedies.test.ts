import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteRolePolicyCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import {
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { parseGwei } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { dynamoDbCatalogue } from '../../../shared/ott/store/catalogue.ts';
import { documentClientOf } from '../../../shared/platform/store/client.ts';
import { type RpcFaultProxy, startRpcFaultProxy } from '../../support/nft/rpc-fault-proxy.ts';
import {
  type CustomerEndpoint,
  startCustomerEndpoint,
} from '../../support/notifications/customer-endpoint.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { type DrivenStage, startDrivenStage } from '../../support/platform/driven-stage.ts';
import { remedy } from '../../support/platform/remedy.ts';

const patience = { interval: 50 };
/** Functions work in the machine's time, so minutes of the stage must not pass much faster than they can work. */
const whileMinutesPass = { timeout: 150_000, interval: 250 };
const folder = mkdtempSync(join(tmpdir(), 'marquee-remedies-'));

let stage: DrivenStage;
let iam: IAMClient;
let secrets: SecretsManagerClient;
let customer: CustomerEndpoint;

const startStage = async (): Promise<void> => {
  stage = await startDrivenStage();
  iam = new IAMClient(stage.aws);
  secrets = new SecretsManagerClient(stage.aws);
  customer = await startCustomerEndpoint(() => 200);
  await operator('subscriptions', 'add', 'demo', customer.url);
  await stage.users.confirm(customer);
  for (let minutes = 0; minutes < 3; minutes += 1) await stage.minute();
};
const stopStage = async (): Promise<void> => {
  await customer?.stop();
  await stage?.stop();
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Faults of different kinds have stages of their own, so that what one leaves behind does not disturb the others. */
const onItsOwnStage = (subject: string, tests: () => void): void => {
  describe(subject, () => {
    beforeAll(startStage, 300_000);
    afterAll(stopStage);
    tests();
  });
};

/** Runs a command of the operator's program, which must succeed. */
const operator = async <Answer = Readonly<Record<string, unknown>>>(...argv: string[]): Promise<Answer> =>
  (await stage.users.operator(...argv)) as Answer;

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

const nothing = async (): Promise<unknown> => undefined;

/** Advances the clock minute by minute with this traffic until these alarms have gone off and notified the operator. */
const goOff = async (
  alarms: readonly string[],
  traffic: () => Promise<unknown> = nothing,
  since = stage.clock.now(),
): Promise<void> => {
  await waitFor(async () => {
    await traffic();
    await stage.minute();
    expect(stage.ringing()).toEqual(expect.arrayContaining([...alarms]));
  }, whileMinutesPass);
  for (const alarm of alarms) await stage.heard({ alarm, state: 'ALARM', since });
};

const period = 5 * 60_000;

/** Like `goOff`, but for an alarm that needs two periods of five minutes. Each period gets one whole burst. */
const goOffAfter = async (alarm: string, burst: () => Promise<unknown>): Promise<void> => {
  const since = stage.clock.now();
  stage.clock.advance(period - (since % period));
  await waitFor(
    async () => {
      const next = stage.clock.now() - (stage.clock.now() % period) + period;
      await burst();
      while (stage.clock.now() < next) await stage.minute();
      expect(stage.ringing()).toContain(alarm);
    },
    { timeout: 400_000, interval: 250 },
  );
  await stage.heard({ alarm, state: 'ALARM', since });
};

/** Minutes with this traffic pass until no alarm is on any more. */
const end = async (traffic: () => Promise<unknown> = nothing): Promise<void> => {
  await waitFor(async () => {
    if (stage.ringing().length > 0) {
      await traffic();
      await stage.minute();
    }
    expect(stage.ringing()).toEqual([]);
  }, whileMinutesPass);
};

/** Denies a role this action until the returned function is called. */
const denied = async (role: string, action: string): Promise<() => Promise<unknown>> => {
  const place = { RoleName: await stage.physicalId(role), PolicyName: 'by-hand' };
  const Statement = { Effect: 'Deny', Action: action, Resource: '*' };
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  await iam.send(new PutRolePolicyCommand({ ...place, PolicyDocument }));
  return () => iam.send(new DeleteRolePolicyCommand(place));
};

let changes = 0;
const change = async (): Promise<string> => {
  changes += 1;
  const seat = `remedy-${changes}`;
  await stage.users.put(`fan-${changes}`, { seat }, 'demo-web');
  return `fan-${changes}`;
};
/**
 * The number of users about whom the customer was notified. Each user is changed once, but a message may arrive twice.
 */
const told = (): number =>
  new Set(
    customer.posted
      .filter(({ body }) => body.operation_type === 'data_update')
      .map(({ body }) => body.application_user_sub),
  ).size;

const stream = async (event: string, headers: Readonly<Record<string, string>> = {}) =>
  callApi<{ readonly url: string }>(`${stage.outputs.base_url}/api/v3/ott/events/${event}/stream`, {
    headers,
  });

const nft = <Json>(path: string, body?: unknown) =>
  callApi<Json>(`${stage.outputs.base_url}/api/v1/nft/contracts${path}`, {
    key: stage.outputs.applications[0]?.api_key ?? '',
    body,
  });
const create = async () => {
  const body = { name: 'Tickets', symbol: 'TCK', chain: 'MATIC' };
  const { status, json } = await nft<{ readonly address: string }>('/', body);
  expect(status).toBe(201);
  return json;
};
const isConfirmed = (path: string) =>
  waitFor(async () => expect((await nft(path)).json).toMatchObject({ is_confirmed: true }), patience);
const hasFailed = (path: string) =>
  waitFor(async () => expect((await nft(path)).json).toMatchObject({ status: 'failed' }), patience);

/** The transactions that are in no block, each as the arguments that name it to a command. */
const open = async (): Promise<string[][]> => {
  const rows = await operator<{ nonce: number; signer: string; place: string }[]>('transactions', 'list');
  return rows
    .filter(({ place }) => place !== 'mined')
    .map(({ nonce, signer }) => [String(nonce), '--signer', signer.split('#')[1] ?? '']);
};

/** The operator stores these RPC endpoints, and the functions have read them. */
const endpointsAre = async (
  urls: readonly string[],
  command: readonly string[] = ['secrets', 'set', 'chain'],
): Promise<void> => {
  await operator(...command, '--file', file('chain.json', { urls }));
  for (let minutes = 0; minutes < 6; minutes += 1) await stage.minute();
};

const secretId = async (name: string): Promise<string> =>
  JSON.parse(await stage.stackOutput('SecretArns'))[name];

onItsOwnStage('calls that AWS refuses', () => {
  describe('a function whose role lacks a permission', () => {
    it('works again after a deployment that adds the permission', async () => {
      const allow = await denied('NftWaiterRunWaiterRole', 'dynamodb:*');

      const { address } = await create();
      await goOff(['NftWaiterRunWaiterFunctionErrors']);
      remedy('a-function-fails');
      await allow();

      await end();
      await isConfirmed(`/${address}`);
    });
  });

  describe('changes that the publisher has no permission to publish', () => {
    it('reach the customer after a redrive', async () => {
      const allow = await denied('UserDataPublisherPublishChangesRole', 'sns:Publish');
      const before = told();
      await change();
      const queue = {
        QueueUrl: await stage.stackOutput('FailedChangesQueueUrl'),
        AttributeNames: ['ApproximateNumberOfMessages' as const],
      };
      await waitFor(async () => {
        const { Attributes } = await stage.users.sqs.send(new GetQueueAttributesCommand(queue));
        expect(Attributes).toEqual({ ApproximateNumberOfMessages: '1' });
      }, patience);

      await goOff(['UserDataPublisherFailedChangesNotEmpty']);
      expect(told()).toBe(before);
      await allow();
      await operator(...remedy('failed-changes', 'failed-changes redrive'));

      await waitFor(() => expect(told()).toBe(before + 1), patience);
      expect(await operator('failed-changes', 'list')).toEqual([]);
      await end();
    });
  });

  describe('removals that a function has no permission to finish', () => {
    it('are finished by a redrive', async () => {
      const allow = await denied('AccountForgettingForgetUsersRole', 'dynamodb:GetItem');
      const fan = await change();
      await operator('users', 'remove', fan, '--yes');
      await goOff(['AccountForgettingFailedErasuresNotEmpty']);
      expect(await operator('failed-erasures', 'list')).toMatchObject([{ user: fan }]);

      await allow();
      await operator(...remedy('failed-erasures', 'failed-erasures redrive'));
      expect(await operator('failed-erasures', 'list')).toEqual([]);

      await end();
    });
  });

  describe('a topic that throttles', () => {
    it('receives all messages once its quota is high enough', async () => {
      const { wire } = stage.engines.messaging;
      const { sns } = wire;
      const refusal =
        '<ErrorResponse><Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>';
      Object.assign(wire, {
        sns: async (parameters: URLSearchParams) =>
          parameters.get('Action') === 'PublishBatch'
            ? { status: 400, headers: {}, body: refusal }
            : sns(parameters),
      });
      onTestFinished(() => {
        Object.assign(wire, { sns });
      });
      const before = told();
      let made = 0;

      await goOffAfter('UserDataPublisherTopicUnavailable', async () => {
        const since = stage.clock.now();
        await change();
        made += 1;
        await stage.measured('TopicUnavailable', { atLeast: 12, since });
      });
      expect(told()).toBe(before);
      remedy('the-topic-refuses');
      Object.assign(wire, { sns });

      await end();
      await waitFor(() => expect(told()).toBe(before + made), patience);
      expect(await operator('failed-changes', 'list')).toEqual([]);
    }, 600_000);
  });
});

onItsOwnStage('what customers and services send', () => {
  describe('a geolocation service that refuses the credentials', () => {
    it("is reported by the operator's check, and answers once the secret has the right key", async () => {
      const SecretId = await secretId('geolocation');
      const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
      const wrong = JSON.stringify({ account_id: 1, license_key: 'withdrawn' });
      await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: wrong }));
      const address = '192.0.2.77';
      const viewers = () =>
        Promise.all(
          Array.from({ length: 4 }, () => stream('winter-concert', { 'x-forwarded-for': address })),
        );

      await goOff(['OttOutsideServicesGeolocationUnavailable'], viewers);
      const rows = await operator<{ secret: string; fault?: string }[]>(
        ...remedy('the-geolocation-service-is-down', 'secrets list'),
      );
      expect(rows.find(({ secret }) => secret === 'geolocation')?.fault).toContain('401');
      await operator('secrets', 'set', 'geolocation', '--file', file('geolocation.json', SecretString));

      await end(viewers);
    });
  });

  describe('a stream whose signature would open another stream', () => {
    it('is signed once the operator has moved it to a folder of its own', async () => {
      const streams = `${stage.outputs.distribution_url}`;
      const event = {
        id: 'twin',
        title: 'Twin',
        description: 'd',
        status: 'LIVE' as const,
        access: 'free' as const,
        startsAt: '2026-01-01T00:00:00.000Z',
        endsAt: null,
        image: null,
        categories: [],
        hand: {},
        stream: { type: 'hls' as const, url: `${streams}/training-session/index.m3u8` },
      };
      const client = documentClientOf(stage.aws);
      const catalogue = dynamoDbCatalogue({ client, tableName: await stage.stackOutput('EventsTable') });
      await catalogue.write([{ after: event }]);

      await goOff(['OttSignedPathRefused'], () => stream('twin'));
      const check = remedy('a-stream-is-not-signed', 'events check');
      await expect(operator(...check)).rejects.toThrow('cannot be played');
      const mended = [{ event_id: 'twin', stream: { type: 'hls', url: `${streams}/twin/index.m3u8` } }];
      await operator('events', 'import', file('twin.json', mended));

      await operator(...check);
      await end(async () => expect((await stream('twin')).status).toBe(200));
    });
  });

  describe('a leaked signing key for streams', () => {
    it('is no longer used five minutes after the operator has stored another key', async () => {
      const keyPair = async () =>
        (await stream('training-session')).headers
          .getSetCookie()
          .find((cookie) => cookie.startsWith('CloudFront-Key-Pair-Id='))
          ?.split(/[=;]/)[1];
      const leaked = await keyPair();
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
      const SecretId = await secretId('signing-key');
      const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));

      const set = remedy('the-playback-key-has-leaked', 'secrets set signing-key');
      await operator(...set, '--file', file('new-key.json', { key_pair_id: 'KNEW', private_key }));
      expect(leaked).not.toBe('KNEW');
      for (let minutes = 0; minutes < 6; minutes += 1) await stage.minute();

      expect(await keyPair()).toBe('KNEW');
      await operator('secrets', 'set', 'signing-key', '--file', file('old-key.json', SecretString));
      for (let minutes = 0; minutes < 6; minutes += 1) await stage.minute();
    });
  });

  describe('delivery log lines in an unknown format', () => {
    it('are recorded once the service can read that format', async () => {
      const { logs } = stage.engines;
      const { write } = logs;
      Object.assign(logs, {
        write: (event: Parameters<typeof write>[0]) =>
          write(event.groupName.startsWith('sns/') ? { ...event, message: '{"version":2}' } : event),
      });
      onTestFinished(() => {
        Object.assign(logs, { write });
      });

      await goOff(['UserDataRecordDeliveryLinesUnreadable'], async () => {
        await change();
        await stage.measured('DeliveryLinesUnreadable');
      });
      // The old form of the lines, which the service can read, stands for a service that was adapted to the new form.
      Object.assign(logs, { write });
      const key = stage.outputs.applications[0]?.api_key ?? '';
      const smoke = remedy('delivery-lines-cannot-be-read', 'smoke --notifications');
      const results = await operator<unknown[]>(...smoke, '--api-key', key);

      expect(results).toContainEqual(
        expect.objectContaining({ ok: true, check: 'the delivery of the test notification is recorded' }),
      );
      await end();
    });
  });

  describe('a table with a partition that one customer overloads', () => {
    it('is no longer throttled once that customer is limited', async () => {
      const { address } = await create();
      await isConfirmed(`/${address}`);
      const mint = async () => {
        const body = {
          destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
          metadata: { name: 'Seat' },
        };
        return (await nft(`/${address}/mint`, body)).status;
      };
      const rush = () => Promise.all(Array.from({ length: 6 }, mint));
      const tables = [await stage.stackOutput('NftsTable')];
      const { gate } = stage.engines.dynamodb;
      gate.setFaults({ partitionLimits: { readUnits: 3_000, writeUnits: 1, tables } });
      onTestFinished(() => gate.setFaults({ partitionLimits: null }));

      await goOff(['TablesThrottled1'], rush);
      await operator(...remedy('a-table-is-throttled', 'applications set'), 'demo', '--mints-per-day', '1');

      await end(rush);
      expect(await mint()).toBe(429);
      gate.setFaults({ partitionLimits: null });
      await operator('applications', 'set', 'demo', '--mints-per-day', '10000');
    });
  });
});

onItsOwnStage('transactions and the chain', () => {
  describe('transactions that wait because fees are above the ceiling', () => {
    const rpc = async <Result>(method: string, ...params: readonly unknown[]): Promise<Result> => {
      const body = { jsonrpc: '2.0', id: 1, method, params };
      return (await callApi<{ readonly result: Result }>(stage.outputs.chain_rpc_url, { body })).json.result;
    };
    const latest = () =>
      rpc<{ number: string; baseFeePerGas: string }>('eth_getBlockByNumber', 'latest', false);
    const setPrice = (gwei: number) =>
      rpc('anvil_setNextBlockBaseFeePerGas', `0x${(gwei * 1e9).toString(16)}`);
    const priceIs = (gwei: number) =>
      waitFor(async () => {
        await setPrice(gwei);
        expect(Number((await latest()).baseFeePerGas)).toBe(gwei * 1e9);
      }, patience);
    /** Two deployments that no block has included before the price rose. */
    const twoWaiting = async (): Promise<readonly { readonly address: string }[]> => {
      for (;;) {
        const { number } = await latest();
        await waitFor(async () => expect((await latest()).number).not.toBe(number), patience);
        const made = [await create(), await create()];
        await priceIs(5_000);
        if ((await open()).length === made.length) return made;
        await priceIs(1);
        for (const { address } of made) await isConfirmed(`/${address}`);
      }
    };

    it('are cancelled above the ceiling, or mined after the operator has raised their fees', async () => {
      const lambda = new LambdaClient(stage.aws);
      const waiter = { FunctionName: await stage.physicalId('NftWaiterRunWaiterFunction') };
      const [cancelled, kept] = await twoWaiting();

      await goOff(['NftAlarmsFeesRefused', 'NftAlarmsOldestPendingOld'], () => setPrice(5_000));
      const [first = [], second = []] = await open();
      await operator(...remedy('fees', 'transactions cancel'), ...first, '--fee-ceiling', '50000', '--yes');
      await waitFor(async () => {
        await setPrice(5_000);
        expect(await open()).toEqual([second]);
      }, patience);
      // The waiter would raise the fees as well.
      await lambda.send(new PutFunctionConcurrencyCommand({ ...waiter, ReservedConcurrentExecutions: 0 }));
      await priceIs(500);
      remedy('the-oldest-transaction-waits', 'transactions bump');
      const bumped = await operator(...remedy('fees', 'transactions bump'), ...second);
      expect(bumped).toMatchObject({ node_said: 'accepted' });
      await waitFor(async () => expect(await open()).toEqual([]), patience);
      await lambda.send(new DeleteFunctionConcurrencyCommand(waiter));
      // The schedule starts the waiter again within a minute.
      await waitFor(async () => {
        await stage.minute();
        expect((await nft(`/${kept?.address}`)).json).toMatchObject({ is_confirmed: true });
      }, patience);

      await hasFailed(`/${cancelled?.address}`);
      await end();
      lambda.destroy();
    });
  });

  describe('an RPC endpoint with a problem', () => {
    let endpoint: RpcFaultProxy;

    beforeAll(async () => {
      endpoint = await startRpcFaultProxy({ target: stage.outputs.chain_rpc_url, seed: 1, faults: {} });
      await endpointsAre([endpoint.url]);
    }, 60_000);
    afterAll(() => endpoint?.stop());

    it('that rejects a transaction delays no other after the operator has cancelled that one', async () => {
      endpoint.setFaults({ feeCap: 1n });
      const refused = await create();
      const [{ max_fee_gwei } = { max_fee_gwei: '' }] = await operator<{ max_fee_gwei: string }[]>(
        'transactions',
        'list',
      );
      // Enough for the noop transaction, which needs 21,000 units of gas, and not for a deployment.
      endpoint.setFaults({ feeCap: 40_000n * parseGwei(max_fee_gwei) });

      await goOff(['NftAlarmsTransactionRefused']);
      const [waiting = []] = await open();
      await operator(...remedy('a-transaction-is-refused', 'transactions cancel'), ...waiting, '--yes');
      const behind = await create();
      endpoint.setFaults({});

      await isConfirmed(`/${behind.address}`);
      await hasFailed(`/${refused.address}`);
      await end();
    });

    it('that is slow slows no API after the operator has put a fast endpoint first', async () => {
      endpoint.alter(({ method }, result) => {
        if (method === 'eth_sendRawTransaction') stage.clock.advance(6_000);
        return result;
      });
      onTestFinished(() => endpoint.alter(undefined));
      // A collection that waits for its block while minutes pass would look like one that waits for too long.
      const createOne = async () => isConfirmed(`/${(await create()).address}`);

      await goOff(['BaseApiSlowAnswers'], createOne);
      await endpointsAre(
        [stage.outputs.chain_rpc_url, endpoint.url],
        remedy('an-api-is-slow', 'secrets set chain'),
      );
      await end(createOne);
    });

    it("that delays one signer's transactions delays no collection of another signer", async () => {
      await endpointsAre([endpoint.url]);
      const { address } = await create();
      await isConfirmed(`/${address}`);
      const application = await operator<{ readonly signer: string }>('applications', 'show', 'demo');
      const its = application.signer.split('#')[1] ?? '';
      const signers = await operator<{ readonly signer: number; readonly address: string }[]>('signers');
      const other = signers.find((each) => each.address.toLowerCase() !== its);
      endpoint.holdBack(its);
      const body = { destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', metadata: { name: 'Seat' } };
      for (let made = 0; made < 5; made += 1) expect((await nft(`/${address}/mint`, body)).status).toBe(201);

      expect(await open()).toHaveLength(5);
      await operator(...remedy('the-queue-is-long', 'signers assign'), 'demo', String(other?.signer));
      await stage.minute();
      const moved = await create();
      await isConfirmed(`/${moved.address}`);
      expect(await open()).toHaveLength(5);
      endpoint.holdBack(undefined);

      for (const token of [1, 2, 3, 4, 5]) await isConfirmed(`/${address}/tokens/${token}`);
      await end();
    });
  });
});
