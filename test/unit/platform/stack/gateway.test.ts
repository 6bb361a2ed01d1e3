import { describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { watchedCalls } from '../../../../shared/platform/watched.ts';
import { apiBodiesOf, gatewayResponsesOf, routesOf } from '../../../support/platform/api-routes.ts';
import {
  resourcesOf,
  type StackTemplate,
  templateOf,
  templateOfStage,
} from '../../../support/platform/stack.ts';

const template = templateOf('prod');
const apis = resourcesOf(template, 'AWS::ApiGateway::RestApi');
const routes = routesOf(template);

/** The logical id that a property refers to. */
const referred = (value: unknown): unknown => (value as { Ref?: unknown }).Ref;

const apiNamed = (name: string): string => {
  const id = apis.find(([, { Properties }]) => Properties.Name === `marquee-prod-${name}`)?.[0];
  if (id === undefined) throw new Error(`No API named ${name}`);
  return id;
};

const line = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;

describe('the three APIs', () => {
  it('compress responses of at least one kilobyte', () => {
    for (const [, { Properties }] of apis) expect(Properties.MinimumCompressionSize).toBe(1_024);
  });

  it('are documents whose settings beside the routes are also properties, which CloudFormation compares', () => {
    for (const [id, { Properties }] of apis) {
      expect(apiBodiesOf(template).get(id)).toMatchObject({
        info: { title: Properties.Name },
        'x-amazon-apigateway-minimum-compression-size': Properties.MinimumCompressionSize,
        'x-amazon-apigateway-api-key-source': 'HEADER',
      });
      // Any other mode would leave out the properties.
      expect(Properties).not.toHaveProperty('Mode');
      expect(Properties).toMatchObject({
        FailOnWarnings: true,
        Parameters: { endpointConfigurationTypes: 'REGIONAL' },
      });
    }
  });

  it('answer nobody at their own addresses if the stage says so, in the document and in the properties', () => {
    const url = (api: string) => `https://${api}.example.com`;
    const closed = templateOfStage({
      ...prod,
      publicBaseUrls: { base: url('base'), b2b: url('b2b'), profile: url('profile') },
      disableExecuteApiEndpoint: true,
    });

    for (const [id, { Properties }] of resourcesOf(closed, 'AWS::ApiGateway::RestApi')) {
      expect(Properties.DisableExecuteApiEndpoint).toBe(true);
      expect(apiBodiesOf(closed).get(id)?.servers).toEqual([
        { url: '/', 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } },
      ]);
    }
    for (const body of apiBodiesOf(template).values()) expect(body).not.toHaveProperty('servers');
  });

  it('have no resources, methods or gateway responses outside their documents', () => {
    const types = new Set(Object.values(template.Resources).map(({ Type }) => Type));

    for (const part of ['Resource', 'Method', 'GatewayResponse'])
      expect(types).not.toContain(`AWS::ApiGateway::${part}`);
  });

  it('get another deployment if a route changes', () => {
    const deploymentsOf = (of: StackTemplate) =>
      resourcesOf(of, 'AWS::ApiGateway::Deployment').map(([id]) => id);
    const playback = { ...prod.ott.playback, origins: ['https://tv.example.com'] } as const;
    const changed = templateOfStage({ ...prod, ott: { ...prod.ott, playback } as typeof prod.ott });

    const [base, ...others] = deploymentsOf(template);
    const [baseChanged, ...othersChanged] = deploymentsOf(changed);
    expect(baseChanged).not.toBe(base);
    expect(othersChanged).toEqual(others);
  });

  it('tell their functions the addresses of all APIs by stage variables', () => {
    const stages = resourcesOf(template, 'AWS::ApiGateway::Stage');

    expect(stages).toHaveLength(3);
    for (const [, { Properties }] of stages) {
      expect(Object.keys(Properties.Variables as object).sort()).toEqual([
        'API_URL_B2B',
        'API_URL_PROFILE',
        'PUBLIC_BASE_URL',
      ]);
    }
  });

  it('are regional APIs', () => {
    expect(apis).toHaveLength(3);
    for (const [, { Properties }] of apis) {
      expect(Properties.EndpointConfiguration).toEqual({ Types: ['REGIONAL'] });
    }
  });

  it.each(['base', 'b2b', 'profile'])(
    'answer 404 to an unknown route of %s, without asking for a key',
    (name) => {
      const mocks = routes.filter(({ api, method }) => api === name && method === 'ANY');

      expect(mocks.map(({ path }) => path).sort()).toEqual(['/', '/{proxy+}']);
      for (const mock of mocks) {
        expect(mock.needsKey).toBe(false);
        expect(mock.integration).toMatchObject({
          type: 'mock',
          passthroughBehavior: 'never',
          requestTemplates: { 'application/json': '{"statusCode":404}' },
          responses: { default: { statusCode: '404' } },
        });
      }
    },
  );

  it('require an API key exactly on the business-to-business routes, the NFT calls and the calls of editors', () => {
    const keyed = (name: string, isKeyed: boolean) =>
      routes
        .filter(
          ({ api, method, needsKey }) =>
            api === name && method !== 'ANY' && method !== 'OPTIONS' && needsKey === isKeyed,
        )
        .map(line)
        .sort();

    expect(keyed('base', true)).toEqual([
      'DELETE /api/v1/nft/contracts/{contract_address}/tokens/{id}/void',
      'DELETE /api/v3/ott/catalogue/{event_id}',
      'GET /api/v1/nft/contracts',
      'GET /api/v1/nft/contracts/{contract_address}',
      'GET /api/v1/nft/contracts/{contract_address}/tokens',
      'GET /api/v1/nft/contracts/{contract_address}/tokens/{id}',
      'GET /api/v1/nft/contracts/{contract_address}/tokens/{id}/history',
      'GET /api/v1/nft/contracts/{contract_address}/tokens/{id}/owner',
      'GET /api/v3/ott/catalogue',
      'GET /api/v3/ott/catalogue/{event_id}',
      'POST /api/v1/nft/contracts',
      'POST /api/v1/nft/contracts/{contract_address}/mint',
      'POST /api/v1/nft/contracts/{contract_address}/mint/batch',
      'POST /api/v1/nft/contracts/{contract_address}/tokens/{id}/revoke',
      'PUT /api/v1/nft/contracts/{contract_address}/metadata',
      'PUT /api/v1/nft/contracts/{contract_address}/metadata/batch',
      'PUT /api/v1/nft/contracts/{contract_address}/royalty',
      'PUT /api/v1/nft/contracts/{contract_address}/tokens/{id}/destination',
      'PUT /api/v1/nft/contracts/{contract_address}/tokens/{id}/metadata',
      'PUT /api/v1/nft/contracts/{contract_address}/tokens/{id}/void',
      'PUT /api/v3/ott/catalogue/{event_id}',
      'PUT /api/v3/ott/catalogue/{event_id}/status',
    ]);
    expect(keyed('base', false)).toEqual([
      'GET /api/v1/nft/contracts/{contract_address}/metadata',
      'GET /api/v1/nft/contracts/{contract_address}/metadata/{id}',
      'GET /api/v3/ott/events',
      'GET /api/v3/ott/events/{event_id}',
      'GET /api/v3/ott/events/{event_id}/stream',
      'GET /openapi.json',
      'HEAD /api/v1/nft/contracts/{contract_address}/metadata',
      'HEAD /api/v1/nft/contracts/{contract_address}/metadata/{id}',
      'HEAD /api/v3/ott/events',
      'HEAD /api/v3/ott/events/{event_id}',
      'HEAD /api/v3/ott/events/{event_id}/stream',
      'HEAD /openapi.json',
      'POST /api/v3/ott/events/{event_id}/stream/end',
    ]);
    expect(keyed('b2b', true)).toEqual([
      'GET /notifications',
      'GET /notifications/endpoints',
      'GET /notifications/replay/{id}',
      'POST /notifications/replay',
      'POST /notifications/test',
      'POST /user-data/read',
      'POST /user-data/read/batch',
      'POST /vendor/user-subs/get',
    ]);
    expect(keyed('b2b', false)).toEqual([]);
    expect(keyed('profile', true)).toEqual([]);
    expect(keyed('profile', false)).toEqual([
      'DELETE /user/data',
      'DELETE /user/wallets/{address}',
      'GET /user/data',
      'GET /user/erasure',
      'GET /user/export',
      'GET /user/reporter/application-user-sub',
      'GET /user/tokens',
      'GET /user/tokens/{contract_address}/{id}/history',
      'GET /user/wallets',
      'HEAD /user/data',
      'HEAD /user/erasure',
      'HEAD /user/export',
      'HEAD /user/reporter/application-user-sub',
      'HEAD /user/tokens',
      'HEAD /user/tokens/{contract_address}/{id}/history',
      'HEAD /user/wallets',
      'POST /user/reporter/application-user-sub',
      'POST /user/tokens/{contract_address}/claim',
      'POST /user/wallets/challenges',
      'PUT /user/data',
      'PUT /user/wallets/{address}',
    ]);
  });

  it('invoke only their own functions, each API under its own role', () => {
    const invoked = new Map<string, Set<string>>();
    for (const { integration } of routes) {
      const { type, credentials, uri } = integration;
      if (type === 'mock') continue;
      const [role] = (credentials as { 'Fn::GetAtt': string[] })['Fn::GetAtt'];
      const named = /"Fn::GetAtt":\["(\w+)","Arn"\]/.exec(JSON.stringify(uri))?.[1] ?? '';
      invoked.set(`${role}`, (invoked.get(`${role}`) ?? new Set()).add(named));
    }
    const roles = resourcesOf(template, 'AWS::IAM::Role').filter(([id]) => invoked.has(id));

    expect(roles).toHaveLength(3);
    for (const [id, { Properties }] of roles) {
      expect(JSON.stringify(Properties.AssumeRolePolicyDocument)).toContain('apigateway.amazonaws.com');
      const [{ PolicyDocument }] = Properties.Policies as [
        { PolicyDocument: { Statement: [{ Resource: { 'Fn::GetAtt': string[] }[] }] } },
      ];
      const [statement, ...others] = PolicyDocument.Statement;
      expect(statement).toMatchObject({ Action: 'lambda:InvokeFunction', Effect: 'Allow' });
      expect(others).toEqual([]);
      expect(new Set(statement.Resource.map((arn) => arn['Fn::GetAtt'][0]))).toEqual(invoked.get(id));
    }
  });

  it('log every request without bodies, headers or keys to log groups of the template', () => {
    const stages = resourcesOf(template, 'AWS::ApiGateway::Stage');

    expect(stages).toHaveLength(3);
    for (const [, { Properties }] of stages) {
      expect(Properties).toMatchObject({
        TracingEnabled: true,
        MethodSettings: expect.arrayContaining([
          expect.objectContaining({ HttpMethod: '*', DataTraceEnabled: false, LoggingLevel: 'OFF' }),
        ]),
      });
      const { Format } = Properties.AccessLogSetting as { Format: string };
      expect(Format).not.toMatch(/apiKey\b|authorization|body|querystring|requestOverride/i);
    }
  });

  it('log of a request to the profile API only its route, because paths of the API contain addresses of wallets', () => {
    const ofProfile = resourcesOf(template, 'AWS::ApiGateway::Stage').filter(
      ([, { Properties }]) => referred(Properties.RestApiId) === apiNamed('profile'),
    );

    expect(ofProfile).toHaveLength(1);
    for (const [, { Properties }] of ofProfile) {
      const { Format } = Properties.AccessLogSetting as { Format: string };
      expect(Format).toContain('$context.resourcePath');
      expect(Format).not.toMatch(/\$context\.(path|requestOverride)\b/);
    }
  });

  it('have metrics of only the calls that operators see, because AWS bills the metrics of each call', () => {
    const { ratePerSecond, burst } = prod.throttle;
    const settings = resourcesOf(template, 'AWS::ApiGateway::Stage').flatMap(
      ([, { Properties }]) => Properties.MethodSettings as Record<string, unknown>[],
    );

    expect(settings.filter(({ MetricsEnabled }) => MetricsEnabled === true)).toEqual(
      Object.values(watchedCalls).map(({ method, path }) => ({
        HttpMethod: method,
        ResourcePath: `/${path.replaceAll('/', '~1')}`,
        MetricsEnabled: true,
        DataTraceEnabled: false,
        ThrottlingRateLimit: ratePerSecond,
        ThrottlingBurstLimit: burst,
      })),
    );
    const ofBase = routes.filter(({ api }) => api === 'base').map(line);
    expect(ofBase).toEqual(
      expect.arrayContaining(Object.values(watchedCalls).map(({ method, path }) => `${method} ${path}`)),
    );
  });

  it('limit the calls of editors by a throttle of their own', () => {
    const settings = resourcesOf(template, 'AWS::ApiGateway::Stage').flatMap(
      ([, { Properties }]) => Properties.MethodSettings as Record<string, unknown>[],
    );
    const ofEditors = settings.filter(({ ResourcePath }) => String(ResourcePath).includes('catalogue'));

    expect(ofEditors).toHaveLength(5);
    for (const each of ofEditors)
      expect(each).toMatchObject({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 });
  });

  it('share one account setting, and have no role for logs of their own', () => {
    expect(resourcesOf(template, 'AWS::ApiGateway::Account')).toHaveLength(1);
    expect(resourcesOf(template, 'AWS::ApiGateway::Account')[0]?.[1].DeletionPolicy).toBe('Retain');
  });
});

describe('the responses of API Gateway itself', () => {
  const answers: Record<string, [status: number, body: unknown]> = {
    MISSING_AUTHENTICATION_TOKEN: [404, { status: 404, message: 'NOT_FOUND' }],
    RESOURCE_NOT_FOUND: [404, { status: 404, message: 'NOT_FOUND' }],
    THROTTLED: [429, { status: 429, message: 'TOO_MANY_REQUESTS' }],
    INTEGRATION_FAILURE: [503, { status: 503, message: 'SERVICE_UNAVAILABLE' }],
    INTEGRATION_TIMEOUT: [504, { status: 504, message: 'GATEWAY_TIMEOUT' }],
  };

  const aboutKeys: typeof answers = {
    INVALID_API_KEY: [403, { message: 'Forbidden' }],
    QUOTA_EXCEEDED: [429, { status: 429, message: 'QUOTA_EXCEEDED' }],
  };

  // The promises of docs/interface.md#errors and docs/interface.md#readuserdata.
  it.each(['base', 'b2b', 'profile'])(
    'are the same on %s as on every API, except for what docs/interface.md fixes for b2b',
    (name) => {
      const byType = new Map(gatewayResponsesOf(template, name).map((response) => [response.type, response]));

      const tooLarge: (typeof answers)[string] =
        name === 'b2b'
          ? [400, { status: 400, message: 'BAD_REQUEST' }]
          : [413, { status: 413, message: 'REQUEST_TOO_LARGE' }];
      for (const [type, [status, body]] of Object.entries({
        ...answers,
        ...(name !== 'profile' && aboutKeys),
        REQUEST_TOO_LARGE: tooLarge,
      })) {
        const { statusCode, responseTemplates } = byType.get(type) ?? {};
        expect(statusCode).toBe(status);
        expect(JSON.parse(responseTemplates?.['application/json'] ?? '')).toEqual(body);
      }
    },
  );

  it.each(['base', 'b2b', 'profile'])(
    'contain on %s a Retry-After header for failed invocations and throttled requests',
    (name) => {
      const told = gatewayResponsesOf(template, name).flatMap(({ type, responseParameters }) => {
        const seconds = responseParameters['gatewayresponse.header.Retry-After'];
        return seconds === undefined ? [] : [[type, seconds]];
      });

      expect(told).toEqual([
        ['THROTTLED', "'1'"],
        ['INTEGRATION_FAILURE', "'1'"],
      ]);
    },
  );

  it('have no status in the defaults, which every unspecified type would inherit', () => {
    for (const name of ['base', 'b2b', 'profile']) {
      const defaults = gatewayResponsesOf(template, name).filter(({ type }) => type.startsWith('DEFAULT_'));
      expect(defaults.map(({ type }) => type).sort()).toEqual(['DEFAULT_4XX', 'DEFAULT_5XX']);
      for (const response of defaults) expect(response).not.toHaveProperty('statusCode');
    }
  });

  it.each([
    ['base', true],
    ['profile', true],
    ['b2b', false],
  ])('forbid caching, and are readable by browsers on %s: %s', (name, isReadable) => {
    for (const { type, responseParameters } of gatewayResponsesOf(template, name)) {
      expect(responseParameters).toEqual({
        ...(['THROTTLED', 'INTEGRATION_FAILURE'].includes(type) && {
          'gatewayresponse.header.Retry-After': "'1'",
        }),
        // Otherwise a cache in front of the API would return one caller's 504 to everybody.
        'gatewayresponse.header.Cache-Control': "'no-store'",
        ...(isReadable && {
          'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
          'gatewayresponse.header.Access-Control-Expose-Headers':
            "'etag, link, location, retry-after, x-amzn-requestid'",
        }),
      });
    }
  });
});

describe('the CORS preflight', () => {
  it('is answered on exactly the routes without a key', () => {
    const pathsWith = (matches: (route: (typeof routes)[number]) => boolean) =>
      new Set(routes.filter(matches).map(({ api, path }) => `${api} ${path}`));

    const open = pathsWith(({ method, needsKey }) => !['ANY', 'OPTIONS'].includes(method) && !needsKey);
    const preflighted = pathsWith(({ method }) => method === 'OPTIONS');

    expect(open.size).toBeGreaterThan(0);
    expect(preflighted).toEqual(open);
  });
});

describe('usage plans', () => {
  it('exist once per tier, cover base and b2b, and throttle each key', () => {
    const plans = resourcesOf(template, 'AWS::ApiGateway::UsagePlan').map(([, { Properties }]) => Properties);

    expect(plans.map(({ UsagePlanName }) => UsagePlanName).sort()).toEqual([
      'marquee-prod-premium',
      'marquee-prod-standard',
      'marquee-prod-trial',
    ]);
    for (const { ApiStages, Throttle } of plans) {
      const over = (ApiStages as Array<{ ApiId: unknown }>).map(({ ApiId }) => referred(ApiId));
      expect(over.sort()).toEqual([apiNamed('b2b'), apiNamed('base')].sort());
      expect(Throttle).toMatchObject({ RateLimit: expect.any(Number), BurstLimit: expect.any(Number) });
    }
  });

  it('do not come with keys, which the operator creates', () => {
    expect(resourcesOf(template, 'AWS::ApiGateway::ApiKey')).toEqual([]);
  });
});

describe('the rules of the firewall', () => {
  it('only count suspected attacks in bodies, because users write all kinds of text', () => {
    const [acl] = resourcesOf(template, 'AWS::WAFv2::WebACL').map(([, { Properties }]) => Properties);
    const rules = acl?.Rules as ReadonlyArray<{
      readonly Name: string;
      readonly Statement: {
        readonly ManagedRuleGroupStatement?: { readonly RuleActionOverrides?: readonly unknown[] };
      };
    }>;

    const common = rules.find(({ Name }) => Name === 'AWSManagedRulesCommonRuleSet');

    for (const rule of [
      'SizeRestrictions',
      'CrossSiteScripting',
      'EC2MetaDataSSRF',
      'GenericLFI',
      'GenericRFI',
    ]) {
      expect(common?.Statement.ManagedRuleGroupStatement?.RuleActionOverrides).toContainEqual({
        Name: `${rule}_BODY`,
        ActionToUse: { Count: {} },
      });
    }
  });

  interface Rule {
    readonly Name: string;
    readonly Statement: {
      readonly RateBasedStatement?: {
        readonly Limit: number;
        readonly AggregateKeyType: string;
        readonly ScopeDownStatement?: { readonly RegexMatchStatement: { readonly RegexString: string } };
      };
    };
  }
  /** The firewall rules of the API with this name. */
  const rulesOf = (of: StackTemplate, api: string): readonly Rule[] => {
    const [, association] =
      resourcesOf(of, 'AWS::WAFv2::WebACLAssociation').find(([, { Properties }]) =>
        JSON.stringify(Properties.ResourceArn).includes(`"${api}Api`),
      ) ?? [];
    const acl = JSON.stringify(association?.Properties.WebACLArn);
    const [, found] = resourcesOf(of, 'AWS::WAFv2::WebACL').find(([id]) => acl.includes(`"${id}"`)) ?? [];
    return found?.Properties.Rules as readonly Rule[];
  };

  it("limit each address to a part of the stage's throttle, on each kind of path without a key", () => {
    const limits = rulesOf(template, 'Base').flatMap(({ Name, Statement: { RateBasedStatement: rate } }) =>
      rate?.ScopeDownStatement === undefined ? [] : [{ Name, ...rate }],
    );
    const throttled = prod.throttle.ratePerSecond * 5 * 60;
    const kinds = {
      '/prod/api/v3/ott/events/': 'requests-per-address-list-events',
      '/api/v3/ott/events/cup-final': 'requests-per-address-get-event',
      '/prod/api/v3/ott/events/cup-final/stream': 'requests-per-address-get-stream',
      '/prod/api/v1/nft/contracts/0x12/mint': 'requests-per-key-mint',
      '/prod/api/v1/nft/contracts/0x12/mint/batch/': 'requests-per-key-mint',
      '/prod/user/data': 'requests-per-address-user-data',
      '/prod/user-data/read': 'requests-per-key-read-user-data',
      '/prod/user-data/read/batch': 'requests-per-key-read-user-data',
      '/prod/api/v1/nft/contracts/': undefined,
    };

    for (const [path, kind] of Object.entries(kinds)) {
      const matching = limits.filter(({ ScopeDownStatement }) =>
        new RegExp(ScopeDownStatement?.RegexMatchStatement.RegexString ?? '').test(path),
      );
      expect(matching.map(({ Name }) => Name)).toEqual(kind ? [kind] : []);
    }
    for (const { Limit } of limits.filter(({ AggregateKeyType }) => AggregateKeyType === 'IP')) {
      expect(Limit * 5).toBeLessThan(throttled);
    }
  });

  it('limit no addresses of the API behind a distribution, but those of the other APIs', () => {
    const behind = templateOfStage({ ...prod, ott: { ...prod.ott, behindDistribution: true } });
    const byAddress = (api: string) =>
      rulesOf(behind, api).filter(({ Statement }) => Statement.RateBasedStatement !== undefined).length;

    expect(byAddress('Base')).toBe(0);
    expect(rulesOf(behind, 'Base').map(({ Name }) => Name)).toContain('AWSManagedRulesCommonRuleSet');
    expect(byAddress('B2b')).toBeGreaterThan(1);
    expect(byAddress('Profile')).toBeGreaterThan(1);
  });
});
