import * as z from 'zod';
import { configuredUrl, parameter } from './configured-url.ts';

const origin = z
  .url({ protocol: /^https$/ })
  .refine((text) => URL.canParse(text) && new URL(text).origin === text, {
    error: 'must be an origin such as https://www.example.com, without a path or a slash at its end',
  });

/** How a stage protects its streams. `lifetimeSeconds` is how long one answer can be played. */
const playback = z.discriminatedUnion('signing', [
  z.strictObject({ signing: z.literal('none') }),
  z.strictObject({
    /** CloudFront signed URLs, for streams of a single file. */
    signing: z.literal('url'),
    lifetimeSeconds: z.int().min(30).max(86_400).default(900),
  }),
  z.strictObject({
    /** CloudFront signed cookies, for HLS and DASH. */
    signing: z.literal('cookies'),
    /** The parent domain that the API and the distribution share. */
    domain: z.hostname().regex(/\./, 'must have a dot: browsers refuse cookies for a top-level domain'),
    /**
     * Origins of the pages that play: a browser takes cookies only from an answer that names its page's origin. Other
     * pages cannot read the stream call's answers.
     */
    origins: z.array(z.union([origin, parameter])).min(1),
    lifetimeSeconds: z.int().min(30).max(86_400).default(14_400),
  }),
]);

export const ottConfig = z.strictObject({
  entitlement: z.strictObject({
    /** Without a trailing slash; `/v1/check` is appended. */
    url: configuredUrl,
    /**
     * During an outage, a viewer whose last answer for an event was a grant may play it for this long after that
     * answer. 0: nobody may.
     */
    lastKnownGoodSeconds: z.int().min(0).max(300).default(0),
    /** What the service can answer, for `preflight`. @default not known */
    requestsPerSecond: z.int().min(1).optional(),
  }),
  geolocation: z.strictObject({
    /** Without a trailing slash; `/geoip/v2.1/country/…` is appended. */
    url: configuredUrl.default('https://geoip.maxmind.com'),
    /** How long the country of an address is cached. */
    cacheSeconds: z.int().min(0).max(86_400).default(3_600),
  }),
  /** The application whose rules apply where neither a token nor `x-client-id` names a client. @default none */
  defaultApplication: z.string().min(1).optional(),
  playback,
  /**
   * How long what is signed for a ticket lasts after the chain was asked who holds it. So long does a stream go on for
   * somebody who has just sold theirs, and so long does a moved wallet open nothing for its new user.
   */
  ticketSeconds: z.int().min(60).max(3_600).default(300),
  /**
   * How long a session of an application that limits streams lasts until it is renewed. So long does a device that has
   * gone take up its place. Never longer than what is signed, `playback.lifetimeSeconds`.
   */
  sessionSeconds: z.int().min(30).max(3_600).default(300),
  /** How many viewers play at once on the largest evening, for `preflight`. @default not checked */
  expectedViewers: z.int().min(1).max(100_000_000).optional(),
  /** Whether tickets are asked for at RPC endpoints of their own (`TicketChainSecret`), so that viewers never use up what mints need. */
  ownTicketEndpoints: z.boolean().default(false),
  /** Whether every request comes through a CloudFront distribution, whose headers then count. */
  behindDistribution: z.boolean().default(false),
});
