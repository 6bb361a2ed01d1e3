import * as z from 'zod';
import { arn } from '../account.ts';
import type { Identities } from '../iam/types.ts';
import type { LambdaEngine } from '../lambda/types.ts';

type Json = Parameters<import('aws-local-stepfunctions').StateMachine['run']>[0];

/** In a state machine, `Retry` and `Catch` match errors by `name`. */
class TaskFailure extends Error {
  constructor({ error, cause }: { readonly error: string; readonly cause: string }) {
    super(cause);
    this.name = error;
  }
}

const optimizedInvoke = 'arn:aws:states:::lambda:invoke';
const invokeParameters = z.object({ FunctionName: z.string(), Payload: z.unknown() });

const functionArn = (nameOrArn: string): string =>
  nameOrArn.startsWith('arn:') ? nameOrArn : arn('lambda', `function:${nameOrArn}`);

export const taskHandler =
  ({
    lambda,
    identities,
    roleArn,
    executionName,
    resource,
  }: {
    readonly lambda: Pick<LambdaEngine, 'invoke'>;
    readonly identities: Pick<Identities, 'authorizeRole'>;
    readonly roleArn: string;
    readonly executionName: string;
    readonly resource: string;
  }) =>
  async (input: Json): Promise<Json> => {
    const wrapped = resource === optimizedInvoke ? invokeParameters.parse(input) : undefined;
    const target = functionArn(wrapped?.FunctionName ?? resource);
    const decision = identities.authorizeRole({
      roleArn,
      sessionName: executionName,
      action: 'lambda:InvokeFunction',
      resources: [target],
    });
    if (!decision.allowed) {
      throw new TaskFailure({ error: 'Lambda.AWSLambdaException', cause: decision.message });
    }
    const result = await lambda.invoke(target, wrapped ? wrapped.Payload : input);
    if (!result.ok) {
      const { errorType, errorMessage, stackTrace, refusal } = result;
      throw new TaskFailure({
        error: refusal === undefined ? errorType : `Lambda.${errorType}`,
        cause: JSON.stringify({ errorMessage, errorType, trace: stackTrace ?? [] }),
      });
    }
    const payload = (result.payload ?? null) as Json;
    return wrapped ? { ExecutedVersion: '$LATEST', Payload: payload, StatusCode: 200 } : payload;
  };
