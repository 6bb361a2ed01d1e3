import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as z from 'zod';
import type { AwsSettings } from '../../../shared/platform/aws/client.ts';
import type { ApiDocument } from './api-documents.ts';
import { type Imported, importDocuments } from './import-documents.ts';
import { type Quotas, readQuotas } from './quotas.ts';

/** Reads an account's limits and the state of its stacks, in the Region of the credentials. */
export interface Account {
  /** The account and the Region about which this interface's calls ask. */
  identity(): Promise<{ readonly accountId: string; readonly region: string }>;
  /** Concurrent executions of Lambda: the account's limit in the Region, and how many of them are unreserved. */
  concurrency(): Promise<{ readonly all: number; readonly unreserved: number }>;
  /** The rate and the burst that all APIs of the Region share. */
  gatewayLimits(): Promise<{ readonly ratePerSecond: number; readonly burst: number }>;
  quotas(): Promise<Quotas>;
  /** What API Gateway says of the documents from which a deployment would make the stage's APIs. */
  importDocuments(documents: readonly ApiDocument[]): Promise<readonly Imported[]>;
  /** `undefined` if the stack was never created completely. */
  deployed(stackName: string): Promise<DeployedStack | undefined>;
}

/** What a deployed stack is made of. */
export interface DeployedStack {
  /** The concurrency that the stack's functions have reserved. */
  readonly reserved: number;
  /** Whether the stack's APIs answer at the addresses that API Gateway gave them. */
  readonly servesOwnAddresses: boolean;
  /**
   * Whether the stack has routes or gateway responses as resources of their own, beside the documents of its APIs, as
   * releases before 0.2.0 had them.
   */
  readonly hasSeparateRoutes: boolean;
  /** The keys of the signers, in their order. */
  readonly signerKeys: readonly DeployedKey[];
}

interface DeployedKey {
  readonly arn: string;
  /** Whether the stage's file named the key. A deployment made any other key. */
  readonly isNamed: boolean;
}

/**
 * The statuses of a stack that was once created completely (AWS's page "Stack status codes"). For a stack with any
 * other status, the next deployment still counts as its first. Such a stack is in `REVIEW_IN_PROGRESS` if
 * CloudFormation refused its change set, for example because a name is taken. It is in `CREATE_…` or `ROLLBACK_…` while
 * its creation runs, or after its creation failed.
 */
const wasCreated = /^(CREATE_COMPLETE|UPDATE_.+|IMPORT_.+)$/;

const deployedTemplate = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z
        .object({
          ReservedConcurrentExecutions: z.coerce.number().default(0),
          DisableExecuteApiEndpoint: z.boolean().default(false),
        })
        .prefault({}),
    }),
  ),
});

/** The stack; `undefined` if there is none that was ever created completely. */
const describedStack = async (client: CloudFormationClient, stackName: string) => {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    return Stacks.find(({ StackStatus = '' }) => wasCreated.test(StackStatus));
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
};

const readDeployed = async (
  client: CloudFormationClient,
  stackName: string,
): Promise<DeployedStack | undefined> => {
  const stack = await describedStack(client, stackName);
  if (stack === undefined) return undefined;
  const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName: stackName }));
  const resources = Object.values(deployedTemplate.parse(JSON.parse(TemplateBody)).Resources);
  const { OutputValue = '' } = stack.Outputs?.find(({ OutputKey }) => OutputKey === 'SignerKeyIds') ?? {};
  const arns = OutputValue.split(',').filter((arn) => arn !== '');
  return {
    reserved: resources.reduce((sum, { Properties }) => sum + Properties.ReservedConcurrentExecutions, 0),
    servesOwnAddresses: resources.some(
      ({ Type, Properties }) => Type === 'AWS::ApiGateway::RestApi' && !Properties.DisableExecuteApiEndpoint,
    ),
    hasSeparateRoutes: resources.some(({ Type }) =>
      /^AWS::ApiGateway::(Resource|Method|GatewayResponse)$/.test(Type),
    ),
    // The template refers to the keys that it makes by their logical ids, and has the ARNs of others as they were named.
    signerKeys: arns.map((arn) => ({ arn, isNamed: TemplateBody.includes(arn) })),
  };
};

/** The account that the AWS command line would use. */
export const awsAccount = (settings: AwsSettings): Account => ({
  identity: async () => {
    const client = new STSClient(settings);
    const [region, { Account: accountId = '' }] = await Promise.all([
      client.config.region(),
      client.send(new GetCallerIdentityCommand()),
    ]);
    return { accountId, region };
  },
  concurrency: async () => {
    const { AccountLimit } = await new LambdaClient(settings).send(new GetAccountSettingsCommand());
    return {
      all: AccountLimit?.ConcurrentExecutions ?? 0,
      unreserved: AccountLimit?.UnreservedConcurrentExecutions ?? 0,
    };
  },
  gatewayLimits: async () => {
    const { throttleSettings } = await new APIGatewayClient(settings).send(new GetAccountCommand());
    return { ratePerSecond: throttleSettings?.rateLimit ?? 0, burst: throttleSettings?.burstLimit ?? 0 };
  },
  quotas: () => readQuotas(settings),
  importDocuments: (documents) => importDocuments(new APIGatewayClient(settings), documents),
  deployed: (stackName) => readDeployed(new CloudFormationClient(settings), stackName),
});
