import * as z from 'zod';
import { resourceType } from './resource-type.ts';

export const ssmParameter = resourceType({
  type: 'AWS::SSM::Parameter',
  properties: z.strictObject({
    Name: z.string().optional(),
    Type: z.enum(['String', 'StringList']),
    Value: z.string(),
    Description: z.string().optional(),
    Tier: z.enum(['Standard', 'Advanced', 'Intelligent-Tiering']).optional(),
    DataType: z.literal('text').optional(),
    AllowedPattern: z.string().optional(),
    Tags: z.record(z.string(), z.string()).optional(),
  }),
  deploy: async ({ Name, Type, Value }, { engines, stackName, logicalId }) => {
    const { name } = engines.parameters.put({
      name: Name ?? `${stackName}-${logicalId}`,
      type: Type,
      value: Value,
    });
    return { ref: name, attributes: { Type, Value } };
  },
});
