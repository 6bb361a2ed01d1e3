import { Command, Option } from 'commander';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { systemClock } from '../../../shared/platform/time/clock.ts';
import { operatorOf } from '../../platform/target/operator.ts';
import { applicationsOf, eventStoreOf } from '../../platform/target/stores.ts';
import { contractApplicationsOf, ticketsOf } from '../tickets/ticket-stores.ts';
import { explainEvent } from './explain-event.ts';
import { viewerKinds } from './viewer-kinds.ts';

interface WhyOptions {
  readonly client: string;
  readonly country?: string;
  readonly viewer: string;
  readonly user?: string;
}

export const why = () =>
  new Command('why')
    .description("explain step by step why a viewer may or may not play an event's stream")
    .argument('<event-id>', 'the event')
    .requiredOption('--client <id>', "the viewer's OIDC client, or its application")
    .option('--country <code>', "the viewer's country, such as DE; without it, the country is unknown")
    .option(
      '--user <user-sub>',
      'with --viewer not-bought: look for tickets of this user, reserved ones and those in wallets',
    )
    .addOption(
      new Option('--viewer <kind>', 'the kind of viewer')
        .choices(Object.keys(viewerKinds))
        .default('anonymous'),
    )
    .action(async (eventId: string, options: WhyOptions, command: Command) => {
      const { target, output } = await operatorOf(command);
      output.fields(
        await explainEvent(
          {
            applications: applicationsOf(target),
            contracts: contractApplicationsOf(target),
            events: dynamoDbEvents(eventStoreOf(target)),
            clock: systemClock,
            tickets: ticketsOf(target),
          },
          { eventId, ...options },
        ),
      );
    });
