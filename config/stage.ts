import * as z from 'zod';
import { concurrencyConfig } from './concurrency.ts';
import { configuredBaseUrl } from './configured-url.ts';
import { nftConfig } from './nft.ts';
import { oidcConfig } from './oidc.ts';
import { ottConfig } from './ott.ts';
import { userDataConfig } from './user-data.ts';

const tier = z.strictObject({
  /** Sustained requests a second for a key of this tier. */
  ratePerSecond: z.number().positive(),
  /** The size of a burst. */
  burst: z.int().positive(),
  /** Requests a day for one key. @default no quota */
  perDay: z.int().positive().optional(),
});

const stageFields = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9]{1,15}$/),
  /** Keep tables, keys and logs when the stack is deleted. */
  retainData: z.boolean(),
  /**
   * Protect the stack and its tables from deletion. False for the first deployment, because CloudFormation could not
   * roll back a failed one; then set it to true and deploy again.
   */
  protected: z.boolean(),
  logRetentionDays: z.union([1, 3, 5, 7, 14, 30, 60, 90, 180, 365].map((days) => z.literal(days))),
  /** E-mail addresses that are notified by alarms; each confirms by the mail it gets. */
  alarmEmails: z.array(z.email()),
  /** A web application firewall in front of each API. @default none */
  firewall: z
    .strictObject({
      /** How many requests one address may make in five minutes. */
      requestsPerAddress: z.int().min(10).max(2_000_000_000),
      /**
       * The limit for any one kind of path, such as minting or the list of events. Keep it well below what `throttle`
       * lets through for a method in that time: otherwise a few addresses leave nothing for the others.
       */
      requestsPerAddressAndPath: z.int().min(10).max(2_000_000_000),
    })
    .optional(),
  /** Base addresses by which callers know the APIs. @default the API's own address */
  publicBaseUrls: z.strictObject({
    base: configuredBaseUrl.optional(),
    b2b: configuredBaseUrl.optional(),
    profile: configuredBaseUrl.optional(),
  }),
  /** The limit of all callers together for any one method of an API, such as `POST …/mint`. */
  throttle: z.strictObject({ ratePerSecond: z.number().positive(), burst: z.int().positive() }),
  /** One usage plan for each tier. An application's key belongs to exactly one. */
  tiers: z
    .record(z.string().regex(/^[a-z][a-z0-9-]*$/), tier)
    .refine((tiers) => Object.keys(tiers).length > 0, {
      error: 'at least one tier',
    }),
  /** @default every function shares the account's concurrency */
  concurrency: concurrencyConfig.optional(),
  oidc: oidcConfig,
  nft: nftConfig,
  userData: userDataConfig,
  ott: ottConfig,
});

const stageConfig = stageFields
  .refine(({ retainData, ott }) => !retainData || ott.playback.signing !== 'none', {
    path: ['ott', 'playback', 'signing'],
    error:
      'must not be none where data is kept (retainData): whoever knows an address would play it for ever',
  })
  .refine(({ retainData, ott }) => !retainData || ott.defaultApplication !== undefined, {
    path: ['ott', 'defaultApplication'],
    error: 'must be named where data is kept (retainData): calls without a token or x-client-id would be 400',
  })
  .refine(({ concurrency, nft }) => concurrency === undefined || concurrency.waiter >= nft.signers, {
    path: ['concurrency', 'waiter'],
    error: 'at least nft.signers: one for each signer with unfinished work',
  });

export type StageConfig = z.output<typeof stageConfig>;
/** The contents of a stage's file; fields with a default may be left out. */
export type StageInput = z.input<typeof stageConfig>;

/** The stage's configuration, or an error that names every wrong field. */
export function parseStage(file: string, input: unknown): StageConfig {
  const result = stageConfig.safeParse(input);
  if (result.success) {
    return result.data;
  }
  const mistakes = result.error.issues.map(
    (issue) => `  ${issue.path.join('.') || '(root)'}: ${issue.message}`,
  );
  throw new Error([`${file} is not a valid stage:`, ...mistakes].join('\n'));
}
