import * as z from 'zod';
import { physicalId } from './physical-name.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

export const apiGatewayApiKey = resourceType({
  type: 'AWS::ApiGateway::ApiKey',
  properties: z.strictObject({
    Description: z.string().optional(),
    Enabled: z.boolean().default(false),
    GenerateDistinctId: z.boolean().optional(),
    Name: z.string().optional(),
    /** From before usage plans; a key counts by its plan. */
    StageKeys: z.array(z.strictObject({ RestApiId: z.string(), StageName: z.string() })).optional(),
    Tags: tags.optional(),
    Value: z.string().optional(),
  }),
  deploy: async ({ Description, Enabled, Name, Value }, context) => {
    const id = physicalId(context);
    const { keys } = context.engines.gateway;
    const value = Value ?? keys.getApiKey(id)?.value;
    keys.createApiKey({
      id,
      name: Name ?? context.logicalId,
      enabled: Enabled,
      ...(Description !== undefined && { description: Description }),
      ...(value !== undefined && { value }),
    });
    return { ref: id, attributes: { APIKeyId: id } };
  },
});
