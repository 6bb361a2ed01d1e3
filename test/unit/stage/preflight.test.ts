import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prod } from '../../../config/prod.ts';
import { parseStage, type StageInput } from '../../../config/stage.ts';
import { staging } from '../../../config/staging.ts';
import { type Account, awsAccount, type DeployedStack } from '../../../operator/stage/preflight/account.ts';
import type { Finding } from '../../../operator/stage/preflight/finding.ts';
import type { MintLimitsFound } from '../../../operator/stage/preflight/mint-costs.ts';
import { preflight } from '../../../operator/stage/preflight/preflight.ts';
import type { Quotas } from '../../../operator/stage/preflight/quotas.ts';
import type {
  CollectionsFound,
  ServedAddresses,
} from '../../../operator/stage/preflight/served-addresses.ts';
import { guideMinimum } from '../../support/platform/guide-minimum.ts';
import { answering, byOperation, startScriptedAws } from '../../support/platform/scripted-aws.ts';
import { templateOfStage } from '../../support/platform/stack.ts';

/** Prod with all the settings that it needs. */
const ready: StageInput = {
  ...prod,
  alarmEmails: ['operators@marquee.test'],
  monthlyBudget: 2_000,
  publicBaseUrls: { base: 'https://api.marquee.test' },
  oidc: { issuer: 'https://id.marquee.test', audience: { claim: 'aud', values: ['marquee'] } },
  ott: {
    ...prod.ott,
    entitlement: { url: 'https://entitlement.marquee.test' },
    defaultApplication: 'fan-app',
    playback: { signing: 'url' },
  },
};

/** Stages whose files have what an operator knows in the fields that the guide names, and nothing else. */
const known: Readonly<Record<string, (stage: StageInput) => StageInput>> = {
  alarmEmails: (stage) => ({ ...stage, alarmEmails: ['operators@marquee.test'] }),
  monthlyBudget: (stage) => ({ ...stage, monthlyBudget: 2_000 }),
  'publicBaseUrls.base': (stage) => ({ ...stage, publicBaseUrls: { base: 'https://api.marquee.test' } }),
  oidc: (stage) => ({ ...stage, oidc: { ...stage.oidc, issuer: 'https://id.marquee.test' } }),
  'ott.entitlement.url': (stage) => ({
    ...stage,
    ott: { ...stage.ott, entitlement: { url: 'https://entitlement.marquee.test' } },
  }),
  'ott.playback': (stage) => ({
    ...stage,
    ott: {
      ...stage.ott,
      playback: { signing: 'cookies', domain: 'marquee.test', origins: ['https://www.marquee.test'] },
    },
  }),
  'ott.defaultApplication': (stage) => ({ ...stage, ott: { ...stage.ott, defaultApplication: 'fan-app' } }),
};
const asTheGuideSays = (
  name: 'staging' | 'prod',
  { without }: { readonly without?: string } = {},
): StageInput =>
  guideMinimum(name)
    .filter((field) => field !== without)
    .reduce<StageInput>(
      (stage, field) => {
        const fill = known[field];
        if (fill === undefined) throw new Error(`nothing is known of ${field}`);
        return fill(stage);
      },
      name === 'prod' ? prod : staging,
    );

const keyArn = (id: string) => `arn:aws:kms:eu-central-1:210987654321:key/mrk-${id}`;
const made = (id: string) => ({ arn: keyArn(id), isNamed: false });
const named = (id: string) => ({ arn: keyArn(id), isNamed: true });

interface AccountOfATest {
  readonly all?: number;
  readonly unreserved?: number;
  readonly rate?: number;
  readonly burst?: number;
  readonly isDeployed?: boolean;
  /** The concurrency that the deployed stack reserves. */
  readonly own?: number;
  readonly quotas?: Partial<Quotas>;
  /** Whether the deployed APIs answer at API Gateway's own addresses. */
  readonly servesOwnAddresses?: boolean;
  /** The keys of the deployed signers. @default as many as prod has, all made by the deployment */
  readonly signerKeys?: DeployedStack['signerKeys'];
  /** The collections at API Gateway's own address. */
  readonly collections?: CollectionsFound;
  /** Whether the deployed stack has routes as resources of their own. */
  readonly hasSeparateRoutes?: boolean;
  /** What API Gateway says of the document of the base API. */
  readonly refused?: string;
  /** The addresses at which no API answers. */
  readonly silent?: readonly string[];
  /** How many tokens each application may mint in a day, or why that is unknown. */
  readonly mintsPerDay?: Readonly<Record<string, number>> | { readonly unknown: string };
}

const findingsFor = async (input: StageInput, account: AccountOfATest = {}): Promise<Finding[]> => {
  const {
    all = 1_000,
    unreserved = 1_000,
    rate = 10_000,
    burst = 5_000,
    isDeployed = false,
    own = 828,
  } = account;
  const asked: Account = {
    identity: async () => ({ accountId: '210987654321', region: 'eu-central-1' }),
    concurrency: async () => ({ all, unreserved }),
    gatewayLimits: async () => ({ ratePerSecond: rate, burst }),
    quotas: async () => ({
      signaturesPerSecond: { value: 1_000 },
      publishedPerSecond: { value: 30_000 },
      filterPoliciesPerTopic: { value: 200 },
      ...account.quotas,
    }),
    importDocuments: async (documents) =>
      documents.map(({ name }) => ({ name, ...(account.refused && { refused: account.refused }) })),
    deployed: async () =>
      isDeployed
        ? {
            reserved: own,
            servesOwnAddresses: account.servesOwnAddresses ?? true,
            hasSeparateRoutes: account.hasSeparateRoutes ?? false,
            signerKeys: account.signerKeys ?? [made('one'), made('two')],
          }
        : undefined,
  };
  const addresses: ServedAddresses = {
    collectionsAtOwnAddress: async () => account.collections ?? [],
    answers: async (url) => !account.silent?.includes(url),
  };
  const documents = async () => [{ name: 'marquee-prod-base', body: {} }];
  const { mintsPerDay = {} } = account;
  const applications = async (): Promise<MintLimitsFound> =>
    typeof mintsPerDay.unknown === 'string'
      ? { unknown: mintsPerDay.unknown }
      : Object.entries(mintsPerDay).map(([id, most]) => ({
          id,
          limits: { contractsPerDay: 1, mintsPerDay: Number(most) },
        }));
  return preflight(
    { account: asked, documents, addresses, applications },
    { stage: parseStage('the test', input) },
  );
};

const inTheWay = async (input: StageInput, account?: AccountOfATest): Promise<string[]> =>
  (await findingsFor(input, account)).filter(({ ok }) => ok === false).map(({ check }) => check);

describe('preflight', () => {
  it('finds no problem with a stage that is ready', async () => {
    expect(await inTheWay(ready)).toEqual([]);
  });

  it.each(['staging', 'prod'] as const)(
    'finds no problem with %s if just those fields are set that the guide names, the first time and later',
    async (name) => {
      const signerKeys = name === 'prod' ? [made('one'), made('two')] : [made('one')];
      const stage = asTheGuideSays(name);

      expect(await inTheWay(stage, { all: 1_100, unreserved: 1_100 })).toEqual([]);
      const later = { isDeployed: true, all: 1_100, unreserved: 270, own: 830, signerKeys };
      expect(await inTheWay({ ...stage, protected: stage.retainData }, later)).toEqual([]);
    },
  );

  it.each(
    (['staging', 'prod'] as const).flatMap((name) => guideMinimum(name).map((field) => ({ name, field }))),
  )(
    'finds a problem with $name, and names $field, if only that field is not set',
    async ({ name, field }) => {
      const problems = await findingsFor(asTheGuideSays(name, { without: field })).then(
        (findings) =>
          findings.filter(({ ok }) => ok === false).map(({ check, found }) => `${check}: ${found}`),
        (error: Error) => [error.message],
      );

      expect(problems).toEqual([expect.stringContaining(field)]);
    },
  );

  it('names the values that are still missing in the stage’s file', async () => {
    const unfinished: StageInput = {
      ...prod,
      protected: false,
      alarmEmails: [],
      publicBaseUrls: {},
      oidc: { issuer: 'https://id.example.com', audience: { claim: 'aud', values: ['marquee'] } },
    };

    expect(await inTheWay(unfinished)).toEqual([
      'placeholders',
      'publicBaseUrls.base',
      'alarmEmails',
      'monthlyBudget',
    ]);
  });

  it('shows the account and the Region that it reads', async () => {
    expect(await findingsFor(ready)).toContainEqual({
      check: 'account and Region',
      ok: true,
      found: '210987654321 in eu-central-1',
      wanted: 'the account and Region of the stage; no others are read',
    });
  });

  describe('about the mints that a day’s limit allows', () => {
    const stage: StageInput = { ...ready, protected: true };
    const about = async (input: StageInput, account: AccountOfATest) =>
      (await findingsFor(input, { isDeployed: true, ...account })).filter(
        ({ check }) => check === 'monthlyBudget: mints of a day',
      );

    it('names each application whose gas of a day could cost more than the budget of a month', async () => {
      // 80,630 gas at 30 gwei are 0.0024 coins: 2,000 dollars are 826,822 mints.
      const mintsPerDay = { small: 1_000, edge: 826_822, big: 826_823, huge: 43_200_000 };

      expect(await about(stage, { mintsPerDay })).toMatchObject([
        { ok: 'warning', found: 'huge: 43,200,000 mints, 104,496 coins; big: 826,823 mints, 2,000 coins' },
      ]);
    });

    it('finds none if each limit fits the budget', async () => {
      expect(await about(stage, { mintsPerDay: { small: 1_000 } })).toMatchObject([{ ok: true }]);
    });

    it('says why they are unknown under a policy that may not read the applications', async () => {
      const mintsPerDay = { unknown: 'not known: dynamodb:Scan is not allowed' };

      expect(await about(stage, { mintsPerDay })).toMatchObject([
        { ok: 'unknown', found: 'not known: dynamodb:Scan is not allowed' },
      ]);
    });

    it.each<readonly [string, StageInput, AccountOfATest]>([
      ['a stage without applications yet', { ...ready }, { isDeployed: false }],
      ['a stage that wants no budget', { ...stage, monthlyBudget: 'none' }, {}],
      ['a test chain', { ...stage, nft: { ...stage.nft, chainId: 80_002 } }, {}],
    ])('says nothing for %s', async (_, input, account) => {
      expect(await about(input, { ...account, mintsPerDay: { huge: 43_200_000 } })).toEqual([]);
    });
  });

  it('refuses to update a stack that has routes beside the documents of its APIs', async () => {
    const found = { isDeployed: true, hasSeparateRoutes: true };

    expect(await inTheWay({ ...ready, protected: true }, found)).toEqual([
      'API Gateway: routes of the deployed stack',
    ]);
  });

  it('shows what API Gateway says of a document that it does not import', async () => {
    const refused = 'Warnings found during import:\n\tUnable to create model';

    expect(await findingsFor(ready, { refused })).toContainEqual({
      check: 'API Gateway: the document of marquee-prod-base',
      ok: false,
      found: refused,
      wanted: 'imported without a warning',
    });
  });

  it('requires no public address on a test chain', async () => {
    const onAmoy = { ...ready, publicBaseUrls: {}, nft: { ...prod.nft, chainId: 80_002 as const } };

    expect(await inTheWay(onAmoy)).toEqual([]);
  });

  it('requires a first deployment to be unprotected, and warns if a later one is unprotected', async () => {
    const found = async (isProtected: boolean, isDeployed: boolean) =>
      (await findingsFor({ ...ready, protected: isProtected }, { isDeployed }))
        .filter(({ check }) => check === 'protected')
        .map(({ ok }) => ok);

    expect(await found(false, false)).toEqual([true]);
    expect(await found(true, false)).toEqual([false]);
    expect(await found(false, true)).toEqual(['warning']);
    expect(await found(true, true)).toEqual([true]);
  });

  describe('for the keys of the signers', () => {
    const stageWith = (signers: number, ...signerKeys: readonly string[]): StageInput => ({
      ...ready,
      protected: true,
      nft: { ...prod.nft, signers, signerKeys: signerKeys.map(keyArn) },
    });

    it.each([
      ['as many signers', stageWith(2), [made('one'), made('two')]],
      ['more signers', stageWith(3), [made('one'), made('two')]],
      ['the key that the file has named before', stageWith(2, 'old'), [named('old'), made('two')]],
      ['one more named key', stageWith(2, 'old', 'more'), [named('old')]],
      ['a key back that was lost', stageWith(3, 'one', 'lost', 'two'), [made('one'), made('two')]],
    ])('finds no problem with %s', async (_, input, signerKeys) => {
      expect(await inTheWay(input, { isDeployed: true, signerKeys })).toEqual([]);
    });

    it.each([
      ['fewer signers', stageWith(2), [made('one'), made('two'), made('three')], 'three'],
      ['a named key left out', stageWith(2), [named('old'), made('two')], 'old'],
      ['a named key in place of one that was made', stageWith(2, 'old'), [made('one'), made('two')], 'one'],
      ['fewer signers and keys', stageWith(1, 'old'), [named('old'), named('other')], 'other'],
    ])('finds a problem with %s', async (_, input, signerKeys, lost) => {
      const findings = await findingsFor(input, { isDeployed: true, signerKeys });

      expect(findings.filter(({ ok }) => ok !== true)).toEqual([
        {
          check: 'nft.signers, nft.signerKeys',
          ok: false,
          found: `without the key ${keyArn(lost)}`,
          wanted: expect.stringMatching(
            /^all \d keys of the deployed stack.*docs\/operator-guide\.md#roll-back$/,
          ),
        },
      ]);
    });

    it('has nothing to compare before the first deployment', async () => {
      expect(await inTheWay({ ...stageWith(1), protected: false })).toEqual([]);
    });
  });

  describe('for a stage that disables the addresses of API Gateway', () => {
    const closed = {
      ...ready,
      protected: true,
      disableExecuteApiEndpoint: true,
      publicBaseUrls: {
        base: 'https://api.marquee.test',
        b2b: 'https://b2b.marquee.test',
        profile: 'https://profile.marquee.test',
      },
    };
    const deployed = { unreserved: 195, isDeployed: true };
    const aCollection = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

    it('finds no problem if nothing uses these addresses any more', async () => {
      expect(await inTheWay(closed, deployed)).toEqual([]);
    });

    it('finds a problem while the metadata of a collection uses such an address', async () => {
      expect(await inTheWay(closed, { ...deployed, collections: [aCollection] })).toEqual([
        'disableExecuteApiEndpoint: metadata of collections',
      ]);
      expect(await findingsFor(closed, { ...deployed, collections: [aCollection] })).toContainEqual(
        expect.objectContaining({
          found: '1 at the API’s own address, 0x5FbDB2315678afecb367f032d93F642f64180aa3',
        }),
      );
    });

    it('finds a problem while a domain does not lead to the API', async () => {
      expect(await inTheWay(closed, { ...deployed, silent: ['https://b2b.marquee.test'] })).toEqual([
        'disableExecuteApiEndpoint: publicBaseUrls.b2b',
      ]);
    });

    it('finds a problem while it is unknown whether a collection uses such an address', async () => {
      const collections = { unknown: 'not known: no RPC endpoint answers' };

      expect(await findingsFor(closed, { ...deployed, collections })).toContainEqual(
        expect.objectContaining({ ok: false, found: 'not known: no RPC endpoint answers' }),
      );
    });

    it('asks nothing about these addresses once they are disabled', async () => {
      const disabled = { ...deployed, servesOwnAddresses: false };

      expect(
        await inTheWay(closed, {
          ...disabled,
          collections: [aCollection],
          silent: ['https://b2b.marquee.test'],
        }),
      ).toEqual([]);
    });

    it('finds a problem before the first deployment, because the domains cannot exist yet', async () => {
      expect(await inTheWay({ ...closed, protected: false })).toEqual(['disableExecuteApiEndpoint']);
    });

    it('requires a public base URL for each API in the stage’s file', () => {
      expect(() =>
        parseStage('the test', { ...closed, publicBaseUrls: { base: 'https://api.marquee.test' } }),
      ).toThrow('disableExecuteApiEndpoint: needs a public base URL for each API');
    });
  });

  it.each([
    { unreserved: 930, wrong: [] },
    { unreserved: 929, wrong: ['Lambda: concurrent executions'] },
    { all: 10, unreserved: 10, wrong: ['Lambda: concurrent executions'] },
  ])(
    'requires 100 unreserved environments beside the 830 that prod reserves: $unreserved',
    async ({ wrong, ...account }) => {
      expect(await inTheWay(ready, account)).toEqual(wrong);
    },
  );

  it('includes the stage’s own reservations once it is deployed', async () => {
    const deployed = { unreserved: 195, isDeployed: true };

    expect(await inTheWay({ ...ready, protected: true }, deployed)).toEqual([]);
  });

  it.each([
    { unreserved: 178, own: 752, wrong: [] },
    { unreserved: 177, own: 752, wrong: ['Lambda: concurrent executions'] },
  ])(
    'takes the reservations of other stages into account: $unreserved left, $own its own',
    async ({ wrong, ...account }) => {
      const deployed = { ...account, isDeployed: true };

      expect(await inTheWay({ ...ready, protected: true }, deployed)).toEqual(wrong);
    },
  );

  it.each([10, 50])(
    'only warns of %i concurrent executions for a stage that reserves none, and says what they serve',
    async (all) => {
      const { concurrency: _, ...others } = ready;
      const findings = await findingsFor(others, { all, unreserved: all });

      expect(findings.filter(({ check }) => check.startsWith('Lambda'))).toEqual([
        {
          check: 'Lambda: concurrent executions',
          ok: 'warning',
          found: `${all}, of which ${all} are unreserved`,
          wanted: expect.stringContaining(`above about ${all * 10} calls a second`),
        },
      ]);
    },
  );

  it('says which burst to set in a Region where AWS allows less', async () => {
    const findings = await findingsFor(
      { ...ready, throttle: { ratePerSecond: 2_000, burst: 5_000 } },
      { rate: 2_500, burst: 1_250 },
    );

    expect(findings.filter(({ ok }) => ok !== true)).toEqual([
      expect.objectContaining({
        check: 'API Gateway: burst',
        ok: false,
        wanted: expect.stringContaining('set it to 1250'),
      }),
    ]);
  });

  it('takes an explicit none for the budget of a month', async () => {
    expect(await inTheWay({ ...ready, monthlyBudget: 'none' })).toEqual([]);
  });

  it("requires API Gateway's limits to be at least the stage’s limits", async () => {
    expect(await inTheWay(ready, { rate: 100, burst: 100 })).toEqual([
      'API Gateway: requests a second',
      'API Gateway: burst',
    ]);
  });

  it.each([
    { quotas: { signaturesPerSecond: { value: 467 } }, wrong: [] },
    { quotas: { signaturesPerSecond: { value: 466 } }, wrong: ['KMS: signatures a second'] },
    { quotas: { publishedPerSecond: { value: 1_999 } }, wrong: ['SNS: messages published a second'] },
    { quotas: { filterPoliciesPerTopic: { value: 199 } }, wrong: ['SNS: filter policies of a topic'] },
  ])('requires sufficient quotas of KMS and SNS for prod: %j', async ({ wrong, quotas }) => {
    expect(await inTheWay(ready, { quotas })).toEqual(wrong);
  });

  it('shows a quota as unknown if AWS does not return it', async () => {
    const quotas = { filterPoliciesPerTopic: { unknown: 'not known: Service Quotas has none' } };

    const findings = await findingsFor(ready, { quotas });

    expect(findings.filter(({ ok }) => ok !== true)).toEqual([
      {
        check: 'SNS: filter policies of a topic',
        ok: 'unknown',
        found: 'not known: Service Quotas has none',
        wanted: 'userData.filterPolicyQuota, 200',
      },
    ]);
  });
});

describe('an account on AWS', () => {
  let aws: Awaited<ReturnType<typeof startScriptedAws>>;
  beforeAll(async () => {
    aws = await startScriptedAws();
  });
  afterAll(() => aws.stop());

  const xml = (operation: string, result: string) =>
    answering(
      200,
      `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`,
      { 'content-type': 'text/xml' },
    );
  const account = () => awsAccount({ ...aws.settings, region: 'eu-central-1' });
  const stackIn = (status: string, outputs = '') =>
    xml(
      'DescribeStacks',
      `<Stacks><member><StackName>Marquee-prod</StackName><CreationTime>2026-11-20T00:00:00Z</CreationTime><StackStatus>${status}</StackStatus><Outputs>${outputs}</Outputs></member></Stacks>`,
    );
  const templateOf = (
    Resources: Readonly<Record<string, unknown>>,
    Outputs: Readonly<Record<string, unknown>> = {},
  ) => xml('GetTemplate', `<TemplateBody>${JSON.stringify({ Resources, Outputs })}</TemplateBody>`);

  it.each([
    // This status remains when CloudFormation refuses the first change set because a resource of the same name exists.
    ['REVIEW_IN_PROGRESS', false],
    ['CREATE_IN_PROGRESS', false],
    ['CREATE_FAILED', false],
    ['ROLLBACK_IN_PROGRESS', false],
    ['ROLLBACK_FAILED', false],
    ['ROLLBACK_COMPLETE', false],
    ['DELETE_FAILED', false],
    ['CREATE_COMPLETE', true],
    ['UPDATE_IN_PROGRESS', true],
    ['UPDATE_COMPLETE', true],
    ['UPDATE_ROLLBACK_COMPLETE', true],
    ['UPDATE_ROLLBACK_FAILED', true],
    ['IMPORT_COMPLETE', true],
  ])('has a stack in the status %s, which counts as deployed: %s', async (status, isDeployed) => {
    aws.answer(byOperation({ DescribeStacks: stackIn(status), GetTemplate: templateOf({}) }));

    expect((await account().deployed('Marquee-prod')) !== undefined).toBe(isDeployed);
  });

  it('has no stack if CloudFormation does not find it', async () => {
    const error =
      '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id Marquee-prod does not exist</Message></Error></ErrorResponse>';
    aws.answer(byOperation({ DescribeStacks: answering(400, error, { 'content-type': 'text/xml' }) }));

    expect(await account().deployed('Marquee-prod')).toBeUndefined();
  });

  it.each([
    [{ DisableExecuteApiEndpoint: true }, false],
    [{ Name: 'marquee-prod-b2b' }, true],
  ])(
    'has a stack whose APIs have the properties %j and answer at their own addresses: %s',
    async (one, serves) => {
      const disabled = { Type: 'AWS::ApiGateway::RestApi', Properties: { DisableExecuteApiEndpoint: true } };
      const template = templateOf({
        Base: disabled,
        B2b: { Type: 'AWS::ApiGateway::RestApi', Properties: one },
        Topic: { Type: 'AWS::SNS::Topic' },
      });
      aws.answer(byOperation({ DescribeStacks: stackIn('UPDATE_COMPLETE'), GetTemplate: template }));

      expect(await account().deployed('Marquee-prod')).toMatchObject({ servesOwnAddresses: serves });
    },
  );

  it('has a stack whose keys it reads in the order of the signers, and knows which the stage’s file has named', async () => {
    const keys = [named('old'), made('two'), made('three')];
    const { SignerKeyIds } = templateOfStage({
      ...prod,
      nft: { ...prod.nft, signers: 3, signerKeys: [keyArn('old')] },
    }).Outputs;
    const output = `<member><OutputKey>SignerKeyIds</OutputKey><OutputValue>${keys.map(({ arn }) => arn).join(',')}</OutputValue></member>`;
    const described = stackIn('UPDATE_COMPLETE', output);
    aws.answer(byOperation({ DescribeStacks: described, GetTemplate: templateOf({}, { SignerKeyIds }) }));

    expect(await account().deployed('Marquee-prod')).toMatchObject({ signerKeys: keys });
  });

  it('is identified by the credentials and the Region of the environment', async () => {
    aws.answer(
      byOperation({ GetCallerIdentity: xml('GetCallerIdentity', '<Account>210987654321</Account>') }),
    );

    expect(await account().identity()).toEqual({ accountId: '210987654321', region: 'eu-central-1' });
  });

  it('is checked for enough throttle, concurrency and entitlement capacity for the expected viewers', async () => {
    const expecting = (expectedViewers: number, requestsPerSecond?: number) => ({
      ...ready,
      ott: {
        ...ready.ott,
        playback: prod.ott.playback,
        expectedViewers,
        entitlement: { ...ready.ott.entitlement, requestsPerSecond },
      },
    });
    const sessions = async (input: StageInput) =>
      (await findingsFor(input))
        .filter(({ check }) => check.startsWith('sessions'))
        .map(({ check, ok }) => [check.replace('sessions: ', ''), ok]);

    expect(await sessions(expecting(100_000))).toEqual([
      ['throttle.ratePerSecond', true],
      ['concurrency.ott', true],
      ['the entitlement service', 'unknown'],
      ['before a planned end', false],
    ]);
    expect(await sessions(expecting(10_000, 300))).toEqual([
      ['throttle.ratePerSecond', true],
      ['concurrency.ott', true],
      ['the entitlement service', true],
      ['before a planned end', true],
    ]);
    expect(await sessions(expecting(1_000_000, 1_000))).toEqual([
      ['throttle.ratePerSecond', false],
      ['concurrency.ott', false],
      ['the entitlement service', false],
      ['before a planned end', false],
    ]);
    expect(await sessions(ready)).toEqual([]);
  });

  it('is checked for the cookie renewals of viewers without a session, too', async () => {
    const wantedBy = async (expected: Partial<StageInput['ott']>) =>
      (await findingsFor({ ...ready, ott: { ...ready.ott, playback: prod.ott.playback, ...expected } }))
        .filter(({ check }) => check === 'sessions: throttle.ratePerSecond')
        .map(({ wanted }) => wanted);

    expect(await wantedBy({ expectedViewersWithoutSession: 40_500 })).toEqual([
      expect.stringMatching(/^100 renewals a second: 40500 viewers without a session, every 405 s$/),
    ]);
    expect(await wantedBy({ expectedViewers: 20_250, expectedViewersWithoutSession: 40_500 })).toEqual([
      '200 renewals a second: 20250 viewers with a session, every 202.5 s; 40500 viewers without a session, every 405 s',
    ]);
    expect(
      await wantedBy({
        playback: { signing: 'url' },
        expectedViewersWithoutSession: 40_500,
      }),
    ).toEqual([]);
  });
});
