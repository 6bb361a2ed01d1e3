import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

/** Has no effect: the gateway always serves the API as it is in the template. */
export const apiGatewayDeployment = resourceType({
  type: 'AWS::ApiGateway::Deployment',
  properties: z.strictObject({ Description: z.string().optional(), RestApiId: z.string() }),
  deploy: async (_properties, context) => {
    const id = physicalId(context);
    return { ref: id, attributes: { DeploymentId: id } };
  },
});
