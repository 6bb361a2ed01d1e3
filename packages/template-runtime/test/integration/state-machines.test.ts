import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InvocationResult } from '../../engines/lambda/types.ts';
import { startAwsEndpoint, type TestEndpoint } from '../../testing/aws-endpoint.ts';
import { waitFor } from '../../testing/wait.ts';

const roleArn = 'arn:aws:iam::000000000000:role/machine';
const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:pass';
const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:waiter';
const deadline = { interval: 10 };

/** The machine runs a pass, and then chooses whether to run another one or to end. */
const definition = {
  StartAt: 'Pass',
  States: {
    Pass: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: functionArn, 'Payload.$': '$' },
      OutputPath: '$.Payload',
      Retry: [{ ErrorEquals: ['Lambda.TooManyRequestsException'], IntervalSeconds: 1, MaxAttempts: 1 }],
      Next: 'Again',
    },
    Again: {
      Type: 'Choice',
      Choices: [{ Variable: '$.more', BooleanEquals: true, Next: 'Pass' }],
      Default: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
};

let stateDirectory: string;
let endpoint: TestEndpoint;
let sfn: SFNClient;
let invoke: (target: string, event: unknown) => Promise<InvocationResult>;

const stateMachine = (name: string, roleArn: string) => ({
  name,
  arn: `arn:aws:states:us-east-1:000000000000:stateMachine:${name}`,
  roleArn,
  definition: JSON.stringify(definition),
});

const start = async (): Promise<void> => {
  endpoint = await startAwsEndpoint({ stateDirectory, invoke: (target, event) => invoke(target, event) });
  sfn = new SFNClient(endpoint.client);
  endpoint.identities.registerRole({ arn: roleArn, name: 'machine', trusts: ['states.amazonaws.com'] });
  endpoint.identities.attachPolicy('machine', {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: functionArn }],
  });
  endpoint.stateMachines.register(stateMachine('waiter', roleArn));
};
const answer = (payload: unknown): InvocationResult => ({ ok: true, payload, requestId: 'r' });
const startExecution = (name: string, input = '{"more":false}') =>
  sfn.send(new StartExecutionCommand({ stateMachineArn, name, input }));
const ended = (executionArn: string | undefined) =>
  waitFor(async () => {
    const execution = await sfn.send(new DescribeExecutionCommand({ executionArn }));
    expect(execution.status).not.toBe('RUNNING');
    return execution;
  }, deadline);

beforeAll(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'state-machines-'));
  await start();
});
beforeEach(() => {
  invoke = async () => answer({ more: false });
});
afterAll(async () => {
  await endpoint.stop();
  await rm(stateDirectory, { recursive: true, force: true });
});

describe('the execution of a state machine', () => {
  it('invokes its function until its choice state ends it, and counts its transitions', async () => {
    const events: unknown[] = [];
    invoke = async (_, event) => {
      events.push(event);
      return answer({ more: events.length < 3, passes: events.length });
    };

    const { executionArn = '' } = await startExecution('loop', '{"signer":"s"}');

    const { status, output } = await ended(executionArn);
    expect(status).toBe('SUCCEEDED');
    expect(JSON.parse(output ?? '')).toEqual({ more: false, passes: 3 });
    expect(events[0]).toEqual({ signer: 's' });
    // The start, three passes, three choices and the end.
    expect(endpoint.stateMachines.execution(executionArn).transitions).toBe(8);
    const history = await sfn.send(new GetExecutionHistoryCommand({ executionArn }));
    expect(history.events?.map(({ type }) => type).slice(0, 3)).toEqual([
      'ExecutionStarted',
      'TaskStateEntered',
      'TaskStateExited',
    ]);
  });

  it('returns the running execution for the same name and input, and rejects the name afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    invoke = async () => {
      await promise;
      return answer({ more: false });
    };

    const first = await startExecution('generation');
    const second = await startExecution('generation');
    expect(second).toMatchObject({ executionArn: first.executionArn, startDate: first.startDate });
    await expect(startExecution('generation', '{"more":true}')).rejects.toMatchObject({
      name: 'ExecutionAlreadyExists',
    });
    resolve();
    await ended(first.executionArn);

    await expect(startExecution('generation')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  });

  it('is aborted by a restart, and its name remains taken', async () => {
    await startExecution('closed');
    await ended('arn:aws:states:us-east-1:000000000000:execution:waiter:closed');
    invoke = () => new Promise(() => undefined);
    const { executionArn } = await startExecution('lost');

    await endpoint.stop();
    await start();

    await expect(startExecution('lost')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await expect(startExecution('closed')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    const { executions } = await sfn.send(
      new ListExecutionsCommand({ stateMachineArn, statusFilter: 'ABORTED' }),
    );
    expect(executions).toMatchObject([{ executionArn, status: 'ABORTED' }]);
  });

  it('fails with the name of the function’s error', async () => {
    invoke = async () => ({ ok: false, requestId: 'r', errorType: 'ChainError', errorMessage: 'down' });

    const { executionArn } = await startExecution('failing');

    const { status, error, cause } = await ended(executionArn);
    expect({ status, error }).toEqual({ status: 'FAILED', error: 'ChainError' });
    expect(JSON.parse(cause ?? '')).toMatchObject({ errorMessage: 'down' });
  });

  it('retries the errors that its state names', async () => {
    let calls = 0;
    invoke = async () => {
      calls += 1;
      return calls === 1
        ? { ok: false, requestId: 'r', errorType: 'Lambda.TooManyRequestsException', errorMessage: '' }
        : answer({ more: false });
    };

    const { executionArn = '' } = await startExecution('retried');

    expect((await ended(executionArn)).status).toBe('SUCCEEDED');
    expect(endpoint.stateMachines.execution(executionArn).transitions).toBe(5);
  });

  it('cannot invoke a function that the machine’s role does not allow', async () => {
    const role = { arn: 'arn:aws:iam::000000000000:role/powerless', name: 'powerless' };
    endpoint.identities.registerRole({ ...role, trusts: ['states.amazonaws.com'] });
    const machine = stateMachine('powerless', role.arn);
    endpoint.stateMachines.register(machine);

    const { executionArn } = await sfn.send(
      new StartExecutionCommand({ stateMachineArn: machine.arn, name: 'denied', input: '{}' }),
    );

    const { error, cause } = await ended(executionArn);
    expect(error).toBe('Lambda.AWSLambdaException');
    expect(cause).toContain('is not authorized to perform: lambda:InvokeFunction');
  });

  it('is stopped on request', async () => {
    invoke = () => new Promise(() => undefined);
    const { executionArn } = await startExecution('stopped');

    await sfn.send(new StopExecutionCommand({ executionArn, error: 'Operator', cause: 'by hand' }));

    expect(await ended(executionArn)).toMatchObject({
      status: 'ABORTED',
      error: 'Operator',
      cause: 'by hand',
    });
  });
});

describe('the start of an execution', () => {
  it('is rejected with StateMachineDoesNotExist or InvalidExecutionInput', async () => {
    await expect(
      sfn.send(new StartExecutionCommand({ stateMachineArn: `${stateMachineArn}-none` })),
    ).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' });
    await expect(startExecution('bad', '{')).rejects.toMatchObject({ name: 'InvalidExecutionInput' });
  });
});
