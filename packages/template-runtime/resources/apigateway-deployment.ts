import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

/** The gateway serves the whole template: there is one deployment, and it is always the current one. */
export const apiGatewayDeployment = resourceType({
  type: 'AWS::ApiGateway::Deployment',
  properties: z.strictObject({ Description: z.string().optional(), RestApiId: z.string() }),
  deploy: async (_properties, context) => {
    const id = physicalId(context);
    return { ref: id, attributes: { DeploymentId: id } };
  },
});
