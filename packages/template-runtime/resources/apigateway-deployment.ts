import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

export const apiGatewayDeployment = resourceType({
  type: 'AWS::ApiGateway::Deployment',
  properties: z.strictObject({ Description: z.string().optional(), RestApiId: z.string() }),
  deploy: async ({ RestApiId }, context) => {
    const id = physicalId(context);
    context.engines.gateway.addDeployment({ apiId: RestApiId, id });
    return { ref: id, attributes: { DeploymentId: id } };
  },
});
