import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIdentities } from '../../engines/iam/engine.ts';
import { createLambdaEngine } from '../../engines/lambda/engine.ts';
import type { InvocationResult, LambdaEngine, LambdaFunction } from '../../engines/lambda/types.ts';
import type { Datum } from '../../engines/metrics/types.ts';
import { bundleFunction, temporaryDirectory } from '../../testing/bundles.ts';
import { drivenClock } from '../../testing/driven-clock.ts';
import { waitFor } from '../../testing/wait.ts';

const roleArn = 'arn:aws:iam::000000000000:role/test-role';

let engine: LambdaEngine;
let logDirectory: string;
const terminal: string[] = [];

const register = async (source: string, overrides: Partial<LambdaFunction> = {}): Promise<void> =>
  engine.register({
    name: 'fn',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:fn',
    codeDirectory: await bundleFunction(source),
    handler: 'index.handler',
    environment: { GREETING: 'hello' },
    timeoutSeconds: 5,
    memoryMegabytes: 128,
    roleArn,
    ...overrides,
  });

const logOf = (name: string): Promise<string> => readFile(join(logDirectory, `${name}.log`), 'utf8');

const start = (
  options: { readonly maximumConcurrency?: number; readonly patience?: number } = {},
): LambdaEngine => {
  const identities = createIdentities();
  identities.registerRole({ arn: roleArn, name: 'test-role', trusts: ['lambda.amazonaws.com'] });
  return createLambdaEngine({
    ...options,
    logDirectory,
    identities,
    awsEndpointUrl: () => 'http://127.0.0.1:4566',
    report: (line) => terminal.push(line),
  });
};

beforeEach(async () => {
  terminal.length = 0;
  logDirectory = await temporaryDirectory();
  engine = start();
});

afterEach(() => engine.stop());

describe('the Lambda engine', () => {
  it("passes event and context to the handler, and the variables and the role's credentials in its environment", async () => {
    await register(`export const handler = async (event, context) => ({
      event,
      name: context.functionName,
      arn: context.invokedFunctionArn,
      remaining: context.getRemainingTimeInMillis() > 4000,
      requestId: context.awsRequestId,
      greeting: process.env.GREETING,
      home: process.env.HOME ?? null,
      endpoint: process.env.AWS_ENDPOINT_URL,
      key: process.env.AWS_ACCESS_KEY_ID.slice(0, 4),
    });`);

    const result = await engine.invoke('fn', { n: 1 });

    expect(result).toMatchObject({
      ok: true,
      payload: {
        event: { n: 1 },
        name: 'fn',
        arn: 'arn:aws:lambda:us-east-1:000000000000:function:fn',
        remaining: true,
        requestId: result.requestId,
        greeting: 'hello',
        home: null,
        endpoint: 'http://127.0.0.1:4566',
        key: 'ASIA',
      },
    });
  });

  it('gives functions so many times longer as it has patience, and tells them', async () => {
    await engine.stop();
    engine = start({ patience: 10 });
    await register(
      `export const handler = async (_, context) => ({
        remaining: context.getRemainingTimeInMillis() > 5_000,
        patience: process.env.PATIENCE,
      });`,
      { timeoutSeconds: 1 },
    );

    const result = await engine.invoke('fn', {});

    expect(result).toMatchObject({ ok: true, payload: { remaining: true, patience: '10' } });
  });

  it('keeps the module state between invocations, and runs one invocation at a time in an environment', async () => {
    await engine.stop();
    engine = start({ maximumConcurrency: 1 });
    await register(
      `let count = 0; let running = 0;
       export const handler = async () => {
         running += 1; const together = running;
         await new Promise((resolve) => setImmediate(resolve));
         running -= 1; count += 1;
         return { count, together };
       };`,
    );

    const results = await Promise.all([1, 2, 3].map(() => engine.invoke('fn', {})));

    expect(results.map((result) => result.ok && result.payload)).toEqual([
      { count: 1, together: 1 },
      { count: 2, together: 1 },
      { count: 3, together: 1 },
    ]);
  });

  it('ends a function at its time-out, even in an endless loop, and serves the next request', async () => {
    await register('export const handler = async ({ hang }) => { while (hang); return "done"; };', {
      timeoutSeconds: 1,
    });

    const hung = await engine.invoke('fn', { hang: true });
    const next = await engine.invoke('fn', { hang: false });

    expect(hung).toMatchObject({
      ok: false,
      errorType: 'Sandbox.Timedout',
      errorMessage: `RequestId: ${hung.requestId} Error: Task timed out after 1.00 seconds`,
    });
    expect(next).toMatchObject({ ok: true, payload: 'done' });
    expect(await logOf('fn')).toContain(`${hung.requestId} Task timed out after 1.00 seconds`);
  });

  it.each([
    ['an error', 'throw new RangeError("too far")', { errorType: 'RangeError', errorMessage: 'too far' }],
    ['a thrown value', 'throw "text"', { errorType: 'string', errorMessage: 'text' }],
    [
      'a rejection that nobody handles',
      'void Promise.reject(new Error("lost")); await new Promise(() => {});',
      { errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: 'Error: lost' },
    ],
    [
      'an error that nobody catches',
      'setImmediate(() => { throw new TypeError("late"); }); await new Promise(() => {});',
      { errorType: 'TypeError', errorMessage: 'late' },
    ],
    [
      'process.exit',
      'process.exit(3)',
      { errorType: 'Runtime.ExitError', errorMessage: 'Error: Runtime exited with error: exit status 3' },
    ],
    [
      'running out of memory',
      'const kept = []; for (;;) kept.push(new Array(100_000).fill(Math.random()));',
      { errorType: 'Runtime.OutOfMemory' },
    ],
    ['a result that is not JSON', 'return 1n', { errorType: 'Runtime.MarshalError' }],
  ])('reports %s as Lambda does, and continues', async (_what, body, expected) => {
    await register(`export const handler = async ({ fail }) => { if (!fail) return 'fine'; ${body} };`, {
      memoryMegabytes: 64,
      timeoutSeconds: 20,
    });

    const failed = await engine.invoke('fn', { fail: true });
    const next = await engine.invoke('fn', { fail: false });

    expect(failed).toMatchObject({ ok: false, ...expected });
    expect(next).toMatchObject({ ok: true, payload: 'fine' });
    expect(terminal).toHaveLength(1);
    expect(terminal[0]).toMatch(/^fn failed: .*fn\.log\)$/);
  });

  it('fails the invocation when the module cannot be loaded', async () => {
    await register(
      'if (!process.env.TABLE) throw new Error("TABLE is missing"); export const handler = async () => 1;',
    );

    expect(await engine.invoke('fn', {})).toMatchObject({ ok: false, errorMessage: 'TABLE is missing' });
  });

  it.each([
    ['index.other', 'Runtime.HandlerNotFound'],
    ['main.handler', 'Runtime.ImportModuleError'],
  ])('fails the invocation when the handler %s does not exist', async (handler, errorType) => {
    await register('export const handler = async () => 1;', { handler });

    expect(await engine.invoke('fn', {})).toMatchObject({ ok: false, errorType });
  });

  it('writes console output, streams and the lines START, END and REPORT to the log of the function', async () => {
    await register(
      'export const handler = async () => { console.log("a %s", "line"); process.stderr.write("raw\\n"); };',
    );

    const { requestId } = await engine.invoke('fn', {});

    const lines = (await logOf('fn')).trimEnd().split('\n');
    expect(lines[0]).toBe(`START RequestId: ${requestId} Version: $LATEST`);
    expect(lines[1]).toMatch(new RegExp(`^\\d{4}-.*Z\\t${requestId}\\tINFO\\ta line$`));
    expect(lines[2]).toBe('raw');
    expect(lines[3]).toBe(`END RequestId: ${requestId}`);
    expect(lines[4]).toMatch(
      /^REPORT RequestId: .*\tDuration: .* ms\tBilled Duration: \d+ ms\tMemory Size: 128 MB/,
    );
  });

  it('finds a function by name and by ARN, and throws for a function that does not exist', async () => {
    await register('export const handler = async () => 1;');

    expect(
      await engine.invoke('arn:aws:lambda:us-east-1:000000000000:function:fn:$LATEST', {}),
    ).toMatchObject({
      ok: true,
    });
    await expect(engine.invoke('nobody', {})).rejects.toThrow('Function not found: nobody');
  });

  it('allows a service to invoke only what the resource policy permits', async () => {
    await register('export const handler = async () => 1;');
    engine.permit({
      target: 'fn',
      statementId: 'things',
      action: 'lambda:InvokeFunction',
      principal: 'apigateway.amazonaws.com',
      sourceArn: 'arn:aws:execute-api:us-east-1:000000000000:api/local/GET/things/*',
    });
    const request = { target: 'fn', principal: 'apigateway.amazonaws.com' };
    const source = 'arn:aws:execute-api:us-east-1:000000000000:api/local';

    expect(engine.mayInvoke({ ...request, sourceArn: `${source}/GET/things/{id}` })).toBe(true);
    expect(engine.mayInvoke({ ...request, sourceArn: `${source}/POST/things/{id}` })).toBe(false);
    expect(
      engine.mayInvoke({
        ...request,
        principal: 'events.amazonaws.com',
        sourceArn: `${source}/GET/things/1`,
      }),
    ).toBe(false);
    const again = { target: 'fn', statementId: 'things', action: 'lambda:*', principal: 'sns.amazonaws.com' };
    expect(() => engine.permit(again)).toThrow('already exists');

    engine.forbid('fn', 'things');

    expect(engine.mayInvoke({ ...request, sourceArn: `${source}/GET/things/{id}` })).toBe(false);
    expect(() => engine.forbid('fn', 'things')).toThrow('is not found in resource policy');
  });

  it('runs concurrent invocations in parallel up to a maximum, and queues the others', async () => {
    await register(
      `export const handler = async () => {
         const began = Date.now();
         await new Promise((resolve) => setTimeout(resolve, 400));
         return { began, ended: Date.now() };
       };`,
    );

    const sideBySide = mostAtOnce(
      await Promise.all(Array.from({ length: 30 }, () => engine.invoke('fn', {}))),
    );

    expect(sideBySide).toBe(Math.max(4, 2 * availableParallelism()));
  });
});

/** The largest number of these invocations that ran at the same time. */
const mostAtOnce = (results: readonly InvocationResult[]): number => {
  const runs = results.map((result) => {
    if (!result.ok) throw new Error(`An invocation failed: ${result.errorMessage}`);
    return result.payload as { readonly began: number; readonly ended: number };
  });
  return Math.max(
    ...runs.map(({ began }) => runs.filter((run) => run.began <= began && began < run.ended).length),
  );
};

describe('an environment with the freezing fault', () => {
  /** A function that counts timer ticks. It returns the count before and after it has waited for `wait` more ticks. */
  const ticking = `
    let ticks = 0;
    let late = 'not yet';
    setInterval(() => { ticks += 1; }, 2);
    export const handler = async ({ wait, leave }) => {
      const before = ticks;
      if (leave) setTimeout(() => { late = 'came'; }, 1);
      while (ticks < before + wait) await new Promise((resolve) => setTimeout(resolve, 1));
      return { before, after: ticks, late };
    };`;
  const invoked = async (name: string, event: object) => {
    const result = await engine.invoke(name, event);
    if (!result.ok) throw new Error(result.errorMessage);
    return result.payload as { readonly before: number; readonly after: number; readonly late: string };
  };

  it('does nothing between two invocations, while an environment without the fault continues', async () => {
    await register(ticking, { name: 'awake', arn: 'arn:aws:lambda:us-east-1:000000000000:function:awake' });
    const awake = await invoked('awake', { wait: 1 });
    engine.setFaults({ freezes: true });
    await register(ticking);

    const first = await invoked('fn', { wait: 5, leave: true });
    engine.setFaults({ freezes: false });
    const meanwhile = await invoked('awake', { wait: 100 });
    engine.setFaults({ freezes: true });
    const second = await invoked('fn', { wait: 1 });

    expect(meanwhile.after).toBeGreaterThan(awake.after + 100);
    // However many ticks fell due while the environment was frozen, only one comes, before or in the next invocation.
    expect(second.before - first.after).toBeLessThanOrEqual(1);
  });

  it('can be stopped while it is frozen', async () => {
    engine.setFaults({ freezes: true });
    await register(ticking);
    await invoked('fn', { wait: 1 });

    await expect(engine.stop()).resolves.toBeUndefined();
  });
});

describe('the concurrency of functions', () => {
  const held = `
    import { existsSync } from 'node:fs';
    let calls = 0;
    export const handler = async ({ until }) => {
      while (until && !existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 5));
      return { calls: ++calls };
    };`;
  const gate = () => join(logDirectory, 'open');
  const refused = (refusal: string) => ({ ok: false, errorType: 'TooManyRequestsException', refusal });

  it("is limited by a function's reservation without affecting other functions", async () => {
    await register(held, { reservedConcurrency: 2 });
    await register(held, { name: 'other', arn: 'arn:aws:lambda:us-east-1:000000000000:function:other' });

    const running = [1, 2].map(() => engine.invoke('fn', { until: gate() }));

    expect(await engine.invoke('fn', {})).toMatchObject(
      refused('ReservedFunctionConcurrentInvocationLimitExceeded'),
    );
    expect(await engine.invoke('other', {})).toMatchObject({ ok: true });
    await writeFile(gate(), '');
    expect(await Promise.all(running)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(await engine.invoke('fn', {})).toMatchObject({ ok: true });
  });

  it("is limited by the unreserved part of the account's concurrency", async () => {
    engine.setFaults({ accountConcurrency: 3 });
    await register(held, { reservedConcurrency: 2 });
    await register(held, { name: 'other', arn: 'arn:aws:lambda:us-east-1:000000000000:function:other' });

    const running = engine.invoke('other', { until: gate() });

    expect(await engine.invoke('other', {})).toMatchObject(refused('ConcurrentInvocationLimitExceeded'));
    expect(await engine.invoke('fn', {})).toMatchObject({ ok: true });
    await writeFile(gate(), '');
    expect(await running).toMatchObject({ ok: true });
  });

  it('does not include an invocation that was aborted while it was queued', async () => {
    await engine.stop();
    engine = start({ maximumConcurrency: 1 });
    await register(held);
    const givenUp = new AbortController();

    const first = engine.invoke('fn', { until: gate() });
    const second = engine.invoke('fn', {}, { signal: givenUp.signal });
    const third = engine.invoke('fn', {}, { signal: new AbortController().signal });
    givenUp.abort();
    await writeFile(gate(), '');

    expect(await first).toMatchObject({ payload: { calls: 1 } });
    expect(await second).toMatchObject({ ok: false, errorType: 'TooManyRequestsException' });
    expect(await third).toMatchObject({ payload: { calls: 2 } });
    expect(terminal).toEqual([]);
  });
});

describe('an asynchronous call that fails', () => {
  const queueArn = 'arn:aws:sqs:us-east-1:000000000000:given-up';
  const event = { of: 'a batch' };
  const failing = 'export const handler = async () => { throw new RangeError("too far"); };';

  const startWith = async (source: string) => {
    await engine.stop();
    const clock = drivenClock();
    const identities = createIdentities();
    identities.registerRole({ arn: roleArn, name: 'test-role', trusts: ['lambda.amazonaws.com'] });
    const allow = (Action: string): void =>
      identities.attachPolicy(
        'test-role',
        { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] },
        'calls',
      );
    const sent: { readonly queueArn: string; readonly record: Record<string, unknown> }[] = [];
    const measured: Datum[] = [];
    engine = createLambdaEngine({
      logDirectory,
      identities,
      clock,
      metrics: { put: (datum) => void measured.push(datum) },
      messaging: {
        send: async ({ queueArn: to, body }) => {
          sent.push({ queueArn: to, record: JSON.parse(body) });
          return { messageId: 'm' };
        },
      },
      awsEndpointUrl: () => 'http://127.0.0.1:4566',
      report: (line) => terminal.push(line),
    });
    await register(source);
    allow('sqs:SendMessage');
    const count = (name: string) =>
      measured.filter((datum) => datum.name === name).reduce((sum, { value }) => sum + value, 0);
    /** Moves the clock on until the call has ended. */
    const ended = async (run: Promise<boolean>, minutes = 1): Promise<void> => {
      let isOver = false;
      void run.then(() => {
        isOver = true;
      });
      await waitFor(
        () => {
          if (!isOver) clock.advance(minutes * 60_000);
          expect(isOver).toBe(true);
        },
        { interval: 50 },
      );
    };
    return { sent, count, ended, allow };
  };

  it('is sent to the destination with its event and its last error after two retries', async () => {
    const { sent, count, ended } = await startWith(failing);
    engine.configureAsynchronous('fn', { onFailureArn: queueArn });

    await ended(engine.enqueue('fn', event));

    expect(count('Invocations')).toBe(3);
    expect(sent).toEqual([
      {
        queueArn,
        record: {
          version: '1.0',
          timestamp: expect.any(String),
          requestContext: {
            requestId: expect.any(String),
            functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:fn:$LATEST',
            condition: 'RetriesExhausted',
            approximateInvokeCount: 3,
          },
          requestPayload: event,
          responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
          responsePayload: { errorType: 'RangeError', errorMessage: 'too far', trace: expect.any(Array) },
        },
      },
    ]);
  });

  it.each([
    ['after as many retries as its settings allow', { maximumRetryAttempts: 0 }, 'RetriesExhausted', 1],
    ['when the next retry would come too late', { maximumAgeSeconds: 60 }, 'EventAgeExceeded', 1],
  ])('is sent to the destination %s', async (_, settings, condition, approximateInvokeCount) => {
    const { sent, ended } = await startWith(failing);
    engine.configureAsynchronous('fn', { onFailureArn: queueArn, ...settings });

    await ended(engine.enqueue('fn', event));

    expect(sent.map(({ record }) => record.requestContext)).toMatchObject([
      { condition, approximateInvokeCount },
    ]);
  });

  it('is sent to the destination at once while the reserved concurrency is 0', async () => {
    const { sent, count } = await startWith(failing);
    engine.configureAsynchronous('fn', { onFailureArn: queueArn });
    engine.reserve('fn', 0);

    expect(await engine.enqueue('fn', event)).toBe(true);

    expect(count('Invocations')).toBe(0);
    expect(sent.map(({ record }) => record)).toEqual([
      {
        version: '1.0',
        timestamp: expect.any(String),
        requestContext: {
          functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:fn:$LATEST',
          condition: 'ZeroReservedConcurrency',
          approximateInvokeCount: 0,
        },
        requestPayload: event,
      },
    ]);
  });

  it('is not sent to the destination if a retry succeeds', async () => {
    const { sent, ended } = await startWith(
      'let calls = 0; export const handler = async () => { calls += 1; if (calls < 3) throw new Error("no"); };',
    );
    engine.configureAsynchronous('fn', { onFailureArn: queueArn });

    await ended(engine.enqueue('fn', event));

    expect(sent).toEqual([]);
  });

  it("is lost and counted if the function's role can no longer send to the destination", async () => {
    const { sent, count, allow } = await startWith(failing);
    engine.configureAsynchronous('fn', { onFailureArn: queueArn, maximumRetryAttempts: 0 });
    allow('sqs:ReceiveMessage');

    expect(await engine.enqueue('fn', event)).toBe(true);

    expect(sent).toEqual([]);
    expect(count('DestinationDeliveryFailures')).toBe(1);
    expect(terminal.at(-1)).toContain('sqs:SendMessage');
  });

  it("cannot get a destination to which the function's role cannot send", async () => {
    const { allow } = await startWith(failing);
    allow('sqs:ReceiveMessage');

    expect(() => engine.configureAsynchronous('fn', { onFailureArn: queueArn })).toThrow(
      'does not have permissions to call SendMessage',
    );
  });
});
