import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import type { AwsSettings } from '../../../shared/platform/aws/client.ts';
import { OperatorError } from '../terminal/operator-error.ts';
import { quoted } from '../terminal/quoted.ts';

/** A deployed stage. */
export interface Target {
  readonly stage: string;
  readonly isLocal: boolean;
  readonly aws: AwsSettings;
  /** Whether CloudFormation refuses to delete the stage's stack. */
  readonly isProtected: boolean;
  /** The address of the local fake of the identity provider; `undefined` on AWS. */
  readonly localIssuer: string | undefined;
  /** A complete command line for this stage, which an operator can paste. `words` are `quoted` where they need it. */
  command(words: string): string;
  /** Called for each request to a DynamoDB table. @default no call */
  readonly onTableCall?: () => void;
  /**
   * An output of the stage's stack, e.g. `TopicArn`.
   *
   * @throws OperatorError when the stack has no output with this name.
   */
  output(name: string): string;
}

const localOutputsFile = fileURLToPath(new URL('../../../.local/outputs.json', import.meta.url));

/**
 * The local system enforces policies only for its own functions and users. Any other credentials, such as these, may do
 * everything.
 */
const localCredentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
const localOutputsSchema = z.object({
  aws_endpoint_url: z.url(),
  oidc_issuer: z.url(),
  /**
   * The credentials of a local user, for trying out a policy. The local system does not write this field: it is added
   * by hand.
   */
  operator_credentials: z
    .object({ accessKeyId: z.string(), secretAccessKey: z.string() })
    .default(localCredentials),
});

const readLocalOutputs = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new OperatorError({
      message: `The local system has not been started: ${file} cannot be read. Run npm start, or name a stage on AWS with --stage.`,
      cause,
    });
  }
};

interface LocalSystem {
  readonly aws: AwsSettings;
  readonly issuer: string;
}

const localSystem = (outputsFile: string): LocalSystem => {
  const outputs = localOutputsSchema.parse(readLocalOutputs(outputsFile));
  return {
    aws: {
      region: 'us-east-1',
      endpoint: outputs.aws_endpoint_url,
      credentials: outputs.operator_credentials,
    },
    issuer: outputs.oidc_issuer,
  };
};

/** How to call AWS for a stage, whether it is deployed or not. */
export const awsSettingsOf = ({
  stage,
  outputsFile = localOutputsFile,
}: {
  readonly stage: string;
  readonly outputsFile?: string;
}): AwsSettings => (stage === 'local' ? localSystem(outputsFile).aws : {});

const readStack = async (
  stackName: string,
  aws: AwsSettings,
): Promise<{ readonly outputs: ReadonlyMap<string, string>; readonly isProtected: boolean }> => {
  const client = new CloudFormationClient(aws);
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const [stack] = Stacks;
    return {
      outputs: new Map(
        (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
      ),
      isProtected: stack?.EnableTerminationProtection ?? false,
    };
  } catch (cause) {
    const where = aws.endpoint ?? 'AWS, with the credentials and the region of the environment';
    throw new OperatorError({
      message: `Stack ${stackName} cannot be read at ${where}: ${cause instanceof Error ? cause.message : cause}`,
      cause,
    });
  } finally {
    client.destroy();
  }
};

/**
 * Finds a stage by its name. `local` is the system that `npm start` runs on this machine. Any other stage is on AWS, in
 * the account and Region that the AWS command line would use.
 *
 * @throws OperatorError when it cannot be found.
 */
export const findTarget = async ({
  stage,
  outputsFile = localOutputsFile,
}: {
  readonly stage: string;
  /** The file in which the local system records its addresses. */
  readonly outputsFile?: string;
}): Promise<Target> => {
  const isLocal = stage === 'local';
  const options = isLocal
    ? outputsFile === localOutputsFile
      ? ''
      : ` --outputs ${quoted(outputsFile)}`
    : ` --stage ${stage}`;
  const local = isLocal ? localSystem(outputsFile) : undefined;
  const aws = local?.aws ?? {};
  const { outputs, isProtected } = await readStack(`Marquee-${stage}`, aws);
  return {
    stage,
    isLocal,
    aws,
    isProtected,
    localIssuer: local?.issuer,
    command: (words) => `npm run -s operator --${options} ${words}`,
    output: (name) => {
      const value = outputs.get(name);
      if (value === undefined) {
        throw new OperatorError({ message: `Stage ${stage} has no ${name}: deploy it again first.` });
      }
      return value;
    },
  };
};
