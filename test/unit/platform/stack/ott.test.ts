import { describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { parseStage, type StageInput } from '../../../../config/stage.ts';
import { routesOf } from '../../../support/platform/api-routes.ts';
import { resourcesOf, type StackTemplate, templateOfStage } from '../../../support/platform/stack.ts';

/** The template of prod with other settings for OTT and without a firewall. */
const templateWith = (ott: Readonly<Record<string, unknown>>): StackTemplate => {
  const { firewall: _, ...withoutFirewall } = prod;
  return templateOfStage({ ...withoutFirewall, ott: { ...prod.ott, ...ott } } as StageInput);
};

const environmentOf = (template: StackTemplate, service: string): Record<string, unknown> => {
  const environments = resourcesOf(template, 'AWS::Lambda::Function').map(
    ([, { Properties }]) =>
      (Properties.Environment as { Variables: Record<string, unknown> } | undefined)?.Variables ?? {},
  );
  return environments.find(({ POWERTOOLS_SERVICE_NAME: name }) => name === service) ?? {};
};

/** The gateway's answer to OPTIONS on this path. */
const preflightOf = (template: StackTemplate, path: string) =>
  routesOf(template).find((route) => route.method === 'OPTIONS' && route.path === path)?.integration.responses
    ?.default;

describe('a stage that takes countries from its distribution alone', () => {
  const behind = { behindDistribution: true, geolocation: { fallback: 'none' as const } };
  const template = templateWith(behind);
  const text = JSON.stringify(template);

  it('has no secret, address and alarm of a geolocation service', () => {
    expect(text).not.toMatch(/geolocation/i);
    for (const service of ['ott/list-events', 'ott/get-event', 'ott/get-stream'])
      expect(environmentOf(template, service)).not.toHaveProperty('GEOLOCATION_URL');
    expect(JSON.stringify(templateWith({ behindDistribution: true }))).toMatch(/GEOLOCATION_UNAVAILABLE/);
  });

  it('is refused without a distribution, because no country would be known', () => {
    expect(() => templateWith({ ...behind, behindDistribution: false })).toThrow(
      /ott\.geolocation\.fallback: must not be none/,
    );
  });
});

describe('a stage that signs cookies behind a CloudFront distribution', () => {
  const template = templateWith({
    behindDistribution: true,
    defaultApplication: 'fan-app',
    playback: {
      signing: 'cookies',
      domain: 'media.example.com',
      origins: ['https://www.example.com', 'https://tv.example.com'],
      lifetimeSeconds: 3_600,
    },
  });

  it('gives the signing settings to the stream function only', () => {
    expect(environmentOf(template, 'ott/get-stream')).toMatchObject({
      PLAYBACK_SIGNING: 'cookies',
      PLAYBACK_SECONDS: '3600',
      PLAYBACK_COOKIE_DOMAIN: 'media.example.com',
      PLAYBACK_ORIGINS: 'https://www.example.com https://tv.example.com',
      PLAYBACK_SECRET_ARN: expect.anything(),
    });
    expect(environmentOf(template, 'ott/get-event')).not.toHaveProperty('PLAYBACK_SECRET_ARN');
  });

  it('answers the CORS preflight of its own pages, and allows cookies for the stream call only', () => {
    const stream = preflightOf(template, '/api/v3/ott/events/{event_id}/stream');
    const list = preflightOf(template, '/api/v3/ott/events');

    expect(stream?.responseParameters).toMatchObject({
      'method.response.header.Access-Control-Allow-Origin': "'https://www.example.com'",
      'method.response.header.Access-Control-Allow-Credentials': "'true'",
      'method.response.header.Vary': "'Origin'",
    });
    expect(stream?.responseTemplates?.['application/json']).toContain(
      '["https://www.example.com", "https://tv.example.com"]',
    );
    expect(list?.responseParameters).toMatchObject({
      'method.response.header.Access-Control-Allow-Origin': "'*'",
    });
    expect(list?.responseParameters).not.toHaveProperty(
      'method.response.header.Access-Control-Allow-Credentials',
    );
  });

  it.each(['ott/list-events', 'ott/get-event', 'ott/get-stream'])(
    'gives %s the secret that verifies the origin',
    (service) => {
      expect(environmentOf(template, service)).toMatchObject({
        ORIGIN_VERIFY_SECRET_ARN: expect.anything(),
        DEFAULT_APPLICATION_ID: 'fan-app',
      });
    },
  );
});

describe('a changed list of playback origins', () => {
  const deploymentFor = (...others: readonly string[]) => {
    const playback = { ...prod.ott.playback, origins: ['https://www.example.com', ...others] };
    const deployments = resourcesOf(templateWith({ playback }), 'AWS::ApiGateway::Deployment');
    return deployments.map(([id]) => id).filter((id) => id.startsWith('BaseApi'));
  };

  it('makes a new deployment of the base API, because the stage serves what was last deployed', () => {
    const [one, two, same] = [deploymentFor(), deploymentFor('https://tv.example.com'), deploymentFor()];

    expect(one).toHaveLength(1);
    expect(two).not.toEqual(one);
    expect(same).toEqual(one);
  });
});

describe('the duration of a session', () => {
  const secondsOf = (lifetimeSeconds: number) => {
    const playback = { ...prod.ott.playback, lifetimeSeconds };
    return environmentOf(templateWith({ sessionSeconds: 300, playback }), 'ott/get-stream').SESSION_SECONDS;
  };

  it('equals the setting of the stage, but never exceeds the life of a signature', () => {
    expect([secondsOf(3_600), secondsOf(120)]).toEqual(['300', '120']);
  });
});

describe('a stage without signing and without a distribution', () => {
  const { firewall: _, ...withoutFirewall } = prod;
  const { defaultApplication: __, ...others } = prod.ott;
  // This stage keeps no data and has no alarms, since one that does must sign streams or name a default application.
  const template = templateOfStage({
    ...withoutFirewall,
    retainData: false,
    alarms: false,
    ott: { ...others, playback: { signing: 'none' } },
  });

  it('has no secrets for signing and for the origin', () => {
    const environment = environmentOf(template, 'ott/get-stream');

    expect(environment).toMatchObject({ PLAYBACK_SIGNING: 'none' });
    expect(environment).not.toHaveProperty('PLAYBACK_SECRET_ARN');
    expect(environment).not.toHaveProperty('ORIGIN_VERIFY_SECRET_ARN');
    expect(environment).not.toHaveProperty('DEFAULT_APPLICATION_ID');
  });
});

describe('a stage with lastKnownGood for entitlements', () => {
  const bridging = templateWith({ entitlement: { ...prod.ott.entitlement, lastKnownGoodSeconds: 120 } });

  it('stores decisions in a table with expiry, and gives the setting to the stream function only', () => {
    const [tableId, table] =
      resourcesOf(bridging, 'AWS::DynamoDB::Table').find(([id]) => id.includes('Grants')) ?? [];

    expect(table?.Properties).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    });
    expect(environmentOf(bridging, 'ott/get-stream')).toMatchObject({
      GRANTS_TABLE: { Ref: tableId },
      LAST_KNOWN_GOOD_SECONDS: '120',
    });
    expect(environmentOf(bridging, 'ott/get-event')).not.toHaveProperty('LAST_KNOWN_GOOD_SECONDS');
  });

  it('requires the duration in its file', () => {
    expect(environmentOf(templateWith({}), 'ott/get-stream')).toMatchObject({ LAST_KNOWN_GOOD_SECONDS: '0' });
  });
});

describe('the OTT settings of a stage', () => {
  const cookies = { signing: 'cookies', domain: 'example.com' };
  const notOrigins = [
    '*',
    'http://www.example.com',
    'https://www.example.com/',
    'www.example.com',
    'http://localhost.example.com',
  ];
  const refused: Array<[path: string, ott: Record<string, unknown>]> = [
    ['ott.playback.domain', { playback: { ...cookies, domain: 'localhost' } }],
    ['ott.playback.origins', { playback: cookies }],
    ['ott.playback.origins', { playback: { ...cookies, origins: [] } }],
    ...notOrigins.map((origin): [string, Record<string, unknown>] => [
      'ott.playback.origins.0',
      { playback: { ...cookies, origins: [origin] } },
    ]),
    ['ott.playback.lifetimeSeconds', { playback: { signing: 'url', lifetimeSeconds: 0 } }],
    ['ott.entitlement.url', { entitlement: { url: 'entitlement' } }],
    [
      'ott.entitlement.lastKnownGoodSeconds',
      { entitlement: { ...prod.ott.entitlement, lastKnownGoodSeconds: 301 } },
    ],
    ['ott.geolocation.cacheSeconds', { geolocation: { cacheSeconds: -1 } }],
  ];

  it.each(refused)('are rejected, and the error names %s', (path, ott) => {
    expect(() => parseStage('test', { ...prod, ott: { ...prod.ott, ...ott } })).toThrow(path);
  });
});
