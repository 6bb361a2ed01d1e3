import { Duration } from 'aws-cdk-lib';
import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { catalogueOperations } from '../../shared/ott/http/catalogue-operations.ts';
import * as operations from '../../shared/ott/http/operations.ts';
import { unvoidTokenOperation, voidTokenOperation } from '../../shared/ott/http/void-operations.ts';
import type { StreamCode } from '../../shared/platform/watched.ts';
import type { Nft } from '../nft/nft.ts';
import type { Applications } from '../platform/applications.ts';
import { alarmsOnCodes } from '../platform/constructs/function-alarms.ts';
import { MarqueeFunction } from '../platform/constructs/marquee-function.ts';
import { MarqueeTable } from '../platform/constructs/marquee-table.ts';
import { oidcEnvironment, stageOf } from '../platform/constructs/stage.ts';
import { schedule } from '../platform/constructs/triggers.ts';
import type { Wallets } from '../wallets/wallets.ts';
import { OutsideServices } from './outside-services.ts';
import { addPlayback } from './playback.ts';

/** Patterns of the partition keys of the events table, by what the items are. */
const eventKeys = ['EVENT#*'];
const categoryKeys = ['CATEGORY#*'];
const historyKeys = ['HISTORY#*'];
const pathKeys = ['PATHS#*'];
const editCountKeys = ['EDITS#*'];
const voidKeys = ['VOID#*'];

/**
 * The catalogue of events, and the calls with which viewers list events, read one event and play it. The contracts of
 * tickets, and the RPC endpoints for questions about who holds a ticket, belong to the NFT area.
 */
export class Ott extends Construct {
  readonly events = new MarqueeTable(this, 'Events', 'EVENTS_TABLE', {
    keys: ['pk'],
    // The publisher of events compares what applications could see before and after a change.
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    globalIndexes: [
      { name: 'by_start', keys: ['shelf', 'place'] },
      { name: 'lifted_by_start', keys: ['lifted_shelf', 'place'] },
      { name: 'by_stream', keys: ['stream_host', 'stream_path'] },
      { name: 'by_signed_path', keys: ['stream_host', 'signed_path'], keysOnly: true },
      { name: 'by_change_due', keys: ['change_queue', 'change_due'] },
    ],
  });
  /**
   * Stores outages of other services. If `ott.entitlement` bridges outages, also stores the entitlement service's last
   * answers.
   */
  readonly grants = new MarqueeTable(this, 'Grants', 'GRANTS_TABLE', {
    keys: ['pk'],
    timeToLiveAttribute: 'expires_at',
  });
  /** The sessions of viewers who are playing paid streams, for applications that limit the number of streams. */
  readonly sessions = new MarqueeTable(this, 'Sessions', 'SESSIONS_TABLE', {
    keys: ['pk'],
    timeToLiveAttribute: 'expires_at',
  });
  readonly outside = new OutsideServices(this, 'OutsideServices');

  constructor(scope: Construct, id: string, applications: Applications, nft: Nft, { owners }: Wallets) {
    super(scope, id);
    this.addViewerCalls(applications, nft, owners);
    this.addSchedules();
    this.addEditorCalls(applications, nft);
    new MarqueeFunction(this, 'ott/void-token', {
      serves: [voidTokenOperation, unvoidTokenOperation],
      description: 'Makes a token void, or valid again',
      may: [
        applications.read,
        ...nft.tables.readToken,
        this.events.mayOn(voidKeys, 'GetItem', 'UpdateItem'),
        nft.tables.tell,
      ],
    });
  }

  /** Nobody who decides waits for this function: it only keeps the index of the lists up to date. */
  private addSchedules(): void {
    const { events } = this;
    const apply = new MarqueeFunction(this, 'ott/apply-schedules', {
      description: 'Stores the status that events take by their schedules',
      whatGoesWrong:
        'Lists get slower with each event whose scheduled status is not stored. What viewers see and play is still right.',
      severity: 'ticket',
      timeout: Duration.seconds(50),
      memorySize: 1024,
      may: [
        events.mayQuery('by_change_due'),
        events.mayOn(eventKeys, 'BatchGetItem'),
        events.mayOn([...eventKeys, ...categoryKeys], 'UpdateItem'),
        events.mayOn(historyKeys, 'PutItem'),
      ],
    });
    schedule(this, 'Schedules', apply, Duration.minutes(1), 'Stores statuses that are due');
  }

  /** The calls of editors have a concurrency of their own, so that they cannot take that of the viewers' calls. */
  private addEditorCalls(applications: Applications, { chain }: Nft): void {
    const { events } = this;
    const { ott, concurrency } = stageOf(this);
    new MarqueeFunction(this, 'ott/edit-catalogue', {
      serves: catalogueOperations,
      description: 'Lets editors read and change the catalogue of events',
      memorySize: 1024,
      reservedConcurrentExecutions: concurrency?.editing,
      environment: {
        ...chain.chainId,
        PLAYBACK_SIGNING: ott.playback.signing,
      },
      may: [
        applications.read,
        applications.cursors,
        chain.readTicketEndpoints,
        events.mayOn(eventKeys, 'GetItem'),
        events.mayOn([...eventKeys, ...historyKeys, ...pathKeys], 'BatchGetItem'),
        events.mayOn([...eventKeys, ...categoryKeys], 'DeleteItem', 'UpdateItem'),
        events.mayOn([...historyKeys, ...pathKeys], 'PutItem'),
        events.mayOn(editCountKeys, 'PutItem', 'UpdateItem'),
        events.mayQuery('by_start', 'by_signed_path'),
      ],
    });
  }

  /** Adds the calls that identify the viewer and query the entitlement and geolocation services about the viewer. */
  private addViewerCalls(applications: Applications, nft: Nft, readOwners: Wallets['owners']): void {
    const { events, sessions, grants } = this;
    const { ott, concurrency } = stageOf(this);
    const { outside } = this;
    const playback = addPlayback(new Construct(this, 'Playback'));
    const calling = { ...oidcEnvironment(this), DEFAULT_APPLICATION_ID: ott.defaultApplication };
    // A page gets a new signature when it renews its session, so a session must end before its signature expires.
    const signedSeconds = ott.playback.signing === 'none' ? ott.sessionSeconds : ott.playback.lifetimeSeconds;
    const playing = { SESSION_SECONDS: String(Math.min(ott.sessionSeconds, signedSeconds)) };
    const judging = {
      // Creating and verifying signatures needs a fast processor, and more memory brings a faster processor: with
      // 1,024 MB a cold start takes half the time.
      memorySize: 1024,
      reservedConcurrentExecutions: concurrency?.ott,
      environment: { ...calling, ...outside.environment },
      may: [
        applications.read,
        outside.askEntitlement,
        ...outside.askCountry,
        ...outside.readOrigin,
        grants.mayOn(['SERVICE#*'], 'GetItem', 'PutItem', 'UpdateItem'),
      ] as const,
    };
    const list = new MarqueeFunction(this, 'ott/list-events', {
      ...judging,
      reservedConcurrentExecutions: concurrency?.lists,
      serves: [operations.listEventsOperation],
      may: [
        ...judging.may,
        applications.cursors,
        events.mayQuery('by_start', 'lifted_by_start', 'by_change_due'),
      ],
    });
    const get = new MarqueeFunction(this, 'ott/get-event', {
      ...judging,
      serves: [operations.getEventOperation],
      may: [...judging.may, events.mayOn(eventKeys, 'GetItem')],
    });
    const stream = new MarqueeFunction(this, 'ott/get-stream', {
      ...judging,
      serves: [operations.getStreamOperation],
      credentialedOrigins: playback.origins,
      environment: {
        ...judging.environment,
        ...playing,
        ...playback.environment,
        ...nft.chain.chainId,
        LAST_KNOWN_GOOD_SECONDS: String(ott.entitlement.lastKnownGoodSeconds),
        TICKET_SECONDS: String(ott.ticketSeconds),
      },
      may: [
        ...judging.may,
        events.mayOn(eventKeys, 'GetItem'),
        events.mayOn(voidKeys, 'BatchGetItem'),
        grants.may('GetItem', 'PutItem'),
        sessions.may('GetItem', 'PutItem', 'UpdateItem'),
        nft.chain.readTicketEndpoints,
        nft.tables.findApplication,
        ...nft.tables.findHeld,
        ...readOwners,
        ...(playback.secret === undefined ? [] : [playback.secret.read, events.mayQuery('by_stream')]),
      ],
    });
    // This call identifies the viewer, but queries neither the entitlement service nor the geolocation service.
    new MarqueeFunction(this, 'ott/end-stream', {
      serves: [operations.endStreamOperation],
      environment: { ...calling, ...playing },
      may: [applications.read, ...outside.readOrigin, sessions.may('GetItem', 'PutItem', 'UpdateItem')],
    });
    alarmsOnCodes(outside, [list, get, stream], outside.outages);
    alarmsOnCodes<StreamCode>(this, [stream], {
      SIGNED_PATH_REFUSED: {
        whatGoesWrong:
          "Nobody can play an event: its stream is not signed, because the signature would also open another event's stream.",
        runbook: 'a-stream-is-not-signed',
        severity: 'page',
      },
    });
  }
}
