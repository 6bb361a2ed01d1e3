/** The functions that show events, hand out streams and end sessions, with simulated parts in place of AWS and outside services. */

import { generateKeyPairSync } from 'node:crypto';
import { sessionsOf } from '../../../functions/ott/dependencies.ts';
import { endStreamHandler } from '../../../functions/ott/end-stream/handler.ts';
import { getEventHandler } from '../../../functions/ott/get-event/handler.ts';
import { getStreamHandler } from '../../../functions/ott/get-stream/handler.ts';
import { listEventsHandler } from '../../../functions/ott/list-events/handler.ts';
import { callingApplications } from '../../../functions/platform/dependencies.ts';
import { signedCookies, unsignedPlayback } from '../../../shared/ott/aws/playback-signer.ts';
import type { EntitlementAnswer } from '../../../shared/ott/ports/entitlement.ts';
import { dynamoDbEvents } from '../../../shared/ott/store/events.ts';
import { withPartitionHeads } from '../../../shared/ott/store/partition-heads.ts';
import { createRenewals } from '../../../shared/ott/streams/renewal.ts';
import type { CheckTicketsDependencies } from '../../../shared/ott/tickets/check-tickets.ts';
import type { Country } from '../../../shared/ott/viewers/countries.ts';
import { locateByPeer } from '../../../shared/ott/viewers/request-location.ts';
import { handlerLifetimeMilliseconds } from '../../../shared/platform/time/handler-lifetime.ts';
import { type FunctionSurroundings, simulatedFunction } from '../functions.ts';
import type { Process } from '../process.ts';
import type { Store } from '../store.ts';
import { between, hexOf } from '../streams.ts';
import { surroundingsOf } from '../surroundings.ts';

export const sessionSeconds = 300;
export const environment = {
  APPLICATIONS_TABLE: 'Applications',
  EVENTS_TABLE: 'Events',
  SESSIONS_TABLE: 'Sessions',
  SESSION_SECONDS: sessionSeconds,
} as const;

/** The shortest key that can sign: nobody checks the signatures. */
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 512,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

class DeadlinePassed extends Error {
  override readonly name = 'TimeoutError';
}

export type Streaming = ReturnType<typeof createStreaming>;

interface StreamingOptions extends FunctionSurroundings {
  /** How long the shortest signature lives. @default as long as a lease */
  readonly lifeSeconds?: number;
  readonly store: Store;
  /** The entitlement service's answer about a user. @default everybody has bought everything */
  readonly entitlementOf?: (userSub: string) => EntitlementAnswer;
  /** The country of an address. @default everybody is in DE */
  readonly countryOf?: (address: string) => Country;
  /** Whether the stage signs streams when a call begins. @default always */
  readonly isSigned?: () => boolean;
  /** @default tickets give no access */
  readonly ticketsOf?: (
    process: Process,
    surroundings: ReturnType<typeof surroundingsOf>,
  ) => CheckTicketsDependencies;
}

export const createStreaming = (options: StreamingOptions) => {
  const { streams, faults, ticketsOf, lifeSeconds = sessionSeconds, countryOf = () => 'DE' } = options;
  const { isSigned = () => true } = options;
  const { entitlementOf = (): EntitlementAnswer => ({ outcome: 'success', vip: false }) } = options;

  const dependenciesOf = (process: Process) => {
    const surroundings = surroundingsOf(process, options);
    const { client, clock, logger, wait } = surroundings;
    const random = () => streams.of(`renewals @ ${process.task}`)();
    const applications = callingApplications(environment, client, clock);
    const within = <Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> =>
      Promise.race([
        work(),
        process.after(milliseconds, (): Result => {
          throw new DeadlinePassed('The deadline of the call has passed');
        }),
      ]);
    return {
      callers: {
        verifyAccessToken: async (header = '') => {
          const [sub = '', clientId] = header.split(' ');
          return { sub, clientId };
        },
        applications,
        defaultApplicationId: undefined,
        locate: locateByPeer,
      },
      events: dynamoDbEvents({ client, tableName: environment.EVENTS_TABLE }),
      context: {
        entitlement: {
          check: async ({ userSub }: { readonly userSub: string }) => {
            const isSilent = faults.strike('entitlement: does not answer', process.task);
            await wait(isSilent ? 1_500 : between(streams.of(`entitlement @ ${process.task}`), 20, 200));
            return isSilent ? ({ outcome: 'unavailable' } as const) : entitlementOf(userSub);
          },
        },
        geolocation: {
          countryOf: async (address: string) =>
            ({ outcome: 'answered', country: countryOf(address) }) as const,
        },
      },
      signer: signedCookies({
        secret: { read: async () => ({ key_pair_id: 'key', private_key: privateKey }) },
        lifetimeSeconds: sessionSeconds,
        clock,
        domain: 'example.com',
      }),
      ...(ticketsOf !== undefined && { tickets: ticketsOf(process, surroundings) }),
      sessions: {
        ...sessionsOf(environment, {
          client,
          clock,
          logger,
          newContinuation: () => hexOf(streams.of(`continuations @ ${process.task}`), 12),
          within,
        }),
        contracts: { applicationOf: async () => undefined },
        applications,
      },
      clock,
      renewalOf: createRenewals({ clock, random, lifeSeconds }),
      logger,
    };
  };

  const calls = { timeoutMilliseconds: handlerLifetimeMilliseconds };
  return {
    list: simulatedFunction(options, {
      ...calls,
      name: 'list',
      make: (process) => {
        const { events, ...dependencies } = dependenciesOf(process);
        return listEventsHandler({
          ...dependencies,
          events: withPartitionHeads(events, { clock: process.clock }),
          readCursorSecret: async () => 'a secret of at least thirty-two letters',
        });
      },
    }),
    show: simulatedFunction(options, {
      ...calls,
      name: 'show',
      make: (process) => getEventHandler(dependenciesOf(process)),
    }),
    stream: simulatedFunction(options, {
      ...calls,
      name: 'stream',
      make: (process) => {
        const { tickets, sessions, ...dependencies } = dependenciesOf(process);
        const signed = getStreamHandler({ ...dependencies, tickets, sessions });
        const unsigned = getStreamHandler({ ...dependencies, signer: unsignedPlayback });
        return (request: Parameters<typeof signed>[0]) => (isSigned() ? signed : unsigned)(request);
      },
    }),
    end: simulatedFunction(options, {
      ...calls,
      name: 'end',
      make: (process) => endStreamHandler(dependenciesOf(process)),
    }),
  };
};
