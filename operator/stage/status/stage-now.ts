import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { SQSClient } from '@aws-sdk/client-sqs';
import { formatEther, formatGwei } from 'viem/utils';
import type { EditCounts } from '../../../shared/ott/ports/edit-counts.ts';
import { dynamoDbEditCounts } from '../../../shared/ott/store/edit-counts.ts';
import { isOver, type Outage } from '../../../shared/platform/store/outages.ts';
import { type Clock, systemClock } from '../../../shared/platform/time/clock.ts';
import { watchedCalls } from '../../../shared/platform/watched.ts';
import { stageChain } from '../../nft/chain/stage-chain.ts';
import { stageSettings } from '../../platform/target/stage-settings.ts';
import { endpointsOf, eventStoreOf, outagesOf, undeliveredOf } from '../../platform/target/stores.ts';
import type { Target } from '../../platform/target/target.ts';
import { nothingUnlessDenied } from '../../platform/terminal/access-denied.ts';
import {
  type Measured,
  type MetricsReader,
  metricsReader,
  type Point,
  sumSince,
} from '../metrics/read-metrics.ts';
import { guardedServices, outsideServices, stageMetrics } from '../metrics/stage-metrics.ts';
import { serviceTrial } from '../secrets/service-trial.ts';
import { alarmsNow } from './alarms-now.ts';
import { type AskServicesDependencies, outageFinder } from './ask-services.ts';
import { endpointsNow } from './endpoints-now.ts';
import { queueDepth } from './queues-now.ts';
import { type SignerNow, type SignersNowDependencies, signersNow } from './signers-now.ts';

const recentMilliseconds = 5 * 60_000;
/**
 * A service counts as down for this long after each failure, even if other calls succeed. Functions repeat the report of
 * a failure every 3 seconds.
 */
const outMilliseconds = 10_000;
const hourMilliseconds = 60 * 60_000;

/**
 * How many days a signer's coins last at the rate of the last hour. `undefined` if nothing was spent or measured in
 * that hour.
 */
export const daysLeft = (balances: readonly Point[] | undefined, now: Point): number | undefined => {
  const measured = (balances ?? []).filter(({ at }) => at >= now.at - hourMilliseconds && at <= now.at);
  const [first] = measured;
  if (first === undefined) return undefined;
  const all = [...measured, now];
  // Only decreases of the balance are added up, so a deposit does not count as negative spending.
  const spent = all.reduce(
    (sum, { value }, index) => sum + Math.max(0, (all[index - 1]?.value ?? value) - value),
    0,
  );
  const days = (now.at - first.at) / (24 * hourMilliseconds);
  return spent === 0 || days === 0 ? undefined : now.value / (spent / days);
};

/** Since when a signer's balance has been below `lowBalance`. `balances` are the measured balances, oldest first. */
export const lowSince = (balances: readonly Point[] | undefined, lowBalance: number): string | undefined => {
  const measured = balances ?? [];
  const first = measured[measured.findLastIndex(({ value }) => value >= lowBalance) + 1];
  return first && new Date(first.at).toISOString();
};

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/**
 * What the reports of functions say about an outside service. `out_since` is set until a call has succeeded that began
 * after the last failure. `over_since` is when that call began.
 */
export const outageFields = (
  outage: Outage | undefined,
  now: number,
): Readonly<Record<'out_since' | 'last_failure' | 'over_since', string | undefined>> => {
  if (outage === undefined) return { out_since: undefined, last_failure: undefined, over_since: undefined };
  const { since, lastAt, answeredAt } = outage;
  const isOut = now - lastAt < outMilliseconds || !isOver(outage);
  return {
    out_since: isOut ? isoTime(since) : undefined,
    last_failure: isoTime(lastAt),
    over_since: isOut ? undefined : isoTime(answeredAt),
  };
};

/**
 * Until when viewers can play on because the entitlement service granted it before its outage. `undefined` if none can,
 * or without an outage.
 */
export const rememberedUntil = (
  outage: Outage | undefined,
  { lastKnownGoodSeconds, now }: { readonly lastKnownGoodSeconds: number; readonly now: number },
): string | undefined => {
  if (outage === undefined || isOver(outage)) return undefined;
  const until = Math.max(outage.since, outage.answeredAt) + lastKnownGoodSeconds * 1_000;
  return until > now ? isoTime(until) : undefined;
};

/**
 * Whether the circuit of an outside service is open. Function environments report 1 while it is open and 0 when it
 * closes. Each point is the average of the reports in one minute.
 */
export const circuitOpen = (told: readonly Point[] | undefined, since: number): 'yes' | 'at times' | 'no' => {
  const young = (told ?? []).filter(({ at }) => at >= since);
  if (young.at(-1)?.value === 1) return 'yes';
  return young.some(({ value }) => value > 0) ? 'at times' : 'no';
};

const signerFields = (
  { signer, address, isDraining, nonces, undecided, unfinishedMilliseconds, head, balance, funds }: SignerNow,
  {
    feeCeiling,
    lowBalance,
    measured,
    at,
  }: {
    readonly feeCeiling: bigint;
    readonly lowBalance: number;
    readonly measured: Measured | undefined;
    readonly at: number;
  },
) => {
  const count = (state: string) =>
    nonces.filter((run) => run.state === state).reduce((sum, run) => sum + run.count, 0);
  const balances = measured?.points.get(`balance_${signer}`);
  const days =
    balance === undefined ? undefined : daysLeft(balances, { at, value: Number(formatEther(balance)) });
  return {
    signer,
    address,
    draining: isDraining,
    undecided,
    /** Mined, but not final yet. */
    mined_not_final: count('mined'),
    in_flight: count('in-flight') + count('stuck'),
    waiting: count('waiting'),
    gaps: count('gap'),
    nonces,
    unfinished_age_seconds:
      unfinishedMilliseconds === undefined ? undefined : Math.round(unfinishedMilliseconds / 1_000),
    head_nonce: head?.nonce,
    head_kind: head?.kind,
    head_age_seconds: head && Math.round(head.ageMilliseconds / 1_000),
    head_attempts: head?.attempts,
    head_fee_gwei: head && formatGwei(head.maxFeePerGas),
    fee_ceiling_gwei: formatGwei(feeCeiling),
    at_ceiling: head !== undefined && head.maxFeePerGas >= feeCeiling,
    stuck: head?.isStuck ?? false,
    balance: balance === undefined ? undefined : formatEther(balance),
    funds,
    funds_low_since: funds === 'none' || funds === 'low' ? lowSince(balances, lowBalance) : undefined,
    funds_days: days === undefined ? undefined : Math.floor(days * 10) / 10,
  };
};

/** What the present state of a stage is read from. */
export interface StageSources {
  readonly stackName: string;
  readonly nft: Pick<
    ReturnType<typeof stageSettings>['nft'],
    'inFlightCap' | 'replaceAfterSeconds' | 'feeCeiling' | 'lowBalance'
  >;
  readonly chain: Omit<SignersNowDependencies, 'settings'>;
  readonly endpoints: Parameters<typeof endpointsNow>[0]['endpoints'];
  readonly undelivered: Parameters<typeof endpointsNow>[0]['undelivered'];
  readonly outages: AskServicesDependencies['outages'];
  /** Calls an outside service as functions do. */
  readonly askService: AskServicesDependencies['ask'];
  /** For how long after an answer of the entitlement service a viewer can play on during an outage. */
  readonly lastKnownGoodSeconds: number;
  readonly editCounts: Pick<EditCounts, 'lastHour'>;
  /** More changes of events in an hour by one key are a problem. */
  readonly editsPerHour: number;
  readonly failedChanges: () => Promise<number>;
  readonly cloudwatch: CloudWatchClient;
  readonly metrics: MetricsReader;
  readonly clock: Clock;
}

/** Reads the present state of a stage, one panel at a time. Metrics cover the last hour and are read once a minute. */
export const panelsOf = ({
  stackName,
  nft,
  chain,
  endpoints,
  undelivered,
  outages,
  askService,
  lastKnownGoodSeconds,
  editCounts,
  editsPerHour,
  failedChanges,
  cloudwatch,
  metrics,
  clock,
}: StageSources) => {
  /** The metrics of the last hour. `undefined` if they cannot be read; only a missing permission is an error. */
  const lastHour = () => metrics.read('hour').catch(nothingUnlessDenied);
  const findOutage = outageFinder({ outages, ask: askService, clock });

  return {
    signers: async () => {
      const [signers, measured] = await Promise.all([
        signersNow({
          ...chain,
          settings: {
            inFlightCap: nft.inFlightCap,
            replaceAfterMilliseconds: nft.replaceAfterSeconds * 1_000,
            feeCeiling: nft.feeCeiling,
            lowBalance: nft.lowBalance,
          },
        }),
        lastHour(),
      ]);
      return signers.map((signer) =>
        signerFields(signer, {
          feeCeiling: nft.feeCeiling,
          lowBalance: nft.lowBalance,
          measured,
          at: clock(),
        }),
      );
    },

    notifications: async () => {
      const [fare, unpublished, measured] = await Promise.all([
        endpointsNow({ endpoints, undelivered, clock }),
        failedChanges(),
        lastHour(),
      ]);
      const since = clock() - recentMilliseconds;
      const recent = (id: string) => sumSince(measured?.points.get(id), since) ?? 0;
      const lagSeconds = (id: string): number | undefined => {
        const lag = (measured?.points.get(id) ?? []).filter(({ at }) => at >= since).at(-1);
        return lag && Math.round(lag.value / 1_000);
      };
      return {
        published: recent('published'),
        delivered: recent('delivered'),
        failed: recent('failed'),
        failed_changes: unpublished,
        publisher_lag_seconds: lagSeconds('lag'),
        event_publisher_lag_seconds: lagSeconds('event_lag'),
        ...fare,
      };
    },

    services: async () => {
      const [measured, edits, ...known] = await Promise.all([
        lastHour(),
        editCounts.lastHour(clock()),
        ...Object.keys(outsideServices).map(findOutage),
      ]);
      const since = clock() - recentMilliseconds;
      const recent = (id: string) => sumSince(measured?.points.get(id), since) ?? 0;
      return {
        measured_at: measured && new Date(measured.at).toISOString(),
        /** The keys of editors that changed events unusually often in the last hour. */
        busy_editors: edits
          .filter(({ changes }) => changes > editsPerHour)
          .map(({ editor, keyId, changes }) => ({
            editor,
            key_id: keyId,
            changes_in_an_hour: changes,
            usual_at_most: editsPerHour,
          })),
        outside: guardedServices.map((service) => ({
          service,
          ...outageFields(
            known.find((each) => each?.service === service),
            clock(),
          ),
          ...(service === 'entitlement' && {
            remembered_until: rememberedUntil(
              known.find((each) => each?.service === service),
              { lastKnownGoodSeconds, now: clock() },
            ),
          }),
          unavailable: service in outsideServices ? recent(service) : undefined,
          circuit_open: circuitOpen(measured?.points.get(`circuit_${service}`), since),
        })),
        calls: Object.keys(watchedCalls).map((call) => {
          const [all, refused, failed] = ['Count', '4XXError', '5XXError'].map((name) =>
            recent(`${call}_${name}`),
          );
          return {
            call,
            answered: (all ?? 0) - (refused ?? 0) - (failed ?? 0),
            refused: refused ?? 0,
            failed: failed ?? 0,
          };
        }),
      };
    },

    alarms: async () => {
      const { exist, on, notEvaluated } = await alarmsNow({ cloudwatch }, { stackName });
      return {
        alarms: on.map(({ name, since, whatGoesWrong, runbook }) => ({
          alarm: name,
          since: since?.toISOString(),
          what_goes_wrong: whatGoesWrong,
          runbook,
        })),
        not_evaluated: notEvaluated,
        alarms_exist: exist,
      };
    },
  };
};

/** How many signers the deployed stage has. The stage's file can be newer. */
export const signersOf = (target: Pick<Target, 'output'>): number =>
  target.output('SignerKeyIds').split(',').length;

/** Reads the present state of a deployed stage. */
export const stageReader = (
  target: Target,
  {
    remark,
    clock = systemClock,
    targetOf = () => target,
  }: {
    readonly remark: (text: string) => void;
    /** @default the machine's clock */
    readonly clock?: Clock;
    /** The target through which a panel reads tables. @default `target` */
    readonly targetOf?: (panel: 'signers' | 'notifications' | 'services') => Target;
  },
) => {
  const { nft, ott } = stageSettings(target.stage);
  const cloudwatch = new CloudWatchClient(target.aws);
  const sqs = new SQSClient(target.aws);
  const metrics = metricsReader({
    client: cloudwatch,
    clock,
    queries: stageMetrics({
      stage: target.stage,
      signers: Array.from({ length: nft.signers }, (_, index) => index + 1),
      topicArn: target.output('TopicArn'),
      publisherFunction: target.output('PublisherFunction'),
      eventPublisherFunction: target.output('EventPublisherFunction'),
    }),
  });
  const panels = panelsOf({
    stackName: `Marquee-${target.stage}`,
    nft,
    chain: stageChain(targetOf('signers'), { remark }),
    endpoints: endpointsOf(targetOf('notifications')),
    undelivered: undeliveredOf(targetOf('notifications')),
    outages: outagesOf(targetOf('services')),
    askService: serviceTrial(target),
    lastKnownGoodSeconds: ott.entitlement.lastKnownGoodSeconds,
    editCounts: dynamoDbEditCounts(eventStoreOf(targetOf('services'))),
    editsPerHour: ott.editing.changesPerHour,
    failedChanges: () => queueDepth({ sqs }, { queueUrl: target.output('FailedChangesQueueUrl') }),
    cloudwatch,
    metrics,
    clock,
  });
  return { metrics, ...panels };
};
