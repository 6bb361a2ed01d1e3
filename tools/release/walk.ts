import { setTimeout } from 'node:timers/promises';
import { GetTopicAttributesCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { createClient, type MarqueeClient } from '@marquee/client';
import * as z from 'zod';
import { stageSettings } from '../../operator/platform/target/stage-settings.ts';
import { waitForKey } from '../../operator/platform/target/wait-for.ts';
import { OperatorError } from '../../operator/platform/terminal/operator-error.ts';
import { apiKeyVariable } from '../../operator/stage/smoke/command.ts';
import type { AwsSettings } from '../../shared/platform/aws/client.ts';
import type { Checkout } from './checkout.ts';
import { checkFirewall } from './firewall.ts';
import { waitForFilter } from './readiness.ts';
import type { DeployedStack } from './stack.ts';

export interface WalkDependencies {
  readonly checkout: Pick<Checkout, 'operator' | 'operatorAnswer' | 'operatorWith'>;
  readonly stack: Pick<DeployedStack, 'outputs'>;
  readonly aws: AwsSettings;
  readonly say: (remark: string) => void;
}

export interface WalkOrder {
  readonly stage: string;
  /** An endpoint that confirms each subscription by itself, and accepts every notification. */
  readonly endpoint: string;
  /** The address that gets the token. */
  readonly destination: string;
}

/** Finality of Polygon's test chain takes minutes, and its RPC endpoints are not always there. */
const chainMilliseconds = 900_000;
/** SNS logs a delivery some seconds after it has ended, and an endpoint has to confirm first. */
const looks = 60;
const betweenLooks = () => setTimeout(2_000);

/** The application that `walk` creates. */
export const walkApplication = 'walk';
const created = z.object({ api_key: z.string() });

const found = async <Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> => {
  for (let number = 1; number <= looks; number++) {
    const answer = await look();
    if (answer !== undefined) return answer;
    await betweenLooks();
  }
  throw new OperatorError({ message: `${what} was not seen in time.` });
};

/** Subscribes the endpoint to the topic of alarms, as an address of `alarmEmails` would be. */
const hearAlarms = async (
  aws: AwsSettings,
  { topicArn, endpoint }: { readonly topicArn: string; readonly endpoint: string },
): Promise<void> => {
  const sns = new SNSClient(aws);
  const Protocol = new URL(endpoint).protocol.replace(':', '');
  await sns.send(new SubscribeCommand({ TopicArn: topicArn, Protocol, Endpoint: endpoint }));
  await found('The confirmation of the topic of alarms', async () => {
    const { Attributes = {} } = await sns.send(new GetTopicAttributesCommand({ TopicArn: topicArn }));
    return Number(Attributes.SubscriptionsConfirmed ?? 0) > 0 ? true : undefined;
  });
};

const mint = async (
  client: MarqueeClient,
  { destination, say }: Pick<WalkOrder, 'destination'> & Pick<WalkDependencies, 'say'>,
): Promise<void> => {
  const waiting = { timeout: chainMilliseconds };
  const contract = await client.createContract({ name: 'Walk', symbol: 'WALK', chain: 'MATIC' });
  await client.waitUntilConfirmed(contract, waiting);
  say(`The collection ${contract.address} is on the chain.`);
  const metadata = { name: 'Seat 1', attributes: [] };
  const token = await client.mintToken(contract.address, { destination, metadata });
  await client.waitUntilConfirmed({ contract: contract.address, id: token.id }, waiting);
  say(`Token ${token.id} is on the chain.`);
};

const heard = (client: MarqueeClient, from: string): Promise<true> =>
  found('The delivery of the notification of the token', async () => {
    const query = { operation_type: 'token_update', from } as const;
    for await (const { deliveries } of client.listNotifications(query)) {
      if (deliveries.some(({ status }) => status === 'delivered')) return true;
    }
    return undefined;
  });

/**
 * Uses a stage that was just deployed and filled, as a customer does: subscribes an endpoint, waits until AWS knows its filter
 * and the application's key everywhere, mints into a new collection, receives the notification, and runs `smoke`. On a stage with a firewall, the firewall must refuse in the end.
 *
 * @throws OperatorError when something is not as it must be.
 */
export const walkThrough = async (
  { checkout, stack, aws, say }: WalkDependencies,
  { stage, endpoint, destination }: WalkOrder,
): Promise<void> => {
  const outputs = await stack.outputs(stage);
  const output = (name: string): string => outputs?.get(name) ?? '';
  const ofStage = ['--stage', stage] as const;
  const startedAt = new Date().toISOString();
  const { api_key: apiKey } = created.parse(
    await checkout.operatorAnswer(...ofStage, 'applications', 'create', walkApplication),
  );
  await checkout.operator(
    ...ofStage,
    ...['subscriptions', 'add', walkApplication, endpoint],
    ...['--operations', 'contract_update,token_update', '--wait'],
  );
  await hearAlarms(aws, { topicArn: output('AlarmTopicArn'), endpoint });

  const baseUrl = output('BaseUrl');
  const b2bUrl = output('ApiUrlB2b');
  await waitForKey({ say }, { baseUrl, apiKey });
  await waitForFilter({ say }, { b2bUrl, apiKey });
  const client = createClient({ baseUrl, apiUrlB2b: b2bUrl, apiKey });
  await mint(client, { destination, say });
  await heard(client, startedAt);
  say('Its notification was delivered.');

  await checkout.operatorWith(
    { [apiKeyVariable]: apiKey },
    ...ofStage,
    ...['smoke', '--notifications', '--alarms'],
  );
  if (stageSettings(stage).firewall !== undefined) {
    await checkFirewall({}, { baseUrl });
    say('The firewall refuses as it must.');
  }
};
