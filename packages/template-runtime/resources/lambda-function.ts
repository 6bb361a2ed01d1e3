import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { physicalName } from './physical-name.ts';
import { resourceType } from './resource-type.ts';
import { tags } from './tags.ts';

const reservedNames =
  /^(AWS_(ACCESS_KEY(_ID)?|SECRET_ACCESS_KEY|SESSION_TOKEN|REGION|DEFAULT_REGION|EXECUTION_ENV|LAMBDA_.*)|LAMBDA_(TASK_ROOT|RUNTIME_DIR)|_HANDLER|_X_AMZN_TRACE_ID)$/;
const environmentLimitBytes = 4096;

const variables = z
  .record(
    z.string().regex(/^[A-Za-z]\w+$/),
    z.string({ error: 'the value of every variable must be a string' }),
  )
  .refine((values) => Object.keys(values).every((name) => !reservedNames.test(name)), {
    error: 'one of the variables has a name that Lambda reserves',
  })
  .refine((values) => Buffer.byteLength(Object.entries(values).flat().join('')) <= environmentLimitBytes, {
    error: `the variables are larger than ${environmentLimitBytes} bytes`,
  });

export const lambdaFunction = resourceType({
  type: 'AWS::Lambda::Function',
  properties: z.strictObject({
    Architectures: z.tuple([z.enum(['arm64', 'x86_64'])]).optional(),
    Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
    Description: z.string().max(256).optional(),
    Environment: z.strictObject({ Variables: variables }).optional(),
    EphemeralStorage: z.strictObject({ Size: z.number() }).optional(),
    FunctionName: z.string().max(64).optional(),
    Handler: z.string(),
    /** Logs go to a local file, as text. `LogGroup` only determines which metric filters apply to them. */
    LoggingConfig: z
      .strictObject({
        LogFormat: z.enum(['JSON', 'Text']).optional(),
        LogGroup: z.string().optional(),
        ApplicationLogLevel: z.string().optional(),
        SystemLogLevel: z.string().optional(),
      })
      .optional(),
    MemorySize: z.number().min(128).max(10_240).default(128),
    ReservedConcurrentExecutions: z.number().optional(),
    Role: z.string(),
    Runtime: z.literal('nodejs24.x'),
    Tags: tags.optional(),
    Timeout: z.number().min(1).max(900).default(3),
    TracingConfig: z.strictObject({ Mode: z.enum(['Active', 'PassThrough']) }).optional(),
  }),
  deploy: async (properties, context) => {
    const { engines, assemblyDirectory, region, accountId } = context;
    const name = properties.FunctionName ?? physicalName(context, 64);
    const arn = `arn:aws:lambda:${region}:${accountId}:function:${name}`;
    const codeDirectory = join(assemblyDirectory, `asset.${properties.Code.S3Key.replace(/\.zip$/, '')}`);
    if (!existsSync(codeDirectory)) throw new Error(`the cloud assembly has no folder ${codeDirectory}`);
    if (!engines.identities.trusts(properties.Role, 'lambda.amazonaws.com')) {
      throw new Error('The role defined for the function cannot be assumed by Lambda.');
    }
    engines.lambda.register({
      name,
      arn,
      codeDirectory,
      handler: properties.Handler,
      environment: properties.Environment?.Variables ?? {},
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      roleArn: properties.Role,
      ...(properties.ReservedConcurrentExecutions !== undefined && {
        reservedConcurrency: properties.ReservedConcurrentExecutions,
      }),
    });
    const groupName = properties.LoggingConfig?.LogGroup;
    if (groupName !== undefined) engines.logs.follow({ groupName, file: engines.lambda.logFileOf(name) });
    return { ref: name, attributes: { Arn: arn } };
  },
});
