import type { StageInput } from './stage.ts';

/** A stage for tests on Polygon's test chain Amoy. Its limits are lower than prod's, and its streams are not signed. */
export const staging: StageInput = {
  name: 'staging',
  retainData: false,
  protected: false,
  logRetentionDays: 30,
  alarmEmails: [],
  firewall: { requestsPerAddress: 20_000, requestsPerKeyAndPath: 16_000, requestsPerAddressAndPath: 6_000 },
  publicBaseUrls: {},
  throttle: { ratePerSecond: 200, burst: 400 },
  tiers: {
    trial: { ratePerSecond: 5, burst: 10, perDay: 10_000 },
    standard: { ratePerSecond: 50, burst: 100 },
  },
  oidc: {
    issuer: 'https://id.staging.example.com',
    audience: { claim: 'aud', values: ['marquee'] },
  },
  nft: {
    chainId: 80_002,
    explorer: 'https://amoy.polygonscan.com',
    feeCeiling: '500 gwei',
    endpointFeeCap: 5,
    minimumTip: '25 gwei',
  },
  userData: {},
  ott: {
    entitlement: { url: 'https://entitlement.example.com' },
    geolocation: {},
    defaultApplication: 'example',
    playback: { signing: 'none' },
  },
};
