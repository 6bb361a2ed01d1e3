import { once } from 'node:events';
import { ConfirmSubscriptionCommand, SNSClient } from '@aws-sdk/client-sns';
import { Command } from 'commander';
import * as z from 'zod';
import { selectableOperationTypes } from '../../../shared/notifications/messages/message.ts';
import { messageIn } from '../../../shared/notifications/messages/wire-message.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { contractsOf, nftsOf } from '../../nft/chain/stores.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import {
  applicationsOf,
  applicationUserSubsOf,
  endpointsOf,
  getApplication,
  requireCustomer,
  usersOf,
} from '../../platform/target/stores.ts';
import { OperatorError, UsageError } from '../../platform/terminal/operator-error.ts';
import { addSubscription, defaultRetries } from './add-subscription.ts';
import { forwardedText, forwardTarget, forwardTo } from './forward.ts';
import { isListening } from './is-listening.ts';
import { type Heard, isListenerAddress, startListener } from './listen.ts';
import { readSubject } from './read-subject.ts';
import { removeSubscription } from './remove-subscription.ts';
import { subscriptionsOf } from './sns-subscriptions.ts';

const confirmationMilliseconds = 30_000;

interface ListenOptions {
  readonly forwardTo?: string;
  readonly enveloped?: boolean;
}

const envelopeSchema = z.object({ Message: z.string() });

/** The message in SNS's envelope. */
const enclosed = (body: unknown): unknown => {
  const envelope = envelopeSchema.safeParse(body).data;
  return envelope && JSON.parse(envelope.Message);
};

const ended = async (signal: AbortSignal): Promise<void> => {
  await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => once(process, name, { signal })));
};

export const listen = (): Command =>
  new Command('listen')
    .description(
      "print an application's notifications as they arrive, and the data that it can then read, until Ctrl-C; only for the local system",
    )
    .argument('<application>', 'the application')
    .option(
      '--forward-to <address>',
      'an http address of this machine to which each message is passed on, with its headers and body unchanged; SNS gets its answer',
    )
    .option('--enveloped', "receive each message in SNS's signed envelope; without it, only the bare message")
    .action(async (applicationId: string, options: ListenOptions, command: Command) => {
      const { target, output, isJson } = await operatorOf(command);
      const forward =
        options.forwardTo === undefined ? undefined : forwardTo(forwardTarget(options.forwardTo));
      if (!target.isLocal) {
        throw new UsageError({
          message: `SNS cannot reach this machine from stage ${target.stage}. Run examples/receiver behind a public address, and subscribe that address:\n${target.command(`subscriptions add ${applicationId} https://…`)}`,
        });
      }
      const application = requireCustomer(await getApplication(applicationsOf(target), applicationId));
      const sns = new SNSClient(target.aws);
      const topicArn = target.output('TopicArn');
      const subscriptions = subscriptionsOf(target);
      const endpoints = endpointsOf(target);
      const remove = (each: { readonly arn: string | undefined; readonly destination: string }) =>
        removeSubscription({ subscriptions, endpoints, clock: systemClock }, { ...each, applicationId });

      // Removes the subscriptions that earlier listeners left behind because they were killed.
      for (const { endpoint, arn, applicationId: whose } of await subscriptions.list()) {
        const url = URL.parse(endpoint);
        if (url === null || !isListenerAddress(url) || whose !== applicationId) continue;
        if (!(await isListening(url))) await remove({ arn, destination: endpoint });
      }

      const dependencies = {
        users: usersOf(target),
        subs: applicationUserSubsOf(target),
        contracts: contractsOf(target),
        nfts: nftsOf(target),
      };
      const show = async ({ at, messageId, body, forwarded }: Heard): Promise<void> => {
        const message = messageIn(options.enveloped === true ? enclosed(body) : body);
        const read = message && (await readSubject(dependencies, { application, message }));
        if (isJson) {
          const row = {
            at: at.toISOString(),
            message_id: messageId,
            message: body as object,
            read,
            ...(forwarded && { forwarded }),
          };
          output.lines(Object.keys(row), [row]);
          return;
        }
        output.bare(`${at.toLocaleTimeString('en-GB')}  ${JSON.stringify(body)}`);
        if (forwarded !== undefined) {
          output.bare(`          ${options.forwardTo} ${forwardedText(forwarded)}`);
        }
        output.bare(
          read === undefined ? '          nothing to read' : `          reads ${JSON.stringify(read)}`,
        );
      };
      const listener = await startListener({
        forward,
        confirm: (Token) => sns.send(new ConfirmSubscriptionCommand({ TopicArn: topicArn, Token })),
        onMessage: (heard) => {
          show(heard).catch((error: unknown) =>
            output.remark(
              `The data of a notification could not be read: ${error instanceof Error ? error.message : error}`,
            ),
          );
        },
      });
      const stopped = new AbortController();
      const interrupted = ended(stopped.signal);
      let arn: string | undefined;
      try {
        ({ arn } = await addSubscription({
          application,
          subscriptions,
          endpoints,
          clock: systemClock,
          filterPolicyQuota: stageSettings(target.stage).userData.filterPolicyQuota,
          order: {
            endpoint: listener.url,
            isEnveloped: options.enveloped ?? false,
            operationTypes: selectableOperationTypes,
            retries: defaultRetries,
            maxReceivesPerSecond: undefined,
            deadLetterQueueArn: target.output('DeadLetterQueueArn'),
          },
        }));
        const late = AbortSignal.timeout(confirmationMilliseconds);
        const isConfirmed = await Promise.race([
          listener.confirmed.then(() => true),
          interrupted.then(() => false),
          once(late, 'abort').then(() => {
            throw new OperatorError({ message: 'SNS sent no confirmation message within 30 s.' });
          }),
        ]);
        if (isConfirmed) {
          output.remark(`Listening for ${applicationId} at ${listener.url}. Ctrl-C ends it.`);
          await interrupted;
        }
      } finally {
        stopped.abort();
        await remove({ arn, destination: listener.url });
        await listener.stop();
      }
      // Open connections to the stage would keep the process alive.
      process.exit(0);
    });
