import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  APIGatewayClient,
  CreateBasePathMappingCommand,
  DeleteBasePathMappingCommand,
  UpdateUsagePlanCommand,
} from '@aws-sdk/client-api-gateway';
import {
  CloudWatchLogsClient,
  DeleteSubscriptionFilterCommand,
  DescribeSubscriptionFiltersCommand,
  PutSubscriptionFilterCommand,
  type SubscriptionFilter,
} from '@aws-sdk/client-cloudwatch-logs';
import { DisableRuleCommand, EnableRuleCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { DeleteRolePolicyCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { DisableKeyCommand, EnableKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  AddPermissionCommand,
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
  RemovePermissionCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { GetQueueAttributesCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { waitFor } from 'template-runtime/testing/wait.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqsMessageQueue } from '../../../operator/notifications/queue/sqs-queue.ts';
import { redriveUnfinished } from '../../../operator/notifications/unfinished/redrive-unfinished.ts';
import { sqsQueue } from '../../../shared/notifications/aws/queue.ts';
import type { Endpoints } from '../../../shared/notifications/ports/endpoints.ts';
import { dynamoDbEndpoints } from '../../../shared/notifications/store/endpoints.ts';
import { documentClientOf } from '../../../shared/platform/store/client.ts';
import {
  type CustomerEndpoint,
  startCustomerEndpoint,
} from '../../support/notifications/customer-endpoint.ts';
import { callApi } from '../../support/platform/api-client.ts';
import { deliveryLogGroups } from '../../support/platform/delivery-log-groups.ts';
import { type DrivenStage, startDrivenStage } from '../../support/platform/driven-stage.ts';
import { remedy } from '../../support/platform/remedy.ts';
import { operatorInProcess } from '../../support/stage/console/operator-in-process.ts';

const receiver = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const folder = mkdtempSync(join(tmpdir(), 'marquee-switched-off-'));
let stage: DrivenStage;
let rules: EventBridgeClient;
let lambda: LambdaClient;
let logs: CloudWatchLogsClient;
let iam: IAMClient;
let keys: KMSClient;
let secrets: SecretsManagerClient;
let gateway: APIGatewayClient;
let endpoints: Pick<Endpoints, 'list'>;
let collection: string;
/** The endpoints of two customers, and whether each answers. */
const customers = [
  { application: 0, client: 'demo-web', isAlive: true, endpoint: undefined as CustomerEndpoint | undefined },
  {
    application: 1,
    client: 'partner-web',
    isAlive: true,
    endpoint: undefined as CustomerEndpoint | undefined,
  },
] as const satisfies readonly object[];

const physicalId = (beginning: string): Promise<string> => stage.physicalId(beginning);

const keyOf = (application: number): string => stage.outputs.applications[application]?.api_key ?? '';
const nft = <Json>(path: string, body?: unknown) =>
  callApi<Json>(`${stage.outputs.base_url}/api/v1/nft/contracts${path}`, { key: keyOf(0), body });

const mint = async (): Promise<string> => {
  const body = { destination: receiver, metadata: { name: 'Seat', attributes: [] } };
  const { status, json } = await nft<{ id: string }>(`/${collection}/mint`, body);
  expect(status).toBe(201);
  return json.id;
};
const isConfirmed = async (path: string): Promise<void> => {
  await waitFor(
    async () => {
      const { json } = await nft<{ is_confirmed: boolean }>(path);
      if (!json.is_confirmed) throw new Error(`${path} is pending`);
    },
    { interval: 100 },
  );
};
const patience = { interval: 20 };
let changes = 0;
const change = async (clientId: string): Promise<void> => {
  changes += 1;
  await stage.users.put(`fan-${changes}`, { seat: changes }, clientId);
};
const removal = async (): Promise<void> => {
  await change('demo-web');
  await operator('users', 'remove', `fan-${changes}`, '--yes');
};
const stream = async (): Promise<number> => {
  const token = await stage.token({ sub: 'ana', client_id: 'demo-web' });
  const { status } = await callApi(`${stage.outputs.base_url}/api/v3/ott/events/cup-final/stream`, { token });
  return status;
};
/** SNS tries to deliver four times, at least 20 s apart, and then gives up. */
const attempts = 4;
/** Lets a customer's endpoint stop answering, and miss a change. */
const dies = async (customer: (typeof customers)[number]): Promise<void> => {
  const { endpoint, client } = customer;
  Object.assign(customer, { isAlive: false });
  const before = endpoint?.posted.length ?? 0;
  await change(client);
  for (let made = 1; made <= attempts; made += 1) {
    await waitFor(() => expect(endpoint?.posted.length).toBeGreaterThanOrEqual(before + made), {
      interval: 20,
    });
    if (made < attempts) await stage.minute();
  }
  await stage.measured('EndpointBeginsToFail');
};
/** Lets a customer's endpoint answer again, so that the next change is delivered. */
const recovers = async (customer: (typeof customers)[number]): Promise<void> => {
  Object.assign(customer, { isAlive: true });
  await change(customer.client);
  await waitFor(
    async () => {
      stage.engines.logs.read();
      const url = customer.endpoint?.url;
      const found = (await endpoints.list()).find(({ destination }) => destination === url);
      if (found === undefined || found.failingSince !== undefined) throw new Error(`${url} is failing`);
    },
    { interval: 100 },
  );
};
/** Waits until the customer's endpoint has received this notification, whatever the endpoint answered. */
const posted = async (
  { endpoint }: (typeof customers)[number],
  isMeant: (body: Record<string, unknown>) => boolean,
): Promise<void> => {
  await waitFor(() => expect(endpoint?.posted.some(({ body }) => isMeant(body))).toBe(true), patience);
};
const nothing = async (): Promise<void> => {};

beforeAll(async () => {
  stage = await startDrivenStage();
  const { aws } = stage;
  rules = new EventBridgeClient(aws);
  lambda = new LambdaClient(aws);
  logs = new CloudWatchLogsClient(aws);
  iam = new IAMClient(aws);
  keys = new KMSClient(aws);
  secrets = new SecretsManagerClient(aws);
  gateway = new APIGatewayClient(aws);
  endpoints = dynamoDbEndpoints({
    client: documentClientOf(aws),
    tableName: await stage.stackOutput('EndpointsTable'),
  });
  for (const customer of customers) {
    const endpoint = await startCustomerEndpoint(() => (customer.isAlive ? 200 : 500));
    Object.assign(customer, { endpoint });
    const applicationId = stage.outputs.applications[customer.application]?.id ?? '';
    await stage.users.operator(
      ...['subscriptions', 'add', applicationId, endpoint.url, '--operations', 'data_update,token_update'],
    );
    await stage.users.confirm(endpoint);
  }
  const created = await nft<{ address: string }>('/', {
    name: 'Tickets',
    symbol: 'TCK',
    description: 'd',
    chain: 'MATIC',
    image: null,
    media: [],
  });
  collection = created.json.address;
  await isConfirmed(`/${collection}`);
  for (let minutes = 0; minutes < 3; minutes += 1) await stage.minute();
}, 300_000);
afterAll(async () => {
  for (const { endpoint } of customers) await endpoint?.stop();
  await stage?.stop();
  rmSync(folder, { recursive: true });
});

interface Fault {
  readonly what: string;
  readonly alarm: string;
  /** Another alarm that goes off, too. */
  readonly also?: string;
  readonly off: () => Promise<unknown>;
  readonly on: () => Promise<unknown>;
  /** The calls of a minute. @default none */
  readonly traffic?: () => Promise<unknown>;
}

const schedules = [
  {
    schedule: 'NftSignerWatchSchedule',
    alarm: 'NftAlarmsNobodyWatches',
    repair: () => remedy('nobody-watches-the-signers', 'aws events enable-rule'),
  },
  {
    schedule: 'UserDataRecordMinutely',
    alarm: 'CanaryPartsOff',
    repair: () => remedy('a-part-is-switched-off', 'aws events enable-rule'),
  },
  {
    schedule: 'CanarySchedule',
    alarm: 'CanarySilent',
    repair: () => remedy('the-canary-is-silent', 'aws events enable-rule'),
  },
];
const mappings = [
  'NftSignerWatchNewEntries',
  'UserDataRecordRecording',
  'UserDataReplaysReplaying',
  'UserDataPublisherChanges',
  'UserDataPublisherDecisions',
  'EventPublisherChanges',
  'AccountForgettingRemovals',
];
const waiterPolicy = async () => ({
  RoleName: await physicalId('NftWaiterStateMachineRole'),
  PolicyName: await physicalId('NftWaiterStateMachineRoleDefaultPolicy'),
});
const filters = async (beginning: string) => {
  const { delivered, failed } = deliveryLogGroups(await stage.stackOutput('TopicArn'));
  return {
    filterName: await physicalId(beginning),
    logGroupName: beginning.endsWith('FailedLines') ? failed : delivered,
  };
};
let removed: SubscriptionFilter | undefined;

const forwarder = () => physicalId('UserDataRecordForwardDeliveriesFunction');
const deliveredPermission = async () => ({
  FunctionName: await forwarder(),
  StatementId: await physicalId('UserDataRecordDeliveredLinesCanInvokeLambda'),
});
/** Allows the forwarder to send to this queue only, or to every queue if none is given. */
const forwarderMaySend = async (queueUrl?: string): Promise<unknown> =>
  iam.send(
    new PutRolePolicyCommand({
      RoleName: await physicalId('UserDataRecordForwardDeliveriesRole'),
      PolicyName: 'calls',
      PolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: {
          Effect: 'Allow',
          Action: 'sqs:SendMessage',
          Resource: `arn:aws:sqs:*:*:${queueUrl?.split('/').at(-1) ?? '*'}`,
        },
      }),
    }),
  );
/** The id of a notification whose delivery is not forwarded. */
let unforwarded = '';
/** Its deliveries in the customer's list. */
const unforwardedDeliveries = async ({ application }: (typeof customers)[number]) => {
  const { json } = await callApi<readonly { id: string; deliveries: readonly { status: string }[] }[]>(
    `${stage.outputs.api_url_b2b}/notifications`,
    { key: keyOf(application) },
  );
  return json.find(({ id }) => id === unforwarded)?.deliveries;
};

/** Does the work of the command `unfinished redrive`, by the clock of the stage. */
const redrive = async () => {
  const sourceQueue = async (name: string) =>
    sqsQueue(await stage.stackOutput(name), {
      settings: stage.aws,
      maxAttempts: 3,
      requestTimeoutMilliseconds: 10_000,
    });
  return redriveUnfinished({
    queue: sqsMessageQueue({
      client: stage.users.sqs,
      queueUrl: await stage.stackOutput('UnfinishedQueueUrl'),
    }),
    sources: {
      record: await sourceQueue('RecordQueueUrl'),
      replays: await sourceQueue('ReplaysQueueUrl'),
    },
    clock: stage.clock.now,
  });
};

const stops = async (FunctionName: string) =>
  lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
const goesOn = async (FunctionName: string) =>
  lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));

const letterQueue = () => ({ QueueUrl: stage.outputs.dlq_url });
const letterPolicy = async (): Promise<string> => {
  const { Attributes } = await stage.users.sqs.send(
    new GetQueueAttributesCommand({ ...letterQueue(), AttributeNames: ['Policy'] }),
  );
  return Attributes?.Policy ?? '';
};
const setLetterPolicy = (Policy: string) =>
  stage.users.sqs.send(new SetQueueAttributesCommand({ ...letterQueue(), Attributes: { Policy } }));
/** The policy of the dead-letter queue that the stack has deployed. */
let deployedPolicy = '';
/** The policy without its `Allow` statements. */
const allowingNobody = (policy: string): string => {
  const { Statement, ...rest } = JSON.parse(policy) as { Statement: readonly { Effect: string }[] };
  return JSON.stringify({ ...rest, Statement: Statement.filter(({ Effect }) => Effect !== 'Allow') });
};

/** Runs an operator's command on the stage. */
const operator = (...words: readonly string[]): Promise<string> => {
  const outputsFile = join(folder, 'outputs.json');
  writeFileSync(outputsFile, JSON.stringify(stage.outputs));
  return operatorInProcess(outputsFile)(...words);
};
const changePlan = async (op: 'add' | 'remove', api: 'base' | 'b2b'): Promise<unknown> => {
  const [usagePlanId] = Object.values<string>(JSON.parse(await stage.stackOutput('UsagePlansByTier')));
  const apiId = await physicalId(`${api.replace(/^./, (letter) => letter.toUpperCase())}Api`);
  const patchOperations = [{ op, path: '/apiStages', value: `${apiId}:local` }];
  return gateway.send(new UpdateUsagePlanCommand({ usagePlanId, patchOperations }));
};

const faults: readonly Fault[] = [
  ...schedules.map(({ schedule, alarm, repair }) => ({
    what: `the schedule ${schedule}`,
    alarm,
    off: async () => rules.send(new DisableRuleCommand({ Name: await physicalId(schedule) })),
    on: async () => {
      repair();
      await rules.send(new EnableRuleCommand({ Name: await physicalId(schedule) }));
    },
  })),
  ...mappings.map((mapping) => ({
    what: `the mapping ${mapping}`,
    alarm: 'CanaryPartsOff',
    off: async () =>
      lambda.send(new UpdateEventSourceMappingCommand({ UUID: await physicalId(mapping), Enabled: false })),
    on: async () =>
      lambda.send(new UpdateEventSourceMappingCommand({ UUID: await physicalId(mapping), Enabled: true })),
  })),
  {
    what: "the waiter's permission",
    alarm: 'NftAlarmsWaiterFails',
    off: async () => iam.send(new DeleteRolePolicyCommand(await waiterPolicy())),
    on: async () =>
      iam.send(
        new PutRolePolicyCommand({
          ...(await waiterPolicy()),
          PolicyDocument: JSON.stringify({
            Version: '2012-10-17',
            Statement: { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: '*' },
          }),
        }),
      ),
    traffic: mint,
  },
  {
    what: 'the publisher',
    alarm: 'UserDataPublisherBehind',
    off: async () => stops(await stage.stackOutput('PublisherFunction')),
    on: async () => {
      remedy('the-publisher-is-behind');
      await goesOn(await stage.stackOutput('PublisherFunction'));
    },
    traffic: () => change('demo-web'),
  },
  {
    what: 'the function that forgets users',
    alarm: 'AccountForgettingBehind',
    off: async () => stops(await physicalId('AccountForgettingForgetUsersFunction')),
    on: async () => {
      remedy('erasures-are-late');
      await goesOn(await physicalId('AccountForgettingForgetUsersFunction'));
    },
    traffic: removal,
  },
  {
    what: 'a function of an API',
    alarm: 'BaseApiServerErrors',
    also: 'FunctionsThrottles3',
    off: async () => stops(await physicalId('OttListEventsFunction')),
    on: async () => {
      remedy('an-api-answers-5xx');
      remedy('a-function-is-throttled', 'aws lambda delete-function-concurrency');
      await goesOn(await physicalId('OttListEventsFunction'));
    },
    traffic: () =>
      Promise.all(Array.from({ length: 12 }, () => callApi(`${stage.outputs.base_url}/api/v3/ott/events`))),
  },
  ...['UserDataRecordDeliveredLines', 'UserDataRecordFailedLines'].map((filter) => ({
    what: `the log forwarding ${filter}`,
    alarm: 'CanaryPartsOff',
    off: async () => {
      const { logGroupName, filterName } = await filters(filter);
      const { subscriptionFilters = [] } = await logs.send(
        new DescribeSubscriptionFiltersCommand({ logGroupName }),
      );
      removed = subscriptionFilters.find((each) => each.filterName === filterName);
      await logs.send(new DeleteSubscriptionFilterCommand({ logGroupName, filterName }));
    },
    on: async () => {
      const { logGroupName, filterName, filterPattern, destinationArn } = removed ?? {};
      await logs.send(
        new PutSubscriptionFilterCommand({ logGroupName, filterName, filterPattern, destinationArn }),
      );
    },
  })),
  {
    what: "CloudWatch Logs' permission",
    alarm: 'UserDataRecordNotForwarded',
    off: async () => lambda.send(new RemovePermissionCommand(await deliveredPermission())),
    on: async () => {
      remedy('a-part-is-switched-off');
      const { delivered } = deliveryLogGroups(await stage.stackOutput('TopicArn'));
      await lambda.send(
        new AddPermissionCommand({
          ...(await deliveredPermission()),
          Action: 'lambda:InvokeFunction',
          Principal: 'logs.amazonaws.com',
          SourceArn: `arn:aws:logs:${stage.aws.region}:000000000000:log-group:${delivered}:*`,
        }),
      );
    },
    traffic: () => change('demo-web'),
  },
  {
    what: "the forwarder's permission to send",
    alarm: 'UserDataRecordForwardDeliveriesFunctionErrors',
    off: async () => {
      await forwarderMaySend(await stage.stackOutput('UnfinishedQueueUrl'));
      const before = customers[0].endpoint?.posted.length ?? 0;
      await change('demo-web');
      await waitFor(() => expect(customers[0].endpoint?.posted.length).toBeGreaterThan(before), patience);
      unforwarded = customers[0].endpoint?.posted.at(before)?.messageId ?? '';
    },
    // The alarm on errors needs them in two periods.
    traffic: () => change('demo-web'),
    on: async () => {
      const isGivenUp = () => stage.ringing().includes('UserDataRecordUnfinishedNotEmpty');
      for (let minutes = 0; minutes < 15 && !isGivenUp(); minutes += 1) await stage.minute();
      expect(isGivenUp()).toBe(true);
      expect(await unforwardedDeliveries(customers[0])).toEqual([]);
      await forwarderMaySend();
      remedy('notifications-are-not-recorded', 'unfinished redrive');
      const redriven = await redrive();
      expect(new Set(redriven.map(({ source }) => source))).toEqual(new Set(['record']));
      await waitFor(
        async () =>
          expect(await unforwardedDeliveries(customers[0])).toMatchObject([{ status: 'delivered' }]),
        patience,
      );
    },
  },
  ...(['base', 'b2b', 'profile'] as const).map((basePath) => ({
    what: `the mapping of the API ${basePath}`,
    alarm: 'CanaryChecksFailed',
    off: async () =>
      gateway.send(new DeleteBasePathMappingCommand({ domainName: 'api.example.com', basePath })),
    on: async () => {
      remedy('a-public-address-does-not-answer', 'aws apigateway create-base-path-mapping');
      await gateway.send(
        new CreateBasePathMappingCommand({
          domainName: 'api.example.com',
          basePath,
          restApiId: await physicalId(`${basePath.replace(/^./, (letter) => letter.toUpperCase())}Api`),
          stage: 'local',
        }),
      );
    },
  })),
  ...(['base', 'b2b'] as const).map((api) => ({
    what: `the usage plan's stage of the API ${api}`,
    alarm: 'CanaryApiKeyRefused',
    off: async () => {
      await operator('applications', 'watch-keys');
      await changePlan('remove', api);
    },
    on: async () => {
      await changePlan('add', api);
      await operator(...remedy('api-keys-are-refused', 'applications watch-keys'));
    },
  })),
  {
    what: "the data's key",
    alarm: 'CanaryKeysUnusable',
    off: async () => keys.send(new DisableKeyCommand({ KeyId: await physicalId('EncryptionKey') })),
    on: async () => keys.send(new EnableKeyCommand({ KeyId: await physicalId('EncryptionKey') })),
  },
  {
    what: 'all RPC endpoints',
    alarm: 'NftAlarmsRpcUnavailable',
    off: async () =>
      secrets.send(
        new PutSecretValueCommand({
          SecretId: await stage.stackOutput('ChainSecretArn'),
          SecretString: JSON.stringify({ urls: ['http://127.0.0.1:9'] }),
        }),
      ),
    on: async () =>
      secrets.send(
        new PutSecretValueCommand({
          SecretId: await stage.stackOutput('ChainSecretArn'),
          SecretString: JSON.stringify({ urls: [stage.outputs.chain_rpc_url] }),
        }),
      ),
  },
  {
    what: 'one of two RPC endpoints',
    alarm: 'NftAlarmsRpcEndpointsSilent',
    off: async () =>
      secrets.send(
        new PutSecretValueCommand({
          SecretId: await stage.stackOutput('ChainSecretArn'),
          SecretString: JSON.stringify({ urls: [stage.outputs.chain_rpc_url, 'http://127.0.0.1:9'] }),
        }),
      ),
    on: async () =>
      secrets.send(
        new PutSecretValueCommand({
          SecretId: await stage.stackOutput('ChainSecretArn'),
          SecretString: JSON.stringify({ urls: [stage.outputs.chain_rpc_url] }),
        }),
      ),
  },
  {
    what: 'the entitlement service',
    alarm: 'OttOutsideServicesEntitlementUnavailable',
    off: () =>
      callApi(`${stage.outputs.entitlement_url}/behaviour`, { method: 'PUT', body: { mode: 'down' } }),
    on: () => callApi(`${stage.outputs.entitlement_url}/behaviour`, { method: 'PUT', body: { mode: 'ok' } }),
    traffic: stream,
  },
  {
    what: "the dead-letter queue's policy",
    alarm: 'UserDataNotificationsDeadLettersLost',
    off: async () => {
      deployedPolicy = await letterPolicy();
      await setLetterPolicy(allowingNobody(deployedPolicy));
      await dies(customers[0]);
    },
    on: async () => {
      remedy('dead-letters-lost');
      await setLetterPolicy(deployedPolicy);
      await recovers(customers[0]);
    },
  },
  {
    what: "a customer's endpoint",
    alarm: 'UserDataRecordEndpointBeginsToFail',
    off: async () => {
      await dies(customers[0]);
    },
    on: () => recovers(customers[0]),
  },
];

describe('a part of the stage that is switched off', () => {
  it.each(faults)(
    '($what) sets off $alarm within ten minutes, which notifies the operator and ends later',
    async (fault) => {
      const { alarm, also = alarm, off, on, traffic = nothing } = fault;
      const began = stage.clock.now();
      const isRinging = () => [alarm, also].every((each) => stage.ringing().includes(each));

      await off();
      for (let minutes = 0; minutes < 10 && !isRinging(); minutes += 1) {
        await traffic();
        await stage.minute();
      }
      const during = stage.ringing();
      await on();
      // An alarm over three periods of five minutes also looks two periods further back if data is missing.
      for (let minutes = 0; minutes < 40 && stage.ringing().length > 0; minutes += 1) await stage.minute();
      expect(during).toEqual(expect.arrayContaining([alarm, also]));
      expect(stage.ringing()).toEqual([]);
      await stage.heard({ alarm, state: 'ALARM', since: began });
      await stage.heard({ alarm, state: 'OK', since: began });
    },
  );
});

describe('a customer’s endpoint that fails during an hour of ordinary traffic', () => {
  it('sets off one alarm, and the failure of the next customer’s endpoint sets it off again', async () => {
    const [first, second] = customers;
    const alarm = 'UserDataRecordEndpointBeginsToFail';
    const began = stage.clock.now();
    const rung = () => stage.told().filter(({ at, state }) => at >= began && state === 'ALARM');

    await dies(first);
    for (let minutes = 0; minutes < 60; minutes += 1) {
      const heard = second.endpoint?.posted.length ?? 0;
      await change('demo-web');
      await waitFor(() => expect(second.endpoint?.posted.length).toBeGreaterThan(heard), patience);
      // The event may end in this hour.
      expect(await stream()).toBeLessThan(500);
      if (minutes % 20 === 0) {
        const id = await mint();
        await isConfirmed(`/${collection}/tokens/${id}`);
        // A record that is read a minute after it was written counts as late.
        await posted(
          first,
          ({ operation_type, id: told }) => operation_type === 'token_update' && told === id,
        );
      }
      await stage.minute();
    }
    await stage.heard({ alarm, state: 'ALARM', since: began });
    expect(rung().map((each) => each.alarm)).toEqual([alarm]);
    expect(stage.ringing()).toEqual([]);

    const later = stage.clock.now();
    await dies(second);
    for (let minutes = 0; minutes < 10 && !stage.ringing().includes(alarm); minutes += 1)
      await stage.minute();
    await stage.heard({ alarm, state: 'ALARM', since: later });
    expect(rung().map((each) => each.alarm)).toEqual([alarm, alarm]);
  });
});
