import { describe, expect, it } from 'vitest';
import { prod } from '../../../../config/prod.ts';
import { routesOf } from '../../../support/platform/api-routes.ts';
import { resourcesOf, type StackResource, templateOfStage } from '../../../support/platform/stack.ts';

/** Prod with one signer, so that each resource of a signer exists once. */
const template = templateOfStage({ ...prod, nft: { ...prod.nft, signers: 1 } });

const only = (type: string, which: string): [id: string, resource: StackResource] => {
  const found = resourcesOf(template, type).filter(([id]) => id.startsWith(which));
  expect(found).toHaveLength(1);
  const [first] = found;
  if (first === undefined) throw new Error(`No ${type} ${which}`);
  return first;
};

const getAtt = (id: string, attribute: string) => ({ 'Fn::GetAtt': [id, attribute] });

interface Statement {
  readonly Action: string | readonly string[];
  readonly Condition?: unknown;
  readonly Resource: unknown;
}

const statementsOf = (role: string): Statement[] =>
  Object.entries(template.Resources)
    .filter(([id]) => id.startsWith(role))
    .flatMap(([, { Type, Properties }]) => {
      if (Type === 'AWS::IAM::Policy') {
        return (Properties.PolicyDocument as { readonly Statement: Statement[] }).Statement;
      }
      if (Type !== 'AWS::IAM::Role') return [];
      const policies = (Properties.Policies ?? []) as readonly {
        readonly PolicyDocument: { readonly Statement: Statement[] };
      }[];
      return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    });

const actionsOf = (role: string): string[] => statementsOf(role).flatMap(({ Action }) => Action);

describe('the signing key in the template', () => {
  const [keyId, key] = only('AWS::KMS::Key', 'NftChainSigningKey');

  it('uses secp256k1, is a multi-Region key, and is retained when the stack is deleted', () => {
    expect(key).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        KeySpec: 'ECC_SECG_P256K1',
        KeyUsage: 'SIGN_VERIFY',
        MultiRegion: true,
        PendingWindowInDays: 30,
      },
    });
  });

  it('can sign only digests, and only for the functions that send transactions', () => {
    const signers = resourcesOf(template, 'AWS::Lambda::Function')
      .map(([id]) => id.replace(/Function[0-9A-F]{8}$/, ''))
      .filter((id) => actionsOf(id).includes('kms:Sign'));
    expect(signers.toSorted()).toEqual([
      'NftCallsClaimToken',
      'NftCallsCreateContract',
      'NftCallsMintBatch',
      'NftCallsMintToken',
      'NftCallsRevokeToken',
      'NftCallsSetRoyalty',
      'NftCallsUpdateContractMetadata',
      'NftCallsUpdateMetadataBatch',
      'NftCallsUpdateTokenMetadata',
      'NftWaiterRunWaiter',
    ]);
    for (const id of signers) {
      const statements = statementsOf(id).filter(({ Action }) => [Action].flat().includes('kms:Sign'));
      expect(statements).toEqual([
        {
          Action: 'kms:Sign',
          Condition: { StringEquals: { 'kms:MessageType': 'DIGEST' } },
          Effect: 'Allow',
          Resource: getAtt(keyId, 'Arn'),
        },
      ]);
    }
  });
});

describe('the functions of the NFT calls in the template', () => {
  it.each(['NftCallsShowCollections', 'NftCallsGetTokenOwner', 'NftPublicMetadata'])(
    'include %s, which has no permission to write',
    (id) => {
      const writes = actionsOf(id).filter((action) =>
        /^dynamodb:(Put|Update|Delete|BatchWrite)/.test(action),
      );
      expect(actionsOf(id).some((action) => /^dynamodb:(Get|Query)/.test(action))).toBe(true);
      expect(writes).toEqual([]);
    },
  );

  it('require an API key, except for the public metadata', () => {
    const calls = routesOf(template).filter(
      ({ path, method }) => path.startsWith('/api/v1/nft/contracts') && method !== 'OPTIONS',
    );
    const open = calls.filter(({ needsKey }) => !needsKey);
    expect(calls).toHaveLength(21);
    expect(open).toHaveLength(4);
    expect(
      open.every(({ path, method }) => path.includes('metadata') && ['GET', 'HEAD'].includes(method)),
    ).toBe(true);
  });
});

describe('the state machine of the waiter', () => {
  const [, machine] = only('AWS::StepFunctions::StateMachine', 'NftWaiter');

  it('has a fixed name, from which the functions build its ARN', () => {
    expect(machine.Properties.StateMachineName).toBe('marquee-prod-waiter');
    const environments = resourcesOf(template, 'AWS::Lambda::Function').flatMap(([, { Properties }]) => {
      const { Variables } = (Properties.Environment ?? {}) as {
        readonly Variables?: Record<string, unknown>;
      };
      return Variables?.STATE_MACHINE_ARN === undefined ? [] : [JSON.stringify(Variables.STATE_MACHINE_ARN)];
    });
    expect(environments).toHaveLength(2);
    for (const arn of environments) expect(arn).toContain(':stateMachine:marquee-prod-waiter');
  });

  it('repeats the pass of the waiter as long as its result asks for another', () => {
    const [head, ...rest] = (machine.Properties.DefinitionString as { 'Fn::Join': [string, unknown[]] })[
      'Fn::Join'
    ][1];
    const text = [head, ...rest].map((part) => (typeof part === 'string' ? part : 'arn')).join('');
    const { StartAt, States } = JSON.parse(text);
    expect(StartAt).toBe('Pass');
    expect(States).toMatchObject({
      Pass: { Type: 'Task', Next: 'Again' },
      Again: {
        Type: 'Choice',
        Choices: [{ Variable: '$.again', BooleanEquals: true, Next: 'Pass' }],
        Default: 'Done',
      },
      Done: { Type: 'Succeed' },
    });
  });

  it('is started by inserts into the transaction log and, every minute, by a schedule', () => {
    const [transactions] = only('AWS::DynamoDB::Table', 'NftTablesTransactions');
    const [, mapping] = only('AWS::Lambda::EventSourceMapping', 'NftSignerWatch');
    expect(mapping.Properties).toMatchObject({
      EventSourceArn: getAtt(transactions, 'StreamArn'),
      FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    const [, schedule] = only('AWS::Events::Rule', 'NftSignerWatch');
    expect(schedule.Properties.ScheduleExpression).toBe('rate(1 minute)');
  });

  it('has a time-out that lets a pass end after its fifty seconds', () => {
    const [, advance] = only('AWS::Lambda::Function', 'NftWaiterRunWaiter');
    const { Variables } = advance.Properties.Environment as { readonly Variables: Record<string, string> };
    expect(Variables.PASS_MILLISECONDS).toBe('50000');
    expect(advance.Properties.Timeout).toBeGreaterThanOrEqual(60);
  });
});
