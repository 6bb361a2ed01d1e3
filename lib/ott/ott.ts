import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { StageConfig } from '../../config/stage.ts';
import {
  endStreamOperation,
  getEventOperation,
  getStreamOperation,
  listEventsOperation,
} from '../../shared/ott/http/operations.ts';
import { unvoidTokenOperation, voidTokenOperation } from '../../shared/ott/http/void-operations.ts';
import type { StreamCode } from '../../shared/watched.ts';
import { alarmsOnCodes, type WatchedCode } from '../constructs/alarm-on-code.ts';
import { MarqueeFunction } from '../constructs/marquee-function.ts';
import { MarqueeTable } from '../constructs/marquee-table.ts';
import { oidcEnvironment } from '../constructs/oidc-environment.ts';
import type { ServiceApi } from '../constructs/service-api.ts';
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

/** Of the catalogue's table only what is void. */
const voidKeys = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['VOID#*'] } };

export interface OttProps {
  readonly stage: StageConfig;
  readonly api: ServiceApi;
  readonly applications: MarqueeTable;
  readonly cursorSecret: ISecret;
  /** Where it is asked who holds a ticket. */
  readonly ticketEndpoints: ISecret;
  readonly users: MarqueeTable;
  readonly wallets: Wallets;
  /** Of whom a token is. */
  readonly contracts: MarqueeTable;
  readonly nfts: MarqueeTable;
}

/** The catalogue of events, and the calls that list it, show one event and let it be played. */
export class Ott extends Construct {
  readonly events: MarqueeTable;
  readonly sessions: MarqueeTable;
  /** Decisions of the entitlement service, and which outside service is out. */
  readonly grants: MarqueeTable;

  constructor(scope: Construct, id: string, props: OttProps) {
    super(scope, id);
    const { stage, api, cursorSecret, ticketEndpoints, users, wallets } = props;
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
    const outside = new OutsideServices(this, 'OutsideServices', { stage });
    const playback = new Playback(this, 'Playback', { stage });

    const list = this.addCall('ListEvents', {
      ...props,
      outside,
      entry: 'ott/list-events',
      description: 'Lists the events that a viewer may see',
      environment: { CURSOR_SECRET_ARN: cursorSecret.secretArn, PUBLIC_BASE_URL: api.baseUrl },
    });
    list.allow({
      actions: ['dynamodb:Query'],
      resources: [this.events.indexArn('by_start'), this.events.indexArn('lifted_by_start')],
    });
    list.allowSecret(cursorSecret);

    const get = this.addCall('GetEvent', {
      ...props,
      outside,
      entry: 'ott/get-event',
      description: 'Shows one event to a viewer who may see it',
    });
    const stream = this.addCall('GetStream', {
      ...props,
      outside,
      entry: 'ott/get-stream',
      description: 'Gives a viewer who may play an event what is needed for it',
      environment: {
        ...playback.environment,
        LAST_KNOWN_GOOD_SECONDS: String(stage.ott.entitlement.lastKnownGoodSeconds),
        CHAIN_ID: String(stage.nft.chainId),
        CHAIN_SECRET_ARN: ticketEndpoints.secretArn,
        TICKET_SECONDS: String(stage.ott.ticketSeconds),
        ...this.sessionEnvironment(stage),
        USERS_TABLE: users.tableName,
        WALLETS_TABLE: wallets.table.tableName,
      },
    });
    stream.allowSecret(ticketEndpoints);
    wallets.allowOwners(stream, users);
    stream.allow({
      actions: ['dynamodb:BatchGetItem'],
      resources: [this.events.tableArn],
      conditions: voidKeys,
    });
    stream.allow({ actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resources: [this.grants.tableArn] });
    for (const reader of [get, stream]) {
      reader.allow({ actions: ['dynamodb:GetItem'], resources: [this.events.tableArn] });
    }
    if (playback.secret !== undefined) {
      stream.allowSecret(playback.secret);
      stream.allow({ actions: ['dynamodb:Query'], resources: [this.events.indexArn('by_stream')] });
    }

    const end = this.addEnd(props, outside);
    for (const call of [stream, end]) {
      call.allow({ actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resources: [this.sessions.tableArn] });
    }

    api.mount(listEventsOperation, list, { answersHead: true });
    api.mount(getEventOperation, get, { answersHead: true });
    api.mount(getStreamOperation, stream, { answersHead: true, credentialedOrigins: playback.origins });
    this.addVoid(props);
    api.mount(endStreamOperation, end);
    outside.watch([list, get, stream]);
    alarmsOnCodes(this, { stage, callers: [stream], watched: unsigned });
  }

  /** What customers say of tokens of their own: which ones open nothing. */
  private addVoid({ stage, api, applications, contracts, nfts }: OttProps): void {
    const voidToken = new MarqueeFunction(this, 'VoidToken', {
      stage,
      entry: 'ott/void-token',
      description: 'Has a token open no event, or lets it open them again',
      environment: {
        APPLICATIONS_TABLE: applications.tableName,
        CONTRACTS_TABLE: contracts.tableName,
        NFTS_TABLE: nfts.tableName,
        EVENTS_TABLE: this.events.tableName,
      },
    });
    voidToken.allow({
      actions: ['dynamodb:GetItem'],
      resources: [applications.tableArn, contracts.tableArn, nfts.tableArn],
    });
    voidToken.allow({
      actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
      resources: [this.events.tableArn],
      conditions: voidKeys,
    });
    api.mount(voidTokenOperation, voidToken);
    api.mount(unvoidTokenOperation, voidToken);
  }

  /** The call that ends a session: it judges who calls, and asks no outside service. */
  private addEnd({ stage, applications }: OttProps, outside: OutsideServices): MarqueeFunction {
    const end = new MarqueeFunction(this, 'EndStream', {
      stage,
      entry: 'ott/end-stream',
      description: "Ends a viewer's session before its lease does",
      environment: {
        ...this.callerEnvironment(stage, applications),
        ...outside.originEnvironment,
        ...this.sessionEnvironment(stage),
      },
    });
    end.allow({ actions: ['dynamodb:GetItem'], resources: [applications.tableArn] });
    if (outside.originVerifySecret !== undefined) end.allowSecret(outside.originVerifySecret);
    return end;
  }

  private sessionEnvironment({ ott: { sessionSeconds, playback } }: StageConfig) {
    // A lease that outlived its signature would be renewed too late.
    const signedSeconds = playback.signing === 'none' ? sessionSeconds : playback.lifetimeSeconds;
    return {
      SESSIONS_TABLE: this.sessions.tableName,
      SESSION_SECONDS: String(Math.min(sessionSeconds, signedSeconds)),
    };
  }

  private callerEnvironment(stage: StageConfig, applications: MarqueeTable) {
    const { defaultApplication } = stage.ott;
    return {
      ...oidcEnvironment(this, stage.oidc),
      APPLICATIONS_TABLE: applications.tableName,
      ...(defaultApplication !== undefined && { DEFAULT_APPLICATION_ID: defaultApplication }),
    };
  }

  /** A function that judges callers and asks the outside services about them. */
  private addCall(
    id: string,
    call: OttProps & {
      readonly outside: OutsideServices;
      readonly entry: string;
      readonly description: string;
      readonly environment?: Readonly<Record<string, string>>;
    },
  ): MarqueeFunction {
    const { stage, applications, outside, entry, description } = call;
    const caller = new MarqueeFunction(this, id, {
      stage,
      entry,
      description,
      // Verifying signatures, and signing, needs a fast processor: at 1024 MB a cold start takes half the time.
      memorySize: 1024,
      reservedConcurrentExecutions: stage.concurrency?.ott,
      environment: {
        ...this.callerEnvironment(stage, applications),
        ...outside.environment,
        EVENTS_TABLE: this.events.tableName,
        GRANTS_TABLE: this.grants.tableName,
        ...call.environment,
      },
    });
    caller.allow({ actions: ['dynamodb:GetItem'], resources: [applications.tableArn] });
    caller.allow({
      actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
      resources: [this.grants.tableArn],
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SERVICE#*'] } },
    });
    for (const secret of outside.secrets) caller.allowSecret(secret);
    return caller;
  }
}
