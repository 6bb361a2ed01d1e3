import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Notification } from '@marquee/client/notifications';
import { trustAuthority } from 'template-runtime/testing/trust-authority.ts';
import { createReceiver } from '../../examples/receiver/server.ts';
import {
  addSubscription,
  defaultRetries,
} from '../../operator/notifications/subscriptions/add-subscription.ts';
import { removeSubscription } from '../../operator/notifications/subscriptions/remove-subscription.ts';
import { subscriptionsOf } from '../../operator/notifications/subscriptions/sns-subscriptions.ts';
import { endpointsOf } from '../../operator/platform/target/stores.ts';
import { findTarget } from '../../operator/platform/target/target.ts';
import type { OperationType } from '../../shared/notifications/messages/message.ts';
import { systemClock } from '../../shared/platform/time/clock.ts';
import { eventually } from './step.ts';
import type { World } from './world.ts';

/** How long a message of the topic may take, on a busy machine too. */
export const arrivalSeconds = 30;

interface Endpoint {
  readonly url: string;
  /** What the endpoint has logged. */
  readonly said: readonly string[];
  /** Subscribes the endpoint for the customer `demo`, until the walk ends. */
  subscribe(): Promise<void>;
  /** Waits until the endpoint has confirmed its subscription. */
  confirmed(): Promise<void>;
}

/** Starts the receiver of the examples as an endpoint of the customer `demo`. */
export const startEndpoint = async (
  world: World,
  {
    operationType,
    onNotification,
    said = [],
  }: {
    readonly operationType: Exclude<OperationType, 'test'>;
    readonly onNotification: (notification: Notification) => void;
    readonly said?: string[];
  },
): Promise<Endpoint> => {
  const outputs = world.outputs();
  // The system's signing certificate is fetched over TLS. The local system's TLS certificate comes from its own
  // authority, which Node.js does not trust by default.
  trustAuthority(outputs.ca_file);
  const server = createReceiver({
    topicArn: outputs.topic_arn,
    snsHost: new URL(outputs.aws_endpoint_url).host,
    form: 'raw',
    onNotification,
    log: (line) => said.push(line),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  world.atEnd('Stop the endpoint', async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const target = await findTarget({ stage: 'local', outputsFile: world.outputsFile() });
  const applicationId = 'demo';
  const subscriptions = subscriptionsOf(target);
  const dependencies = { subscriptions, endpoints: endpointsOf(target), clock: systemClock };

  return {
    url,
    said,
    subscribe: async () => {
      const { arn } = await addSubscription({
        order: {
          endpoint: url,
          isEnveloped: false,
          operationTypes: [operationType],
          retries: defaultRetries,
          maxReceivesPerSecond: undefined,
          deadLetterQueueArn: target.output('DeadLetterQueueArn'),
        },
        ...dependencies,
        application: { id: applicationId },
        filterPolicyQuota: Number.POSITIVE_INFINITY,
      });
      world.atEnd('Remove the subscription', () =>
        removeSubscription(dependencies, { arn, destination: url, applicationId }),
      );
    },
    confirmed: async () => {
      await eventually({
        look: async () => {
          const state = (await subscriptions.list()).find((each) => each.endpoint === url)?.state;
          return { state, said: said.at(-1) };
        },
        isExpected: ({ state }) => state === 'confirmed',
        expected: 'the subscription confirmed',
        withinSeconds: arrivalSeconds,
        signal: world.signal,
      });
    },
  };
};
