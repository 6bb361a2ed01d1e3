import { ottConfigurationOf } from '../../../shared/ott/configuration.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';
import { type StreamLimitsDependencies, streamLimits } from '../../../shared/ott/sessions/stream-limits.ts';
import { countryCodeSchema } from '../../../shared/ott/viewers/countries.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import type { Applications } from '../../../shared/platform/applications/ports/applications.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { OperatorError, UsageError } from '../../platform/terminal/operator-error.ts';
import { quoted } from '../../platform/terminal/quoted.ts';
import { type ExplainTicketDependencies, explainTicket } from './explain-ticket.ts';
import { viewerKinds } from './viewer-kinds.ts';
import { explainStream } from './why.ts';

export interface ExplainEventDependencies {
  readonly applications: Pick<Applications, 'find' | 'findByClientId'>;
  readonly contracts: StreamLimitsDependencies['contracts'];
  readonly events: Pick<EventRepository, 'find'>;
  readonly clock: Clock;
  /** Used only if the question names a user and the event has tickets. */
  readonly tickets: ExplainTicketDependencies;
}

export interface WhyQuestion {
  readonly eventId: string;
  /** An application, or one of its OIDC clients. */
  readonly client: string;
  /** @default an unknown country */
  readonly country?: string | undefined;
  /** One of `viewerKinds`. */
  readonly viewer: string;
  /** The user whose tickets are looked for. @default no tickets are looked for */
  readonly user?: string | undefined;
}

/** The words of the command that asks the same. */
export const whyWords = ({ eventId, client, country, user, viewer }: WhyQuestion): string =>
  [
    ...['events', 'why', eventId, '--client', client],
    ...(country === undefined ? [] : ['--country', country]),
    ...(user === undefined ? [] : ['--user', user]),
    ...['--viewer', viewer],
  ]
    .map(quoted)
    .join(' ');

const customer = async (
  { applications }: Pick<ExplainEventDependencies, 'applications'>,
  client: string,
): Promise<Application> => {
  const found = (await applications.findByClientId(client)) ?? (await applications.find(client));
  if (found === undefined)
    throw new OperatorError({ message: `There is no client or application ${client}.` });
  return found;
};

/** Explains whether a viewer may play an event's stream and, if not, which check refuses it. */
export const explainEvent = async (
  dependencies: ExplainEventDependencies,
  { eventId, client, country, viewer, user }: WhyQuestion,
) => {
  const kind = Object.hasOwn(viewerKinds, viewer) ? viewerKinds[viewer] : undefined;
  if (kind === undefined) {
    throw new UsageError({ message: `The viewer must be one of ${Object.keys(viewerKinds).join(', ')}.` });
  }
  const code = countryCodeSchema.optional().safeParse(country?.toUpperCase());
  if (!code.success)
    throw new UsageError({ message: `${country} is not a country code: use two letters, such as DE.` });
  const [application, event] = await Promise.all([
    customer(dependencies, client),
    dependencies.events.find(eventId),
  ]);
  if (event === undefined) throw new OperatorError({ message: `There is no event ${eventId}.` });
  const ticket =
    user === undefined || event.tickets === undefined
      ? undefined
      : await explainTicket(dependencies.tickets, { userSub: user, event });
  const configuration = ottConfigurationOf(application);
  const limits = await streamLimits(dependencies, {
    applicationId: application.id,
    configuration,
    event,
  });
  const { verdict, steps } = explainStream(
    event,
    { viewer: kind, configuration, country: code.data },
    { now: dependencies.clock(), limits, ticket },
  );
  const refusal = steps.find(({ outcome }) => outcome === 'refuses');
  return {
    event_id: event.id,
    title: event.title,
    application: application.id,
    country: code.data ?? 'unknown',
    viewer,
    verdict,
    refused_by: refusal?.step,
    steps,
  };
};
