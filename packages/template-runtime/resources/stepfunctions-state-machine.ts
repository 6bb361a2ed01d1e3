import * as z from 'zod';
import { arn as arnOf } from '../engines/account.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';
import { flag } from './template-values.ts';

const loggingConfiguration = z.strictObject({
  Destinations: z
    .array(z.strictObject({ CloudWatchLogsLogGroup: z.strictObject({ LogGroupArn: z.string() }) }))
    .optional(),
  IncludeExecutionData: flag.optional(),
  Level: z.enum(['ALL', 'ERROR', 'FATAL', 'OFF']).optional(),
});
const encryptionConfiguration = z.strictObject({
  Type: z.enum(['AWS_OWNED_KEY', 'CUSTOMER_MANAGED_KMS_KEY']),
  KmsKeyId: z.string().optional(),
  KmsDataKeyReusePeriodSeconds: z.coerce.number().optional(),
});

/** Standard workflows only. Logging, tracing and encryption have no effect locally. */
export const stepFunctionsStateMachine = resourceType({
  type: 'AWS::StepFunctions::StateMachine',
  properties: z.strictObject({
    StateMachineName: z.string().optional(),
    StateMachineType: z.literal('STANDARD').optional(),
    DefinitionString: z.string(),
    DefinitionSubstitutions: z.record(z.string(), z.coerce.string()).default({}),
    RoleArn: z.string(),
    EncryptionConfiguration: encryptionConfiguration.optional(),
    LoggingConfiguration: loggingConfiguration.optional(),
    TracingConfiguration: z.strictObject({ Enabled: flag }).optional(),
    Tags: tags.optional(),
  }),
  deploy: async (properties, { engines, stackName, logicalId }) => {
    const { RoleArn: roleArn, DefinitionSubstitutions } = properties;
    const name = properties.StateMachineName ?? `${stackName}-${logicalId}`;
    const arn = arnOf('states', `stateMachine:${name}`);
    if (!engines.identities.trusts(roleArn, 'states.amazonaws.com', arn)) {
      throw new Error(`The role ${roleArn} does not trust states.amazonaws.com`);
    }
    const definition = Object.entries(DefinitionSubstitutions).reduce(
      (text, [placeholder, value]) => text.replaceAll(`\${${placeholder}}`, value),
      properties.DefinitionString,
    );
    engines.stateMachines.register({ name, arn, definition, roleArn });
    return { ref: arn, attributes: { Arn: arn, Name: name, StateMachineRevisionId: 'INITIAL' } };
  },
});
