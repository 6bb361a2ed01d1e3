import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

export const apiGatewayAccount = resourceType({
  type: 'AWS::ApiGateway::Account',
  properties: z.strictObject({ CloudWatchRoleArn: z.string() }),
  deploy: async ({ CloudWatchRoleArn }, context) => {
    if (!context.engines.identities.trusts(CloudWatchRoleArn, 'apigateway.amazonaws.com')) {
      throw new Error(
        'The role ARN does not have required permissions configured: API Gateway cannot assume it.',
      );
    }
    return { ref: physicalId(context) };
  },
});
