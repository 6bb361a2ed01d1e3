import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ServiceFault } from '../engines/service-fault.ts';
import type { Call } from './call.ts';
import type { AwsAnswer, AwsRequest } from './request.ts';

export type JsonOperation = (input: unknown, call: Call) => unknown;

export const jsonOperation =
  <Input>(schema: z.ZodType<Input>, run: (input: Input, call: Call) => unknown): JsonOperation =>
  (input, call) => {
    const parsed = schema.safeParse(input);
    if (!parsed.success) {
      throw new ServiceFault({ code: 'ValidationException', message: z.prettifyError(parsed.error) });
    }
    return run(parsed.data, call);
  };

/** Without a body if it is `undefined`, as the answer of an operation that has no output. */
export const jsonAnswer = (status: number, body: unknown, version = '1.1'): AwsAnswer => ({
  status,
  headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amzn-requestid': randomUUID() },
  body: body === undefined ? '' : JSON.stringify(body),
});

export const jsonFault = (fault: ServiceFault, version = '1.1'): AwsAnswer => {
  const answer = jsonAnswer(fault.status, { __type: fault.code, message: fault.message }, version);
  return { ...answer, headers: { ...answer.headers, 'x-amzn-errortype': fault.code } };
};

export const parseJson = (body: Buffer): unknown => {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    throw new ServiceFault({ code: 'SerializationException', message: 'The body is not JSON.' });
  }
};

/** For example, `X-Amz-Target: TrentService.Sign` names the operation `Sign`. */
export const operationName = (request: AwsRequest): string =>
  String(request.headers['x-amz-target'] ?? '')
    .split('.')
    .slice(1)
    .join('.');

/** Seconds since the epoch: the time format of the JSON protocols. */
export const epochSeconds = (date: Date): number => date.getTime() / 1000;

export const jsonService =
  (operations: Readonly<Record<string, JsonOperation>>, version: '1.0' | '1.1' = '1.1') =>
  async (request: AwsRequest, call: Call): Promise<AwsAnswer> => {
    try {
      const name = operationName(request);
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (!operation) {
        throw new ServiceFault({
          code: 'UnknownOperationException',
          message: `The local runtime does not support the operation ${name}.`,
        });
      }
      return jsonAnswer(200, await operation(parseJson(request.body), call), version);
    } catch (error) {
      if (error instanceof ServiceFault) return jsonFault(error, version);
      throw error;
    }
  };
