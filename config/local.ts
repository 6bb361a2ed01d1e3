import type { StageInput } from './stage.ts';

/** The stage that `npm start` deploys to the local runtime. */
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
    // A wallet can be used for a claim as soon as it is linked.
    claimAfterSeconds: 0,
  },
  userData: {
    // Short, so that a notification that could not be recorded is soon tried again.
    recordRetrySeconds: 15,
    // Short, so that you soon see an endpoint that works again receive what it missed.
    redelivery: {
      stepSeconds: [5, 30, 120, 300, 600, 600],
      thenEverySeconds: 720,
      forSeconds: 4 * 3_600,
      // SNS's three retries take a minute.
      outcomeSeconds: 90,
    },
    // Those of the player.
    accountClients: ['demo-web', 'partner-web', 'arena-web'],
  },
  ott: {
    // Short, so that in an outage you soon see a viewer with an earlier grant lose access.
    entitlement: { url: { parameter: 'EntitlementUrl' }, lastKnownGoodSeconds: 20 },
    // Short, so that a change of an IP address's country soon takes effect.
    geolocation: { url: { parameter: 'GeolocationUrl' }, cacheSeconds: 2 },
    defaultApplication: 'demo',
    // Short, so that you soon see that a viewer who has sold a ticket can no longer watch.
    ticketSeconds: 60,
    ownTicketEndpoints: true,
    // Short, so that the session of a closed page soon stops counting towards the viewer's limit of streams.
    sessionSeconds: 30,
    // Short, so that you soon see what happens when a signature expires.
    playback: {
      signing: 'cookies',
      domain: '127.0.0.1',
      origins: [{ parameter: 'PageOrigins' }],
      lifetimeSeconds: 30,
    },
  },
};
