import { endStreamHandler } from '../../../functions/ott/end-stream/handler.ts';
import { getEventHandler } from '../../../functions/ott/get-event/handler.ts';
import { getStreamHandler } from '../../../functions/ott/get-stream/handler.ts';
import { listEventsHandler } from '../../../functions/ott/list-events/handler.ts';
import { unsignedPlayback } from '../../../shared/ott/aws/playback-signer.ts';
import {
  endStreamOperation,
  getEventOperation,
  getStreamOperation,
  listEventsOperation,
} from '../../../shared/ott/http/operations.ts';
import type { ContractApplications } from '../../../shared/ott/ports/contract-applications.ts';
import type { EntitlementService } from '../../../shared/ott/ports/entitlement.ts';
import type { EventRepository } from '../../../shared/ott/ports/event-repository.ts';
import type { GeolocationService } from '../../../shared/ott/ports/geolocation.ts';
import type { PlaybackSigner } from '../../../shared/ott/ports/playback-signer.ts';
import type { StreamSessions } from '../../../shared/ott/sessions/stream-sessions.ts';
import { createRenewals } from '../../../shared/ott/streams/renewal.ts';
import type { CheckTicketsDependencies } from '../../../shared/ott/tickets/check-tickets.ts';
import type { IdentifyCallerDependencies } from '../../../shared/ott/viewers/caller.ts';
import { type LocateRequest, locateByPeer } from '../../../shared/ott/viewers/request-location.ts';
import type { Application } from '../../../shared/platform/applications/application.ts';
import { operationFunction } from '../../../shared/platform/http/operation-function.ts';
import { type Logger, logger } from '../../../shared/platform/logger.ts';
import type { Clock } from '../../../shared/platform/time/clock.ts';
import { type ApiEventProps, aContext, anApiEvent } from './api-event.ts';
import { inMemoryApplications, plainTokens, toldEntitlement, toldGeolocation } from './in-memory.ts';

// The tests provoke thousands of refusals. Other tests cover what is logged about a refusal.
logger.setLogLevel('SILENT');

export interface OttCallsProps {
  readonly events: EventRepository;
  readonly applications: readonly Application[];
  /** @default 'fan-app' */
  readonly defaultApplicationId?: string | undefined;
  /** @default everyone may play, nobody is VIP */
  readonly entitlement?: EntitlementService;
  /** @default no country is known */
  readonly geolocation?: GeolocationService;
  readonly locate?: LocateRequest;
  readonly signer?: PlaybackSigner;
  /** @default tickets open nothing */
  readonly tickets?: CheckTicketsDependencies;
  /** @default streams are not counted */
  readonly sessions?: StreamSessions;
  /** @default no application has deployed a contract */
  readonly contracts?: ContractApplications;
  readonly readBudget?: number;
  /** How long signatures and leases live. @default 300 */
  readonly lifeSeconds?: number;
  /** Draws when pages renew their streams. @default Math.random */
  readonly random?: () => number;
  /** @default one hour after `anEvent` starts */
  readonly clock?: Clock;
  /** @default nothing is logged */
  readonly logger?: Pick<Logger, 'error'>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly multiValueHeaders: Readonly<Record<string, readonly unknown[]>>;
  /** The bytes. */
  readonly text: string;
  readonly body: unknown;
}

type Call = (request?: ApiEventProps) => Promise<Answer>;

export interface OttCalls {
  list: Call;
  get(eventId: string, request?: ApiEventProps): Promise<Answer>;
  stream(eventId: string, request?: ApiEventProps): Promise<Answer>;
  end(eventId: string, request?: ApiEventProps): Promise<Answer>;
}

/** The four API functions as Lambda runs them, from API Gateway's event to the result, with the given ports. */
export const ottCalls = (props: OttCallsProps): OttCalls => {
  const { events, applications, signer = unsignedPlayback } = props;
  const callers: IdentifyCallerDependencies = {
    verifyAccessToken: plainTokens,
    applications: inMemoryApplications(applications),
    defaultApplicationId: 'defaultApplicationId' in props ? props.defaultApplicationId : 'fan-app',
    locate: props.locate ?? locateByPeer,
  };
  const context = {
    entitlement: props.entitlement ?? toldEntitlement(() => ({ outcome: 'success', vip: false })),
    geolocation: props.geolocation ?? toldGeolocation(() => ({})),
  };
  const clock = props.clock ?? (() => Date.parse('2026-05-01T19:00:00Z'));
  const dependencies = { callers, context, events, clock };
  const functions = {
    list: operationFunction(
      listEventsOperation,
      listEventsHandler({
        ...dependencies,
        readCursorSecret: async () => 'a secret of at least thirty-two letters',
        ...(props.readBudget !== undefined && { readBudget: props.readBudget }),
      }),
    ),
    get: operationFunction(getEventOperation, getEventHandler(dependencies)),
    stream: operationFunction(
      getStreamOperation,
      getStreamHandler({
        ...dependencies,
        signer,
        tickets: props.tickets,
        sessions: props.sessions && {
          ...props.sessions,
          contracts: props.contracts ?? { applicationOf: async () => undefined },
          applications: callers.applications,
        },
        renewalOf: createRenewals({
          clock,
          random: props.random ?? Math.random,
          lifeSeconds: props.lifeSeconds ?? 300,
        }),
        logger: props.logger ?? { error: () => {} },
      }),
    ),
    end: operationFunction(
      endStreamOperation,
      endStreamHandler({ callers, sessions: props.sessions ?? { end: async () => {} } }),
    ),
  };
  const call = async (name: keyof typeof functions, request: ApiEventProps): Promise<Answer> => {
    const result = await functions[name](anApiEvent(request), aContext());
    return {
      status: result.statusCode,
      headers: result.headers ?? {},
      multiValueHeaders: result.multiValueHeaders ?? {},
      text: result.body,
      body: result.body === '' ? undefined : JSON.parse(result.body),
    };
  };
  return {
    list: (request = {}) => call('list', request),
    get: (event_id, request = {}) => call('get', { ...request, path: { event_id } }),
    stream: (event_id, request = {}) => call('stream', { ...request, path: { event_id } }),
    end: (event_id, request = {}) => call('end', { method: 'POST', ...request, path: { event_id } }),
  };
};
