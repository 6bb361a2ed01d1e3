import type { StageInput } from './stage.ts';

/** The stage that `npm start` deploys to its embedded engines. */
export const local: StageInput = {
  name: 'local',
  retainData: false,
  protected: false,
  logRetentionDays: 1,
  alarmEmails: [],
  publicBaseUrls: {
    base: { parameter: 'PublicBaseUrlBase' },
    b2b: { parameter: 'PublicBaseUrlB2b' },
    profile: { parameter: 'PublicBaseUrlProfile' },
  },
  throttle: { ratePerSecond: 5_000, burst: 5_000 },
  tiers: {
    standard: { ratePerSecond: 2_000, burst: 2_000 },
  },
  oidc: {
    issuer: { parameter: 'OidcIssuer' },
    audience: { claim: 'aud', values: ['marquee'] },
  },
  nft: {
    chainId: 31_337,
    signers: 3,
    blockSeconds: 1,
    feeCeiling: '1000 gwei',
    minimumTip: '1 gwei',
    replaceAfterSeconds: 10,
  },
  // Short, so that you soon see the retry of something that could not be recorded.
  userData: { recordRetrySeconds: 15 },
  ott: {
    // Short, so that you soon see how an outage is bridged, and how that ends.
    entitlement: { url: { parameter: 'EntitlementUrl' }, lastKnownGoodSeconds: 20 },
    // Short, so that you soon see a country that you gave to an address.
    geolocation: { url: { parameter: 'GeolocationUrl' }, cacheSeconds: 2 },
    defaultApplication: 'demo',
    // Short, so that you soon see that who sold a ticket no longer watches.
    ticketSeconds: 60,
    ownTicketEndpoints: true,
    // Short, so that you soon see a place become free that a closed page has left.
    sessionSeconds: 30,
    // Short, so that you soon see what happens when a signature ends.
    playback: {
      signing: 'cookies',
      domain: '127.0.0.1',
      origins: [{ parameter: 'PlayerOrigin' }],
      lifetimeSeconds: 30,
    },
  },
};
