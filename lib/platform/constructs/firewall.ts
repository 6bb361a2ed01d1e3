import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../../config/stage.ts';
import { retryAfterSeconds } from '../../../shared/platform/refused-before-functions.ts';
import { corsHeaders } from './gateway-answers.ts';
import type { ServiceApi } from './service-api.ts';
import { stageOf } from './stage.ts';
import { addWebAcl, managedRule, visibility } from './web-acl.ts';

/** Kinds of paths that need no API key, each with its own limit. The paths begin with the name of the API's stage. */
const paths = [
  ['list-events', '/api/v3/ott/events/?$'],
  ['get-event', '/api/v3/ott/events/[^/]+/?$'],
  ['get-stream', '/api/v3/ott/events/[^/]+/stream/?$'],
  ['user-data', '/user/data/?$'],
] as const;

/** Kinds of paths that need an API key. Each key has its own limit, because customers can share an address. */
const pathsWithKey = [
  ['mint', '/api/v1/nft/contracts/[^/]+/mint(/batch)?/?$'],
  ['read-user-data', '/user-data/read(/batch)?/?$'],
] as const;

const tooMany = 'too-many-requests';

/**
 * The response to a request above a limit. It replaces the gateway's own response, so it has the same body and headers.
 * The rate is that of the last five minutes. After half a minute without requests, a client that was slightly above its
 * limit is below it.
 */
const tooManyRequests: CfnWebACL.CustomResponseProperty = {
  responseCode: 429,
  customResponseBodyKey: tooMany,
  responseHeaders: Object.entries({
    ...corsHeaders,
    'Cache-Control': 'no-store',
    'Retry-After': String(retryAfterSeconds.firewall),
  }).map(([name, value]) => ({ name, value })),
};

/** Adds one web ACL in front of several APIs that callers reach directly, with limits for each address and key. */
export function addFirewall(
  scope: Construct,
  apis: readonly ServiceApi[],
  atMost: NonNullable<StageConfig['firewall']>,
): void {
  const limits = [
    rateRule(3, { name: 'requests-per-address', limit: atMost.requestsPerAddress }),
    ...paths.map(([name, path], index) =>
      rateRule(4 + index, {
        name: `requests-per-address-${name}`,
        limit: atMost.requestsPerAddressAndPath,
        path,
      }),
    ),
    // Keys that nobody checked are counted here, so each key is counted together with its address. The rule for the
    // whole address still limits an address that makes up new keys.
    ...pathsWithKey.map(([name, path], index) =>
      rateRule(4 + paths.length + index, {
        name: `requests-per-key-${name}`,
        limit: atMost.requestsPerKeyAndPath,
        path,
        isPerKey: true,
      }),
    ),
  ];
  addWebAcl(scope, {
    apis,
    logGroupName: `aws-waf-logs-marquee-${stageOf(scope).name}`,
    rules: [managedRule(0, 'AWSManagedRulesAmazonIpReputationList')],
    ownRules: limits,
    whatGoesWrong: (names) =>
      `One of these rules of the firewall answers 429 to callers above its limit: an attack, or customers or viewers who cannot call: ${names}.`,
    customResponseBodies: {
      [tooMany]: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify({ status: 429, message: 'TOO_MANY_REQUESTS' }),
      },
    },
  });
}

interface RateLimit {
  readonly name: string;
  /** The number of requests in five minutes. */
  readonly limit: number;
  /** @default all paths */
  readonly path?: string;
  /** Whether the requests of each API key of an address are counted separately. @default false */
  readonly isPerKey?: boolean;
}

/** Blocks requests above a limit, of one address or of one API key at one address. */
function rateRule(priority: number, { name, limit, path, isPerKey = false }: RateLimit) {
  const textTransformations = [{ priority: 0, type: 'NONE' }];
  const regexMatchStatement = { fieldToMatch: { uriPath: {} }, regexString: path ?? '', textTransformations };
  const counted = isPerKey
    ? {
        aggregateKeyType: 'CUSTOM_KEYS',
        customKeys: [{ ip: {} }, { header: { name: 'x-api-key', textTransformations } }],
      }
    : { aggregateKeyType: 'IP' };
  return {
    name,
    priority,
    action: { block: { customResponse: tooManyRequests } },
    statement: {
      rateBasedStatement: {
        limit,
        ...counted,
        ...(path !== undefined && { scopeDownStatement: { regexMatchStatement } }),
      },
    },
    visibilityConfig: visibility(name),
  };
}
