import type { StageInput } from './stage.ts';

export const prod: StageInput = {
  name: 'prod',
  retainData: true,
  // Set this to true after the first deployment has succeeded and the stage is set up.
  protected: false,
  logRetentionDays: 365,
  alarmEmails: [],
  firewall: {
    requestsPerAddress: 200_000,
    requestsPerKeyAndPath: 160_000,
    requestsPerAddressAndPath: 60_000,
  },
  publicBaseUrls: {},
  concurrency: {
    waiter: 5,
    watcher: 10,
    publisher: 60,
    eventPublisher: 2,
    signing: 70,
    updating: 8,
    lists: 290,
    ott: 75,
    editing: 15,
    recorder: 30,
    forwarder: 5,
    replays: 5,
  },
  throttle: { ratePerSecond: 4_000, burst: 5_000 },
  tiers: {
    trial: { ratePerSecond: 5, burst: 10, perDay: 10_000 },
    standard: { ratePerSecond: 50, burst: 100 },
    premium: { ratePerSecond: 500, burst: 1_000 },
  },
  oidc: {
    issuer: 'https://id.example.com',
    audience: { claim: 'aud', values: ['marquee'] },
  },
  nft: {
    chainId: 137,
    explorer: 'https://polygonscan.com',
    signers: 2,
    feeCeiling: '1500 gwei',
    endpointFeeCap: 5,
    minimumTip: '25 gwei',
  },
  userData: {},
  ott: {
    entitlement: { url: 'https://entitlement.example.com' },
    geolocation: {},
    defaultApplication: 'example',
    playback: { signing: 'cookies', domain: 'example.com', origins: ['https://www.example.com'] },
  },
};
