import { Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import {
  type Endpoint,
  isQueue,
  isSubscribed,
  withoutCredentials,
} from '../../../shared/notifications/endpoints/endpoint.ts';
import { countedAtMost } from '../../../shared/notifications/endpoints/list-endpoints.ts';
import {
  type OperationType,
  selectableOperationTypes,
} from '../../../shared/notifications/messages/message.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import {
  applicationsOf,
  endpointsOf,
  getApplication,
  requireApplication,
  requireCustomer,
  undeliveredOf,
} from '../../platform/target/stores.ts';
import { positiveInteger } from '../../platform/terminal/arguments.ts';
import { requireConsent, yesOption } from '../../platform/terminal/confirm.ts';
import { UsageError } from '../../platform/terminal/operator-error.ts';
import {
  addSubscription,
  defaultRetries,
  findSubscription,
  hasOwnFilter,
  type Retries,
} from './add-subscription.ts';
import { ownPlacesOf, requireForeignAddress } from './foreign-address.ts';
import { removeSubscription } from './remove-subscription.ts';
import { subscriptionsOf } from './sns-subscriptions.ts';
import type { Subscription } from './subscription.ts';
import { endedOf } from './subscription.ts';
import { waitForConfirmation, waitForServer } from './wait-for-endpoint.ts';

const operationList = (text: string): OperationType[] => {
  const parsed = z.array(z.enum(selectableOperationTypes)).min(1).safeParse(text.split(','));
  if (parsed.success) return [...new Set(parsed.data)];
  throw new InvalidArgumentError(
    `Allowed values are ${selectableOperationTypes.join(', ')}, separated by commas.`,
  );
};

interface AddOptions {
  readonly operations: readonly OperationType[];
  readonly enveloped?: boolean;
  readonly wait?: boolean;
  readonly maxReceivesPerSecond?: number;
  readonly retries: number;
  readonly minDelay: number;
  readonly maxDelay: number;
  readonly backoff: Retries['backoff'];
}

/** What only HTTP(S) endpoints have: SNS itself determines how it delivers to a queue. */
const httpOptions = ['retries', 'minDelay', 'maxDelay', 'backoff', 'maxReceivesPerSecond'] as const;

const requireOptionsOf = (endpoint: string, command: Command): void => {
  if (!isQueue(endpoint)) return;
  const given = httpOptions.find((name) => command.getOptionValueSource(name) === 'cli');
  if (given === undefined) return;
  const flag = command.options.find((option) => option.attributeName() === given)?.long;
  throw new UsageError({
    message: `${flag} is only for https endpoints: SNS decides how it delivers to a queue.`,
  });
};

/** What must happen before the endpoint is notified. `undefined` if nothing must. */
const confirmationRemark = (endpoint: string, topicArn: string): string | undefined => {
  if (!isQueue(endpoint)) {
    return 'The endpoint receives no notifications until it has requested the SubscribeURL of the confirmation message.';
  }
  const [account, own] = [endpoint, topicArn].map((arn) => arn.split(':')[4]);
  return account === own
    ? undefined
    : `The queue receives no notifications until account ${account} has confirmed with the Token of the message in the queue. If the queue's policy does not allow the topic yet, no message comes: repeat this command afterwards.`;
};

const add = () =>
  new Command('add')
    .description("subscribe a customer's endpoint to changes of the users that the application may see")
    .argument('<application>', 'the application; the endpoint receives its notifications only')
    .argument(
      '<endpoint>',
      'https address, or the ARN of an SQS queue; receives a confirmation message first',
    )
    .option('--enveloped', "send each message in SNS's signed envelope; without it, only the bare message")
    .option(
      '--operations <list>',
      `the operations that the endpoint is notified of, separated by commas: ${selectableOperationTypes.join(', ')}`,
      operationList,
      selectableOperationTypes.slice(0, 1),
    )
    .option(
      '--wait',
      'return when the endpoint has confirmed; an endpoint on this machine may still be starting',
    )
    .option(
      '--max-receives-per-second <number>',
      'the most messages a second that SNS sends to the endpoint',
      positiveInteger,
    )
    .option(
      '--retries <number>',
      'how many times SNS retries a delivery',
      positiveInteger,
      defaultRetries.count,
    )
    .option(
      '--min-delay <seconds>',
      'the delay before the first retry',
      positiveInteger,
      defaultRetries.minDelay,
    )
    .option(
      '--max-delay <seconds>',
      'the delay before the last retry',
      positiveInteger,
      defaultRetries.maxDelay,
    )
    .addOption(
      new Option('--backoff <function>', 'how the delay grows from the first retry to the last')
        .choices(['linear', 'arithmetic', 'geometric', 'exponential'])
        .default(defaultRetries.backoff),
    )
    .action(async (applicationId: string, endpoint: string, options: AddOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      requireOptionsOf(endpoint, command);
      requireForeignAddress(endpoint, ownPlacesOf(target));
      const application = requireCustomer(await getApplication(applicationsOf(target), applicationId));
      const subscriptions = subscriptionsOf(target);
      const endpoints = endpointsOf(target);
      if (options.wait === true) await waitForServer(endpoint);
      const { arn, endpointId, takenFrom, filterPolicies, warning } = await addSubscription({
        application,
        subscriptions,
        endpoints,
        clock: systemClock,
        filterPolicyQuota: stageSettings(target.stage).userData.filterPolicyQuota,
        order: {
          endpoint,
          isEnveloped: options.enveloped ?? false,
          operationTypes: options.operations,
          retries: {
            count: options.retries,
            minDelay: options.minDelay,
            maxDelay: options.maxDelay,
            backoff: options.backoff,
          },
          maxReceivesPerSecond: options.maxReceivesPerSecond,
          deadLetterQueueArn: target.output('DeadLetterQueueArn'),
        },
      });
      output.fields({
        subscription: arn,
        application: applicationId,
        endpoint_id: endpointId,
        endpoint,
        form: options.enveloped === true ? 'enveloped' : 'raw',
        filter_policies: filterPolicies,
      });
      for (const whose of takenFrom) {
        output.remark(`The address was also that of an endpoint of ${whose}, which is removed now.`);
      }
      if (warning !== undefined) output.remark(warning);
      if (endpoint.startsWith('http:'))
        output.remark('Over http, anyone on the network path can read and change messages.');
      if (options.wait !== true) {
        const remark = confirmationRemark(endpoint, target.output('TopicArn'));
        if (remark !== undefined) output.remark(remark);
        return;
      }
      await waitForConfirmation({ subscriptions, endpoints }, { arn, endpoint, applicationId, endpointId });
      output.remark('The endpoint has confirmed: notifications arrive from now on.');
    });

/** A subscription, or an endpoint whose subscription ended although the operator did not remove it. */
type Shown = Omit<Subscription, 'state'> & { readonly state: Subscription['state'] | 'ended' };

const shownEnd = ({ destination, applicationId, isEnveloped }: Endpoint): Shown => ({
  arn: undefined,
  endpoint: destination,
  state: 'ended',
  applicationId,
  isRaw: !isEnveloped,
  hasFilterPolicy: false,
  maxReceivesPerSecond: undefined,
});

const rowOf = (
  { arn, endpoint, state, applicationId, isRaw, maxReceivesPerSecond }: Shown,
  known: Endpoint | undefined,
  undelivered: number | undefined,
) => ({
  application: applicationId,
  endpoint: withoutCredentials(endpoint),
  state,
  form: isRaw === undefined ? undefined : isRaw ? 'raw' : 'enveloped',
  per_second: maxReceivesPerSecond,
  failing_since: known?.failingSince === undefined ? undefined : new Date(known.failingSince).toISOString(),
  // A pending endpoint did not accept the confirmation message.
  last_failure:
    known?.failingSince === undefined && state !== 'pending' ? undefined : known?.lastFailure?.reason,
  undelivered,
  subscription: arn,
});

interface ListOptions {
  readonly application?: string;
  readonly failing?: boolean;
}

const list = () =>
  new Command('list')
    .description(
      'show all endpoints; SNS reports only the address of a pending one, and nothing about an ended one',
    )
    .option('--application <id>', 'only endpoints of this application')
    .option('--failing', 'only endpoints that did not accept their last notification')
    .action(async ({ application: applicationId, failing }: ListOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      const [found, endpoints] = await Promise.all([
        subscriptionsOf(target).list(),
        endpointsOf(target).list(),
      ]);
      const subscribed = endpoints.filter(isSubscribed);
      const known = new Map(subscribed.map((each) => [each.destination, each]));
      const ended = endedOf(endpoints, found).map(shownEnd);
      const shown = [...found, ...ended].filter(
        (each) =>
          (applicationId === undefined || each.applicationId === applicationId) &&
          (failing !== true || known.get(each.endpoint)?.failingSince !== undefined),
      );
      const undelivered = undeliveredOf(target);
      const rows = shown.map(async (each) => {
        const endpoint = known.get(each.endpoint);
        const count =
          endpoint?.redelivery === undefined ? undefined : await undelivered.count(endpoint, countedAtMost);
        return rowOf(each, endpoint, count);
      });
      output.rows(
        [
          'application',
          'endpoint',
          'state',
          'form',
          'per_second',
          'failing_since',
          'last_failure',
          'undelivered',
          'subscription',
        ],
        await Promise.all(rows),
        // Each command that takes a subscription also takes its address.
        { dispensable: ['form', 'per_second', 'subscription'] },
      );
      if (shown.length === 0) await requireApplication(target, applicationId);
      const { filterPolicyQuota } = stageSettings(target.stage).userData;
      const policies = found.filter(({ hasFilterPolicy }) => hasFilterPolicy).length;
      output.remark(`${policies} of ${filterPolicyQuota} filter policies are used.`);
      for (const each of found) {
        const endpoint = known.get(each.endpoint);
        if (each.state === 'pending' || endpoint === undefined || hasOwnFilter(each, endpoint)) continue;
        output.remark(
          `SNS does not filter what it sends to ${withoutCredentials(each.endpoint)} as the endpoint was added: remove it, wait a few minutes, and add it again.`,
        );
      }
    });

const remove = () =>
  new Command('remove')
    .description("end an endpoint's subscription")
    .argument('<subscription>', 'its ARN or its address')
    .option(...yesOption)
    .action(async (named: string, { yes }: { readonly yes?: boolean }, command: Command) => {
      const { target, output } = await operatorOf(command);
      const subscriptions = subscriptionsOf(target);
      const endpoints = endpointsOf(target);
      const ended = endedOf(await endpoints.list(), await subscriptions.list()).find(
        ({ destination }) => destination === named,
      );
      const { arn, endpoint, applicationId } =
        ended === undefined ? await findSubscription(subscriptions, named) : shownEnd(ended);
      await requireConsent({
        question: `Remove ${withoutCredentials(endpoint)} of application ${applicationId ?? '(unknown)'}? The endpoint misses all changes until it is added again.`,
        yes,
      });
      await removeSubscription(
        { subscriptions, endpoints, clock: systemClock },
        { arn, destination: endpoint, applicationId },
      );
      output.fields({ removed: arn, endpoint: withoutCredentials(endpoint) });
    });

export const subscriptions = (): Command =>
  new Command('subscriptions')
    .description("customers' endpoints that receive notifications")
    .addCommand(add())
    .addCommand(list())
    .addCommand(remove());
