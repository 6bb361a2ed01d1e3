import * as z from 'zod';
import { alarmEmails, allAddresses } from './alarm-emails.ts';
import { concurrencyConfig } from './concurrency.ts';
import { configuredBaseUrl } from './configured-url.ts';
import { nftConfig } from './nft.ts';
import { oidcConfig } from './oidc.ts';
import { isLocalOrigin, ottConfig } from './ott.ts';
import { userDataConfig } from './user-data.ts';

const tier = z.strictObject({
  /** How many requests a second an API key of this tier may make continuously. */
  ratePerSecond: z.number().positive(),
  /** How many requests an API key may make in a burst. */
  burst: z.int().positive(),
  /** How many requests a day an API key may make. @default no quota */
  perDay: z.int().positive().optional(),
});

const stageFields = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9]{1,15}$/),
  /** Whether tables, keys, secrets and logs stay when the stack is deleted. */
  retainData: z.boolean(),
  /**
   * Whether the stack and its tables are protected from deletion. Use false for the first deployment, because
   * CloudFormation cannot roll back a failed first deployment of a protected stack. After the first deployment has
   * succeeded and the stage is set up, set it to true and deploy again.
   */
  protected: z.boolean(),
  /**
   * AWS Backup backs up the tables each night, and copies the backups into another vault. @default no backups besides
   * point-in-time recovery
   */
  backup: z
    .strictObject({
      /** The ARN of a vault that exists, in another Region of the account. */
      copyTo: z
        .string()
        .regex(
          /^arn:aws[\w-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]+$/,
          'must be the ARN of a backup vault',
        ),
      /** How many days each backup and its copy are kept. */
      keptDays: z.int().min(1).max(36_500).default(35),
    })
    .optional(),
  logRetentionDays: z.union([1, 3, 5, 7, 14, 30, 60, 90, 180, 365].map((days) => z.literal(days))),
  /**
   * Whether the stage has alarms, and a canary that calls it from outside. Without them, `operator status` and the
   * console still show what they read themselves.
   */
  alarms: z.boolean().default(true),
  /**
   * The email addresses that receive alarms. The owner of each address must confirm the subscription in an email from
   * AWS.
   */
  alarmEmails,
  /**
   * US dollars a month. An email goes to `alarmEmails` when the costs of the month exceed 80 % of this budget or are
   * forecast to exceed all of it, and when the costs of one day exceed a tenth of it. @default no budget
   */
  monthlyBudget: z.union([z.number().positive(), z.literal('none')]).optional(),
  /** A web application firewall in front of each API. @default none */
  firewall: z
    .strictObject({
      /** How many requests one IP address may make in five minutes. */
      requestsPerAddress: z.int().min(10).max(2_000_000_000),
      /**
       * How many requests one IP address may make in five minutes with one API key to one kind of path that needs a
       * key, such as minting.
       */
      requestsPerKeyAndPath: z.int().min(10).max(2_000_000_000),
      /**
       * How many requests one IP address may make in five minutes to one kind of path that needs no key, such as the
       * list of events. Keep it well below 300 × `throttle.ratePerSecond`, which is what all callers of a method
       * together may make in that time. Otherwise a few addresses can use up the method's throttle.
       */
      requestsPerAddressAndPath: z.int().min(10).max(2_000_000_000),
    })
    .optional(),
  /** The public base URLs of the APIs. @default the URL that API Gateway gives to the API */
  publicBaseUrls: z.strictObject({
    base: configuredBaseUrl.optional(),
    b2b: configuredBaseUrl.optional(),
    profile: configuredBaseUrl.optional(),
  }),
  /**
   * Whether the addresses that API Gateway gives to the APIs answer nobody, so that callers can use only
   * `publicBaseUrls`. `preflight` refuses it while a collection's metadata is served at such an address. @default false
   */
  disableExecuteApiEndpoint: z.boolean().default(false),
  /** The limit for all callers of one API method together, such as `POST …/mint`. Each method has its own limit. */
  throttle: z.strictObject({ ratePerSecond: z.number().positive(), burst: z.int().positive() }),
  /** The tiers by name. Each tier has a usage plan, and each API key belongs to exactly one tier. */
  tiers: z
    .record(z.string().regex(/^[a-z][a-z0-9-]*$/), tier)
    .refine((tiers) => Object.keys(tiers).length > 0, {
      error: 'at least one tier is necessary',
    }),
  /** @default every function shares the account's concurrency */
  concurrency: concurrencyConfig.optional(),
  oidc: oidcConfig,
  nft: nftConfig,
  userData: userDataConfig,
  ott: ottConfig,
});

/** AWS WAF measures rates only approximately, so its limit is this factor times the rate that a tier allows. */
const firewallMargin = 1.05;

/** How many requests a key of the tier may make in any five minutes. */
const inFiveMinutes = ({ ratePerSecond, burst }: z.output<typeof tier>): number =>
  300 * ratePerSecond + burst;

const stageConfig = stageFields
  .superRefine(({ tiers, firewall }, context) => {
    if (firewall === undefined) return;
    for (const [name, limits] of Object.entries(tiers)) {
      const needed = Math.ceil(inFiveMinutes(limits) * firewallMargin);
      for (const field of ['requestsPerAddress', 'requestsPerKeyAndPath'] as const) {
        if (firewall[field] >= needed) continue;
        const message = `must be at least ${needed}: otherwise the firewall refuses a customer of the tier ${name} that calls from one address at the tier's rate`;
        context.addIssue({ code: 'custom', path: ['firewall', field], message });
      }
    }
  })
  .refine(
    ({ monthlyBudget, alarmEmails: emails }) => {
      const { length } = allAddresses(emails);
      return typeof monthlyBudget !== 'number' || (length > 0 && length <= 10);
    },
    {
      path: ['monthlyBudget'],
      error: 'needs one to ten alarmEmails, which AWS Budgets notifies',
    },
  )
  .refine(({ alarms, alarmEmails: emails }) => alarms || allAddresses(emails).length === 0, {
    path: ['alarmEmails'],
    error: 'must be empty on a stage without alarms',
  })
  .refine(
    ({ disableExecuteApiEndpoint, publicBaseUrls: { base, b2b, profile } }) =>
      !disableExecuteApiEndpoint || [base, b2b, profile].every((each) => each !== undefined),
    {
      path: ['disableExecuteApiEndpoint'],
      error: 'needs a public base URL for each API: without one, nobody could call it',
    },
  )
  .refine(({ retainData, backup }) => backup === undefined || retainData, {
    path: ['backup'],
    error: 'needs retainData: backups of a stage whose tables go with its stack help nobody',
  })
  .refine(({ retainData, ott }) => !retainData || ott.playback.signing !== 'none', {
    path: ['ott', 'playback', 'signing'],
    error:
      'must not be none on a stage with retainData: anyone who knows a stream’s URL could play the stream for ever',
  })
  .refine(
    ({ retainData, ott: { playback } }) =>
      !retainData ||
      playback.signing !== 'cookies' ||
      !playback.origins.some((each) => typeof each === 'string' && isLocalOrigin(each)),
    {
      path: ['ott', 'playback', 'origins'],
      error:
        'must all begin with https:// on a stage with retainData: any program on a viewer’s machine can serve pages of http://localhost',
    },
  )
  .refine(({ retainData, alarms, ott }) => !(retainData || alarms) || ott.defaultApplication !== undefined, {
    path: ['ott', 'defaultApplication'],
    error:
      'must be set on a stage with retainData or alarms: otherwise, calls with neither a token nor x-client-id get a 400, also the canary’s',
  })
  .refine(({ ott }) => ott.geolocation.fallback !== 'none' || ott.behindDistribution, {
    path: ['ott', 'geolocation', 'fallback'],
    error: 'must not be none without ott.behindDistribution: then no country of any viewer is known',
  })
  .refine(({ nft }) => nft.signerKeys.length <= nft.signers, {
    path: ['nft', 'signerKeys'],
    error: 'must not name more keys than nft.signers',
  })
  .refine(({ concurrency, nft }) => concurrency === undefined || concurrency.waiter >= nft.signers, {
    path: ['concurrency', 'waiter'],
    error:
      'must be at least nft.signers, because each signer with unfinished transactions needs its own waiter',
  });

export type StageConfig = z.output<typeof stageConfig>;
/** The contents of a stage's file; fields with a default may be left out. */
export type StageInput = z.input<typeof stageConfig>;

/** Checks the contents of a stage's file and adds the defaults. @throws Error that names every invalid field */
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
