import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';

export const apiGatewayResource = resourceType({
  type: 'AWS::ApiGateway::Resource',
  properties: z.strictObject({
    ParentId: z.string(),
    PathPart: z.string().regex(/^([\w.,:-]+|\{[\w.-]+\+?\})$/, 'not a path part that API Gateway accepts'),
    RestApiId: z.string(),
  }),
  deploy: async ({ ParentId, PathPart, RestApiId }, context) => {
    const id = physicalId(context);
    context.engines.gateway.addResource({ id, apiId: RestApiId, parentId: ParentId, pathPart: PathPart });
    return { ref: id, attributes: { ResourceId: id } };
  },
});
