import { arn } from '../../engines/account.ts';
import type { LambdaEngine } from '../../engines/lambda/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import type { Call } from '../call.ts';
import { jsonFault, parseJson } from '../json-protocol.ts';
import type { AwsAnswer, AwsRequest } from '../request.ts';

const invocationPath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

const functionArn = (nameOrArn: string): string =>
  nameOrArn.startsWith('arn:') ? nameOrArn : arn('lambda', `function:${nameOrArn}`);

/** Lambda's `Invoke`. An `Event` invocation is queued and returns 202 immediately. */
const invoke = async (lambda: LambdaEngine, request: AwsRequest, call: Call): Promise<AwsAnswer> => {
  const target = decodeURIComponent(invocationPath.exec(request.path)?.[1] ?? '');
  call.allow('lambda:InvokeFunction', functionArn(target));
  if (!lambda.has(target)) {
    throw new ServiceFault({
      code: 'ResourceNotFoundException',
      message: `Function not found: ${functionArn(target)}`,
      status: 404,
    });
  }
  const event = parseJson(request.body);
  if (request.headers['x-amz-invocation-type'] === 'DryRun') return { status: 204, headers: {}, body: '' };
  if (request.headers['x-amz-invocation-type'] === 'Event') {
    lambda.enqueue(target, event);
    return { status: 202, headers: {}, body: '' };
  }
  const result = await lambda.invoke(target, event);
  if (!result.ok && result.refusal !== undefined) {
    const fault = new ServiceFault({ code: result.errorType, message: result.errorMessage, status: 429 });
    const answer = jsonFault(fault);
    return {
      ...answer,
      body: JSON.stringify({ Reason: result.refusal, Type: 'User', message: result.errorMessage }),
    };
  }
  const headers = {
    'content-type': 'application/json',
    'x-amzn-requestid': result.requestId,
    'x-amz-executed-version': '$LATEST',
  };
  return result.ok
    ? { status: 200, headers, body: JSON.stringify(result.payload ?? null) }
    : {
        status: 200,
        headers: { ...headers, 'x-amz-function-error': 'Unhandled' },
        body: JSON.stringify({
          errorType: result.errorType,
          errorMessage: result.errorMessage,
          trace: result.stackTrace ?? [],
        }),
      };
};

export const lambdaService =
  (lambda: LambdaEngine) =>
  async (request: AwsRequest, call: Call): Promise<AwsAnswer> => {
    try {
      if (request.method === 'POST' && invocationPath.test(request.path)) {
        return await invoke(lambda, request, call);
      }
      throw new ServiceFault({
        code: 'UnknownOperationException',
        message: `The local runtime does not support ${request.method} ${request.path}.`,
        status: 404,
      });
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      return jsonFault(
        error.code === 'AccessDeniedException'
          ? new ServiceFault({ code: error.code, message: error.message, status: 403 })
          : error,
      );
    }
  };
