import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import type { ClientSettings } from '../target.ts';
import { type Quotas, readQuotas } from './quotas.ts';

/** What an account has for a stage. */
export interface Account {
  /** Environments of Lambda: of the whole account in the Region, and what no function has reserved. */
  concurrency(): Promise<{ readonly all: number; readonly unreserved: number }>;
  /** Requests a second to all APIs of the Region, and at once. */
  gatewayLimits(): Promise<{ readonly ratePerSecond: number; readonly burst: number }>;
  quotas(): Promise<Quotas>;
  isDeployed(stackName: string): Promise<boolean>;
  /** Environments of Lambda that the functions of a deployed stack have reserved. */
  reservedBy(stackName: string): Promise<number>;
}

const deployedTemplate = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Properties: z.object({ ReservedConcurrentExecutions: z.coerce.number().default(0) }).prefault({}),
    }),
  ),
});

/** The account that the AWS command line would use. */
export const awsAccount = (settings: ClientSettings): Account => ({
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
  isDeployed: async (stackName) => {
    try {
      const { Stacks = [] } = await new CloudFormationClient(settings).send(
        new DescribeStacksCommand({ StackName: stackName }),
      );
      // What a failed creation leaves is removed by the next deployment.
      return Stacks.some(({ StackStatus }) => StackStatus !== 'ROLLBACK_COMPLETE');
    } catch (error) {
      if (error instanceof Error && /does not exist/.test(error.message)) return false;
      throw error;
    }
  },
  reservedBy: async (stackName) => {
    const { TemplateBody = '{}' } = await new CloudFormationClient(settings).send(
      new GetTemplateCommand({ StackName: stackName }),
    );
    return Object.values(deployedTemplate.parse(JSON.parse(TemplateBody)).Resources).reduce(
      (sum, { Properties }) => sum + Properties.ReservedConcurrentExecutions,
      0,
    );
  },
});
