import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import * as operations from '../../shared/ott/http/operations.ts';
import { unvoidTokenOperation, voidTokenOperation } from '../../shared/ott/http/void-operations.ts';
import type { StreamCode } from '../../shared/watched.ts';
import type { Applications } from '../applications.ts';
import { alarmsOnCodes, type WatchedCode } from '../constructs/alarm-on-code.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';
import { oidcEnvironment } from '../constructs/oidc-environment.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
import type { Nft } from '../nft/nft.ts';
import type { Wallets } from '../user-data/wallets.ts';
import { OutsideServices } from './outside-services.ts';
import { Playback } from './playback.ts';

const unsigned = {
  SIGNED_PATH_REFUSED: {
    name: 'SignedPathRefused',
    threshold: 1,
    whatGoesWrong:
      "Nobody can play an event: its stream is not signed, because the signature would also open another event's stream.",
    runbook: 'a-stream-is-not-signed',
  },
} satisfies Record<StreamCode, WatchedCode>;

/** Partition keys of what is void, beside the events in the catalogue's table. */
const voidKeys = ['VOID#*'];

export interface OttProps {
  readonly stage: StageConfig;
  readonly api: ServiceApi;
  readonly applications: Applications;
  readonly wallets: Wallets;
  /** Whose a token is, and where it is asked who holds a ticket. */
  readonly nft: Nft;
}

/** The catalogue of events, and the calls that list it, show one event and let it be played. */
export class Ott extends Construct {
  readonly events: MarqueeTable;
  readonly sessions: MarqueeTable;
  /** Decisions of the entitlement service, and which outside service is out. */
  readonly grants: MarqueeTable;

  constructor(scope: Construct, id: string, props: OttProps) {
    super(scope, id);
    const { stage } = props;
    this.events = new MarqueeTable(this, 'Events', {
      stage,
      partitionKey: 'pk',
      globalIndexes: [
        { name: 'by_start', partitionKey: 'shelf', sortKey: 'place' },
        { name: 'lifted_by_start', partitionKey: 'lifted_shelf', sortKey: 'place' },
        { name: 'by_stream', partitionKey: 'stream_host', sortKey: 'stream_path' },
        { name: 'by_signed_path', partitionKey: 'stream_host', sortKey: 'signed_path', holds: 'keys' },
      ],
    });
    // The last decisions of the entitlement service; empty unless the stage uses them to bridge outages.
    this.grants = new MarqueeTable(this, 'Grants', {
      stage,
      partitionKey: 'pk',
      timeToLiveAttribute: 'expires_at',
    });
    // Who plays what is paid, of applications that limit it.
    this.sessions = new MarqueeTable(this, 'Sessions', {
      stage,
      partitionKey: 'pk',
      timeToLiveAttribute: 'expires_at',
    });
    this.addViewerCalls(props);
    this.addVoid(props);
  }

  /** The calls that judge who asks, and ask the outside services about the viewer. */
  private addViewerCalls({ stage, api, applications, wallets, nft }: OttProps): void {
    const { events, sessions, grants } = this;
    const outside = new OutsideServices(this, 'OutsideServices', { stage });
    const playback = new Playback(this, 'Playback', { stage });
    const judging = {
      stage,
      // Verifying signatures, and signing, needs a fast processor: at 1024 MB a cold start takes half the time.
      memorySize: 1024,
      reservedConcurrentExecutions: stage.concurrency?.ott,
    };
    const calling = {
      ...oidcEnvironment(this, stage.oidc),
      ...applications.environment,
      DEFAULT_APPLICATION_ID: stage.ott.defaultApplication,
    };
    const environment = {
      ...calling,
      ...outside.environment,
      EVENTS_TABLE: events.tableName,
      GRANTS_TABLE: grants.tableName,
    };
    const { sessionSeconds, playback: signing } = stage.ott;
    // A lease that outlived its signature would be renewed too late.
    const signedSeconds = signing.signing === 'none' ? sessionSeconds : signing.lifetimeSeconds;
    const playing = {
      SESSIONS_TABLE: sessions.tableName,
      SESSION_SECONDS: String(Math.min(sessionSeconds, signedSeconds)),
    };
    const list = new MarqueeFunction(this, 'ListEvents', {
      ...judging,
      entry: 'ott/list-events',
      description: 'Lists the events that a viewer may see',
      environment: { ...environment, ...applications.cursorEnvironment, PUBLIC_BASE_URL: api.baseUrl },
    });
    const get = new MarqueeFunction(this, 'GetEvent', {
      ...judging,
      entry: 'ott/get-event',
      description: 'Shows one event to a viewer who may see it',
      environment,
    });
    const stream = new MarqueeFunction(this, 'GetStream', {
      ...judging,
      entry: 'ott/get-stream',
      description: 'Gives a viewer who may play an event what is needed for it',
      environment: {
        ...environment,
        ...playing,
        ...playback.environment,
        ...nft.chain.ticketEnvironment,
        ...wallets.environment,
        LAST_KNOWN_GOOD_SECONDS: String(stage.ott.entitlement.lastKnownGoodSeconds),
        TICKET_SECONDS: String(stage.ott.ticketSeconds),
      },
    });
    // It judges who calls, and asks no outside service.
    const end = new MarqueeFunction(this, 'EndStream', {
      stage,
      entry: 'ott/end-stream',
      description: "Ends a viewer's session before its lease does",
      environment: { ...calling, ...playing, ...outside.originEnvironment },
    });
    applications.grantRead(list, get, stream, end);
    outside.grantOrigin(end);
    outside.grantAsk(list, get, stream);
    for (const asking of [list, get, stream]) {
      grants.grantKeys(asking, ['PutItem', 'UpdateItem'], ['SERVICE#*']);
    }
    applications.grantCursors(list);
    events.grantQuery(list, 'by_start', 'lifted_by_start');
    for (const reader of [get, stream]) events.grant(reader, ['GetItem']);
    events.grantKeys(stream, ['BatchGetItem'], voidKeys);
    grants.grant(stream, ['GetItem', 'PutItem']);
    for (const call of [stream, end]) sessions.grant(call, ['GetItem', 'PutItem']);
    nft.chain.grantTickets(stream);
    wallets.grantOwners(stream);
    if (playback.secret !== undefined) {
      stream.allowSecret(playback.secret);
      events.grantQuery(stream, 'by_stream');
    }
    const { origins: credentialedOrigins } = playback;
    api.mount(operations.listEventsOperation, list, { answersHead: true });
    api.mount(operations.getEventOperation, get, { answersHead: true });
    api.mount(operations.getStreamOperation, stream, { answersHead: true, credentialedOrigins });
    api.mount(operations.endStreamOperation, end);
    outside.watch([list, get, stream]);
    alarmsOnCodes(this, { stage, callers: [stream], watched: unsigned });
  }

  /** What customers say of tokens of their own: which ones open nothing. */
  private addVoid({ stage, api, applications, nft }: OttProps): void {
    const voidToken = new MarqueeFunction(this, 'VoidToken', {
      stage,
      entry: 'ott/void-token',
      description: 'Has a token open no event, or lets it open them again',
      environment: {
        ...applications.environment,
        ...nft.tables.readEnvironment,
        EVENTS_TABLE: this.events.tableName,
      },
    });
    applications.grantRead(voidToken);
    nft.tables.grantReadToken(voidToken);
    this.events.grantKeys(voidToken, ['GetItem', 'UpdateItem'], voidKeys);
    api.mount(voidTokenOperation, voidToken);
    api.mount(unvoidTokenOperation, voidToken);
  }
}
