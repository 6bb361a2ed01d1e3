import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

export const lambdaPermission = resourceType({
  type: 'AWS::Lambda::Permission',
  properties: z.strictObject({
    Action: z.enum(['lambda:InvokeFunction', 'lambda:*']),
    FunctionName: z.string(),
    Principal: z.string(),
    SourceAccount: z.string().optional(),
    SourceArn: z.string().optional(),
  }),
  deploy: async (properties, context) => {
    const statementId = physicalId(context);
    context.engines.lambda.permit({
      target: properties.FunctionName,
      statementId,
      action: properties.Action,
      principal: properties.Principal,
      ...(properties.SourceArn !== undefined && { sourceArn: properties.SourceArn }),
      ...(properties.SourceAccount !== undefined && { sourceAccount: properties.SourceAccount }),
    });
    return { ref: statementId };
  },
});
