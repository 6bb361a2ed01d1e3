import { reservedEnvironments } from '../../../config/concurrency.ts';
import type { StageConfig } from '../../../config/stage.ts';
import { checksummed } from '../../../shared/chain/hex.ts';
import { renewalShare, viewersPerCallBeforeEnd } from '../../../shared/ott/streams/renewal.ts';
import type { Account, DeployedStack } from './account.ts';
import type { ApiDocument, apiDocuments } from './api-documents.ts';
import type { Finding } from './finding.ts';
import { type FindMintLimits, mintCostFindings } from './mint-costs.ts';
import type { Quota } from './quotas.ts';
import type { CollectionsFound, ServedAddresses } from './served-addresses.ts';
import { signerKeyFindings } from './signer-keys.ts';
import { stageFindings } from './stage-file.ts';

/**
 * Lambda keeps this much concurrency for functions without a reservation (AWS's page "Configuring reserved
 * concurrency").
 */
const keptUnreserved = 100;

/** The quota of an account that AWS has not restricted. A new account can have 10 or 50. */
const usualConcurrency = 1_000;

/** How long a call takes on average, without those that sign. */
const callSeconds = 0.1;

const concurrencyFinding = async (
  account: Pick<Account, 'concurrency'>,
  stage: StageConfig,
  deployed: DeployedStack | undefined,
): Promise<Finding> => {
  const reserved = reservedEnvironments(stage.concurrency);
  const { all, unreserved } = await account.concurrency();
  // A deployed stage can reuse its own reservations, but not those of other stacks.
  const room = unreserved + (deployed?.reserved ?? 0) - keptUnreserved;
  const found = `${all}, of which ${unreserved} are unreserved`;
  const check = 'Lambda: concurrent executions';
  if (reserved > 0 && reserved > room) {
    const wanted = `${reserved} that the stage reserves, and ${keptUnreserved} that AWS keeps unreserved`;
    return { check, ok: false, found, wanted };
  }
  const wanted =
    all < usualConcurrency
      ? `${usualConcurrency}: with ${all}, callers get 503 above about ${Math.floor(all / callSeconds)} calls a second to all APIs of the account together`
      : `${reserved} that the stage reserves`;
  return { check, ok: all < usualConcurrency ? 'warning' : true, found, wanted };
};

const gatewayFindings = async (
  account: Pick<Account, 'gatewayLimits'>,
  { throttle }: StageConfig,
): Promise<Finding[]> => {
  const { ratePerSecond, burst } = await account.gatewayLimits();
  return [
    {
      check: 'API Gateway: requests a second',
      ok: throttle.ratePerSecond <= ratePerSecond,
      found: String(ratePerSecond),
      wanted: `throttle.ratePerSecond, ${throttle.ratePerSecond}, for one busy method; more for several busy methods. Request a higher quota, or set throttle.ratePerSecond to at most ${ratePerSecond}`,
    },
    {
      check: 'API Gateway: burst',
      ok: throttle.burst <= burst,
      found: String(burst),
      // The page "Amazon API Gateway quotas": the burst follows from the rate, and nobody can request another one.
      wanted:
        throttle.burst <= burst
          ? `throttle.burst, ${throttle.burst}`
          : `throttle.burst, ${throttle.burst}: set it to ${burst}. AWS sets the burst of an account and its Region by the rate; it cannot be requested`,
    },
  ];
};

/** The execution time of an API call that signs a transaction, as docs/operator-guide.md assumes it for this quota. */
const signingSeconds = 0.15;

/**
 * The maximum number of signatures per second that a stage can request: all reserved environments of one function sign
 * without a pause, up to the throttle.
 */
const signaturesAtMost = ({ concurrency, throttle }: StageConfig): number =>
  Math.min(
    throttle.ratePerSecond,
    concurrency === undefined ? throttle.ratePerSecond : Math.ceil(concurrency.signing / signingSeconds),
  );

/**
 * The execution time of a request for a stream, including the calls to outside services, for an application that limits
 * streams.
 */
const streamSeconds = 0.1;

/**
 * The expected viewers and how often the page of each requests its stream again, on average. Without cookies, no page
 * does.
 */
const expectedRenewals = ({ ott }: StageConfig) => {
  const { playback, sessionSeconds, expectedViewers = 0, expectedViewersWithoutSession = 0 } = ott;
  if (playback.signing !== 'cookies') return [];
  const { lifetimeSeconds } = playback;
  return [
    { viewers: expectedViewers, who: 'with', lastsSeconds: Math.min(sessionSeconds, lifetimeSeconds) },
    { viewers: expectedViewersWithoutSession, who: 'without', lastsSeconds: lifetimeSeconds },
  ]
    .filter(({ viewers }) => viewers > 0)
    .map((group) => ({ ...group, everySeconds: Number((renewalShare * group.lastsSeconds).toFixed(1)) }));
};

/** Checks whether the limits are high enough for the renewals of sessions and cookies by the expected viewers. */
const sessionFindings = (stage: StageConfig): Finding[] => {
  const { ott, throttle, concurrency } = stage;
  const expected = expectedRenewals(stage);
  if (expected.length === 0) return [];
  const renewals = Math.ceil(
    expected.reduce((sum, { viewers, everySeconds }) => sum + viewers / everySeconds, 0),
  );
  const groups = expected.map(
    ({ viewers, who, everySeconds }) => `${viewers} viewers ${who} a session, every ${everySeconds} s`,
  );
  const wanted = `${renewals} renewals a second: ${groups.join('; ')}`;
  const most = concurrency === undefined ? undefined : Math.floor(concurrency.ott / streamSeconds);
  const { requestsPerSecond } = ott.entitlement;
  const lifeSeconds = Math.min(ott.ticketSeconds, ...expected.map(({ lastsSeconds }) => lastsSeconds));
  const all = expected.reduce((sum, { viewers }) => sum + viewers, 0);
  const beforeEnd = Math.ceil(all / viewersPerCallBeforeEnd(lifeSeconds));
  const lowest = Math.min(throttle.ratePerSecond, ...[most ?? [], requestsPerSecond ?? []].flat());
  return [
    {
      check: 'sessions: throttle.ratePerSecond',
      ok: renewals <= throttle.ratePerSecond,
      found: String(throttle.ratePerSecond),
      wanted,
    },
    {
      check: 'sessions: concurrency.ott',
      ok: most === undefined ? 'unknown' : renewals <= most,
      found:
        most === undefined
          ? 'no reservation'
          : `${most} stream calls a second, if each takes ${streamSeconds} s`,
      wanted,
    },
    {
      check: 'sessions: the entitlement service',
      ok: requestsPerSecond === undefined ? 'unknown' : renewals <= requestsPerSecond,
      found:
        requestsPerSecond === undefined
          ? 'ott.entitlement.requestsPerSecond is not set'
          : String(requestsPerSecond),
      wanted,
    },
    {
      check: 'sessions: before a planned end',
      ok: beforeEnd <= lowest,
      found: `${lowest} a second, the lowest of these limits`,
      wanted: `${beforeEnd} calls in the busiest second before a planned end, if all ${all} viewers play the same event`,
    },
  ];
};

const quotaFinding = (
  check: string,
  quota: Quota,
  { needed, wanted }: { readonly needed: number; readonly wanted: string },
): Finding =>
  'unknown' in quota
    ? { check, ok: 'unknown', found: quota.unknown, wanted }
    : { check, ok: needed <= quota.value, found: String(quota.value), wanted };

const quotaFindings = async (account: Pick<Account, 'quotas'>, stage: StageConfig): Promise<Finding[]> => {
  const { signaturesPerSecond, publishedPerSecond, filterPoliciesPerTopic } = await account.quotas();
  const signatures = signaturesAtMost(stage);
  const changes = stage.throttle.ratePerSecond;
  const { filterPolicyQuota } = stage.userData;
  return [
    quotaFinding('KMS: signatures a second', signaturesPerSecond, {
      needed: signatures,
      wanted: `${signatures}, the most signatures that mints alone can need in a second`,
    }),
    quotaFinding('SNS: messages published a second', publishedPerSecond, {
      needed: changes,
      wanted: `${changes}, as many changes as throttle.ratePerSecond allows, for one application; more for several`,
    }),
    quotaFinding('SNS: filter policies of a topic', filterPoliciesPerTopic, {
      needed: filterPolicyQuota,
      wanted: `userData.filterPolicyQuota, ${filterPolicyQuota}`,
    }),
  ];
};

/** Checks whether anybody still depends on the addresses that a deployment would switch off. */
const addressFindings = async (
  addresses: ServedAddresses,
  { name, disableExecuteApiEndpoint, publicBaseUrls }: StageConfig,
  deployed: DeployedStack | undefined,
): Promise<Finding[]> => {
  if (!disableExecuteApiEndpoint) return [];
  const check = 'disableExecuteApiEndpoint';
  if (deployed === undefined) {
    const wanted = 'false for the first deployment: the domains can point to the APIs only after it';
    return [{ check, ok: false, found: 'true', wanted }];
  }
  // Later deployments need not read collections and the chain, so they work with fewer permissions, and in any outage.
  if (!deployed.servesOwnAddresses) return [];
  const collections = await addresses.collectionsAtOwnAddress(name);
  const urls = Object.entries(publicBaseUrls).filter(([, url]) => typeof url === 'string');
  const answering = await Promise.all(
    urls.map(async ([api, url]): Promise<Finding> => {
      const ok = await addresses.answers(String(url));
      const found = ok ? 'the API answers' : `no API of the stage answers at ${url}`;
      return { check: `${check}: publicBaseUrls.${api}`, ok, found, wanted: 'the API answers' };
    }),
  );
  return [{ check: `${check}: metadata of collections`, ...metadataFinding(collections) }, ...answering];
};

/**
 * A collection at an address that is switched off has no metadata any more. Therefore the switch also waits while the
 * collections are unknown.
 */
const metadataFinding = (collections: CollectionsFound): Omit<Finding, 'check'> =>
  'unknown' in collections
    ? {
        ok: false,
        found: collections.unknown,
        wanted:
          'known: only the deployment that switches the addresses off needs an RPC endpoint, and the policy for the command line too',
      }
    : {
        ok: collections.length === 0,
        found: [
          `${collections.length} at the API’s own address`,
          ...collections.slice(0, 3).map(checksummed),
        ].join(', '),
        wanted: 'none, or their metadata would be gone: move them with contracts set-base',
      };

/**
 * A stack of a release before 0.2.0 cannot be updated. CloudFormation would delete its gateway responses by their type,
 * after API Gateway has imported those of the document under the same types.
 */
const separateRoutesFinding = (deployed: DeployedStack | undefined): Finding[] =>
  deployed?.hasSeparateRoutes
    ? [
        {
          check: 'API Gateway: routes of the deployed stack',
          ok: false,
          found: 'resources of their own, of a release before 0.2.0',
          wanted:
            'none: CloudFormation cannot update these APIs in place. Remove the stage and deploy it anew, as the changelog of 0.2.0 says step by step',
        },
      ]
    : [];

const documentFindings = async (
  account: Pick<Account, 'importDocuments'>,
  documents: readonly ApiDocument[],
): Promise<Finding[]> =>
  (await account.importDocuments(documents)).map(({ name, refused }) => ({
    check: `API Gateway: the document of ${name}`,
    ok: refused === undefined,
    found: refused ?? 'imported',
    wanted: 'imported without a warning',
  }));

interface PreflightDependencies {
  readonly account: Account;
  /** The documents of a stage's APIs, for this account and Region. If there are none, none are imported. */
  readonly documents: typeof apiDocuments | undefined;
  readonly addresses: ServedAddresses;
  readonly applications: FindMintLimits;
}

/**
 * Checks whether a stage can be deployed: its file must be complete, and the account must offer what the file requires.
 */
export const preflight = async (
  { account, documents, addresses, applications }: PreflightDependencies,
  { stage }: { readonly stage: StageConfig },
): Promise<Finding[]> => {
  const { accountId, region } = await account.identity();
  const deployed = await account.deployed(`Marquee-${stage.name}`);
  return [
    {
      check: 'account and Region',
      ok: true,
      found: `${accountId} in ${region}`,
      wanted: 'the account and Region of the stage; no others are read',
    },
    ...stageFindings(stage, { isDeployed: deployed !== undefined }),
    ...signerKeyFindings(stage, deployed),
    await concurrencyFinding(account, stage, deployed),
    ...(await gatewayFindings(account, stage)),
    ...separateRoutesFinding(deployed),
    ...(documents === undefined
      ? []
      : await documentFindings(account, await documents(stage, { accountId, region }))),
    ...(await quotaFindings(account, stage)),
    ...sessionFindings(stage),
    ...(await addressFindings(addresses, stage, deployed)),
    ...(await mintCostFindings(applications, stage, { isDeployed: deployed !== undefined })),
  ];
};
