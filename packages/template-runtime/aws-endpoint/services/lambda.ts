import * as z from 'zod';
import { arn } from '../../engines/account.ts';
import type { Engines } from '../../engines/engines.ts';
import type { EventSources } from '../../engines/event-sources/types.ts';
import { errorPayload } from '../../engines/lambda/asynchronous.ts';
import type { LambdaEngine } from '../../engines/lambda/types.ts';
import { ServiceFault } from '../../engines/service-fault.ts';
import { type Call, tagContext } from '../call.ts';
import { jsonFault, parseJson } from '../json-protocol.ts';
import { type AwsAnswer, type AwsRequest, unsupported } from '../request.ts';

const invocationPath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

const functionArn = (nameOrArn: string): string =>
  nameOrArn.startsWith('arn:') ? nameOrArn : arn('lambda', `function:${nameOrArn}`);

const checkExists = (lambda: LambdaEngine, target: string): void => {
  if (lambda.has(target)) return;
  throw new ServiceFault({
    code: 'ResourceNotFoundException',
    message: `Function not found: ${functionArn(target)}`,
    status: 404,
  });
};

/** Lambda's `Invoke`. An `Event` invocation is queued and returns 202 immediately. */
const invoke = async (lambda: LambdaEngine, request: AwsRequest, call: Call): Promise<AwsAnswer> => {
  const target = decodeURIComponent(invocationPath.exec(request.path)?.[1] ?? '');
  call.allow('lambda:InvokeFunction', functionArn(target));
  checkExists(lambda, target);
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
        body: JSON.stringify(errorPayload(result)),
      };
};

const mappingPath = /^\/2015-03-31\/event-source-mappings\/([^/]+)\/?$/;
const mappingChange = z.strictObject({ Enabled: z.boolean().optional() });

const enabledIn = (body: Buffer): boolean | undefined => {
  const change = mappingChange.safeParse(parseJson(body));
  if (change.success) return change.data.Enabled;
  const message = `The local runtime changes only whether a mapping is enabled: ${z.prettifyError(change.error)}`;
  throw new ServiceFault({ code: 'InvalidParameterValueException', message });
};

/** Lambda's `GetEventSourceMapping`, and `UpdateEventSourceMapping` with nothing but `Enabled`. */
const mapping = (eventSources: EventSources, request: AwsRequest, call: Call): AwsAnswer => {
  const id = decodeURIComponent(mappingPath.exec(request.path)?.[1] ?? '');
  const isChange = request.method === 'PUT';
  const action = isChange ? 'lambda:UpdateEventSourceMapping' : 'lambda:GetEventSourceMapping';
  const { tags } = eventSources.find(id);
  call.allow(action, arn('lambda', `event-source-mapping:${id}`), tagContext(tags));
  const wanted = isChange ? enabledIn(request.body) : undefined;
  if (wanted !== undefined) eventSources.setEnabled(id, wanted);
  const { eventSourceArn, functionName, enabled, batchSize } = eventSources.find(id);
  return {
    status: isChange ? 202 : 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      UUID: id,
      EventSourceArn: eventSourceArn,
      FunctionArn: functionArn(functionName),
      BatchSize: batchSize,
      State: enabled ? 'Enabled' : 'Disabled',
    }),
  };
};

const concurrencyPath = /^\/20(?:17-10-31|19-09-30)\/functions\/([^/]+)\/concurrency$/;
const concurrencyChange = z.object({ ReservedConcurrentExecutions: z.int().min(0) });
const concurrencyActions: Readonly<Record<string, string>> = {
  PUT: 'lambda:PutFunctionConcurrency',
  DELETE: 'lambda:DeleteFunctionConcurrency',
  GET: 'lambda:GetFunctionConcurrency',
};

/** Lambda's `PutFunctionConcurrency`, `DeleteFunctionConcurrency` and `GetFunctionConcurrency`. */
const concurrency = (lambda: LambdaEngine, request: AwsRequest, call: Call): AwsAnswer => {
  const target = decodeURIComponent(concurrencyPath.exec(request.path)?.[1] ?? '');
  call.allow(concurrencyActions[request.method] ?? '', functionArn(target));
  checkExists(lambda, target);
  const headers = { 'content-type': 'application/json' };
  if (request.method === 'DELETE') {
    lambda.reserve(target, undefined);
    return { status: 204, headers, body: '' };
  }
  if (request.method === 'PUT') {
    const { ReservedConcurrentExecutions } = concurrencyChange.parse(parseJson(request.body));
    lambda.reserve(target, ReservedConcurrentExecutions);
  }
  return {
    status: 200,
    headers,
    body: JSON.stringify({ ReservedConcurrentExecutions: lambda.reserved(target) }),
  };
};

const policyPath = /^\/2015-03-31\/functions\/([^/]+)\/policy(?:\/([^/]+))?$/;
const newPermission = z.strictObject({
  StatementId: z.string(),
  Action: z.enum(['lambda:InvokeFunction', 'lambda:*']),
  Principal: z.string(),
  SourceAccount: z.string().optional(),
  SourceArn: z.string().optional(),
});

/** Lambda's `AddPermission`. */
const addPermission = (lambda: LambdaEngine, request: AwsRequest, call: Call): AwsAnswer => {
  const target = decodeURIComponent(policyPath.exec(request.path)?.[1] ?? '');
  call.allow('lambda:AddPermission', functionArn(target));
  checkExists(lambda, target);
  const wanted = newPermission.safeParse(parseJson(request.body));
  if (!wanted.success) {
    throw new ServiceFault({
      code: 'InvalidParameterValueException',
      message: `The local runtime does not support this statement: ${z.prettifyError(wanted.error)}`,
    });
  }
  const { StatementId, Action, Principal, SourceAccount, SourceArn } = wanted.data;
  lambda.permit({
    target,
    statementId: StatementId,
    action: Action,
    principal: Principal,
    ...(SourceArn !== undefined && { sourceArn: SourceArn }),
    ...(SourceAccount !== undefined && { sourceAccount: SourceAccount }),
  });
  const statement = {
    Sid: StatementId,
    Effect: 'Allow',
    Principal: { Service: Principal },
    Action,
    Resource: functionArn(target),
  };
  return {
    status: 201,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Statement: JSON.stringify(statement) }),
  };
};

/** Lambda's `RemovePermission`. */
const removePermission = (lambda: LambdaEngine, request: AwsRequest, call: Call): AwsAnswer => {
  const [, name = '', statementId = ''] = policyPath.exec(request.path) ?? [];
  const target = decodeURIComponent(name);
  call.allow('lambda:RemovePermission', functionArn(target));
  checkExists(lambda, target);
  lambda.forbid(target, decodeURIComponent(statementId));
  return { status: 204, headers: {}, body: '' };
};

export const lambdaService =
  ({ lambda, eventSources }: Pick<Engines, 'lambda' | 'eventSources'>) =>
  async (request: AwsRequest, call: Call): Promise<AwsAnswer> => {
    try {
      if (request.method === 'POST' && invocationPath.test(request.path)) {
        return await invoke(lambda, request, call);
      }
      if (request.method in concurrencyActions && concurrencyPath.test(request.path)) {
        return concurrency(lambda, request, call);
      }
      if (['GET', 'PUT'].includes(request.method) && mappingPath.test(request.path)) {
        return mapping(eventSources, request, call);
      }
      if (policyPath.test(request.path)) {
        if (request.method === 'POST') return addPermission(lambda, request, call);
        if (request.method === 'DELETE') return removePermission(lambda, request, call);
      }
      throw unsupported(request);
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      return jsonFault(
        error.code === 'AccessDeniedException'
          ? new ServiceFault({ code: error.code, message: error.message, status: 403 })
          : error,
      );
    }
  };
