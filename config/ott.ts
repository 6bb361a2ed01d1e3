import * as z from 'zod';
import { configuredUrl, parameter } from './configured-url.ts';

const isThisMachine = ({ protocol, hostname }: URL) =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1');

/** Whether a page of this origin is served by the developer's own machine, without TLS. */
export const isLocalOrigin = (text: string): boolean => URL.canParse(text) && isThisMachine(new URL(text));

const origin = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const url = new URL(text);
    return url.origin === text && (url.protocol === 'https:' || isThisMachine(url));
  },
  {
    error:
      'must be an origin such as https://www.example.com, without a path and without a slash at the end; http is only possible for localhost and 127.0.0.1',
  },
);

const configuredOrigins = z
  .array(z.union([origin, parameter]))
  .min(1)
  .refine((origins) => origins.length === 1 || origins.every((each) => typeof each === 'string'), {
    error: 'must be only the parameter if there is one, because the parameter is a list of origins',
  });
export type ConfiguredOrigins = z.output<typeof configuredOrigins>;

/** How a stage protects its streams. `lifetimeSeconds` is how long a signed URL or signed cookies are valid. */
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
    domain: z.hostname().regex(/\./, 'must contain a dot: browsers refuse cookies for a top-level domain'),
    /**
     * The origins of the pages that play streams. A browser stores the cookies of a response only if the response
     * allows the page's origin. Pages of other origins cannot read the responses of the stream call. If the origins are
     * known only at deployment, the stage's file names a template parameter instead, which is a comma-separated list.
     */
    origins: configuredOrigins,
    /**
     * A viewer who may no longer play, because an event was cancelled or a country was blocked, plays on until the
     * cookies expire.
     */
    lifetimeSeconds: z.int().min(30).max(86_400).default(600),
  }),
]);

export const ottConfig = z.strictObject({
  entitlement: z.strictObject({
    /** The service's URL without a trailing slash. `/v1/check` is appended to it. */
    url: configuredUrl,
    /**
     * During an outage of the service, a viewer whose last answer for an event was a grant can play the event until
     * this many seconds after that answer. No other viewer can play paid streams during the outage.
     */
    lastKnownGoodSeconds: z.int().min(0).max(300).default(0),
    /** How many requests a second the service can answer. Only `preflight` uses this number. @default unknown */
    requestsPerSecond: z.int().min(1).optional(),
  }),
  geolocation: z.strictObject({
    /**
     * What is asked for the country of a request that the distribution does not know: MaxMind, or nobody. With `none`,
     * the stage needs no account of MaxMind, and the country of such a request stays unknown. Only with
     * `behindDistribution`.
     */
    fallback: z.enum(['maxmind', 'none']).default('maxmind'),
    /** The service's URL without a trailing slash. `/geoip/v2.1/country/…` is appended to it. */
    url: configuredUrl.default('https://geoip.maxmind.com'),
    /** How long the country of an IP address is cached. */
    cacheSeconds: z.int().min(0).max(86_400).default(3_600),
  }),
  /** The application whose rules apply where neither a token nor `x-client-id` names a client. @default none */
  defaultApplication: z.string().min(1).optional(),
  playback,
  /**
   * How long a signed URL or signed cookies are valid for a ticket holder, counted from the query that found the ticket
   * on the chain. A viewer who then sells the ticket can watch until this time is over. A user who links a wallet that
   * was another user's must wait ten seconds longer before the wallet's tickets open anything.
   */
  ticketSeconds: z.int().min(60).max(3_600).default(300),
  /**
   * How long a session lasts unless it is renewed. Only applications that limit streams use sessions. If a device
   * disappears, its session counts towards the viewer's limit for at most this time. The time is capped at
   * `playback.lifetimeSeconds`.
   */
  sessionSeconds: z.int().min(30).max(3_600).default(300),
  /**
   * How many viewers play at the same time on the largest evening with a session, so paid streams in applications that
   * limit streams. Only `preflight` uses it. @default not checked
   */
  expectedViewers: z.int().min(1).max(100_000_000).optional(),
  /**
   * How many more viewers play at the same time without a session. Their pages renew only cookies. Only `preflight`
   * uses it. @default none
   */
  expectedViewersWithoutSession: z.int().min(1).max(100_000_000).optional(),
  /**
   * Whether tickets are checked at separate RPC endpoints, which the secret `ticket-chain` contains. If so,
   * checking viewers' tickets never uses up the RPC provider's request quota that mints need.
   */
  ownTicketEndpoints: z.boolean().default(false),
  /**
   * The limit for all editors of one API method together, such as `PUT …/catalogue/{event_id}`. It replaces `throttle` of
   * the stage, so that a script of an editor takes nothing from viewers.
   */
  editing: z
    .strictObject({
      ratePerSecond: z.number().positive(),
      burst: z.int().positive(),
      /** With more changes of events in an hour by one key, `status` and the console name the key as a problem. */
      changesPerHour: z.int().positive().default(300),
    })
    .default({ ratePerSecond: 50, burst: 100, changesPerHour: 300 }),
  /**
   * Whether all OTT calls must come through a CloudFront distribution. The viewer's address and country are then read
   * from the distribution's headers.
   */
  behindDistribution: z.boolean().default(false),
});
