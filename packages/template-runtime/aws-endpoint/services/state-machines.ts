import * as z from 'zod';
import { ServiceFault } from '../../engines/service-fault.ts';
import type { Execution, HistoryEvent, StateMachines } from '../../engines/state-machines/types.ts';
import { epochSeconds, jsonOperation, jsonService } from '../json-protocol.ts';

const executionReference = z.object({ executionArn: z.string() });
const machineReference = z.object({ stateMachineArn: z.string() });
const page = { maxResults: z.int().min(0).max(1000).optional(), nextToken: z.string().optional() };

const shown = (execution: Execution) => ({
  executionArn: execution.executionArn,
  stateMachineArn: execution.stateMachineArn,
  name: execution.name,
  status: execution.status,
  startDate: epochSeconds(execution.startDate),
  ...(execution.stopDate && { stopDate: epochSeconds(execution.stopDate) }),
});

const described = (execution: Execution) => ({
  ...shown(execution),
  input: execution.input,
  inputDetails: { included: true },
  output: execution.output,
  ...(execution.output !== undefined && { outputDetails: { included: true } }),
  error: execution.error,
  cause: execution.cause,
});

const event = ({ details, timestamp, ...rest }: HistoryEvent) => ({
  ...rest,
  timestamp: epochSeconds(timestamp),
  ...details,
});

/** `nextToken` is the index of the first item of the next page. */
const paged = <Item>(
  items: readonly Item[],
  {
    maxResults,
    nextToken,
  }: { readonly maxResults?: number | undefined; readonly nextToken?: string | undefined },
): { readonly items: readonly Item[]; readonly nextToken?: string } => {
  const from = Number(nextToken ?? 0);
  if (!Number.isInteger(from)) {
    throw new ServiceFault({ code: 'InvalidToken', message: `Invalid Token: '${nextToken}'` });
  }
  const to = from + (maxResults || 100);
  return { items: items.slice(from, to), ...(to < items.length && { nextToken: String(to) }) };
};

const checkInput = (input: string): void => {
  try {
    JSON.parse(input);
  } catch {
    throw new ServiceFault({
      code: 'InvalidExecutionInput',
      message: 'Invalid State Machine Execution Input',
    });
  }
};

export const stateMachinesService = (machines: StateMachines) =>
  jsonService(
    {
      StartExecution: jsonOperation(
        machineReference.extend({
          name: z
            .string()
            .regex(/^[\w.-]{1,80}$/)
            .optional(),
          input: z.string().default('{}'),
        }),
        ({ stateMachineArn, name, input }, call) => {
          call.allow('states:StartExecution', stateMachineArn);
          checkInput(input);
          const execution = machines.start({ stateMachineArn, input, ...(name !== undefined && { name }) });
          return { executionArn: execution.executionArn, startDate: epochSeconds(execution.startDate) };
        },
      ),
      DescribeExecution: jsonOperation(executionReference, ({ executionArn }, call) => {
        call.allow('states:DescribeExecution', executionArn);
        return described(machines.execution(executionArn));
      }),
      ListExecutions: jsonOperation(
        machineReference.extend({
          statusFilter: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']).optional(),
          ...page,
        }),
        ({ stateMachineArn, statusFilter, ...wanted }, call) => {
          call.allow('states:ListExecutions', stateMachineArn);
          const { items, nextToken } = paged(
            machines.executions({ stateMachineArn, ...(statusFilter && { status: statusFilter }) }),
            wanted,
          );
          return { executions: items.map(shown), nextToken };
        },
      ),
      GetExecutionHistory: jsonOperation(
        executionReference.extend({ reverseOrder: z.boolean().default(false), ...page }),
        ({ executionArn, reverseOrder, ...wanted }, call) => {
          call.allow('states:GetExecutionHistory', executionArn);
          const history = machines.history(executionArn);
          const { items, nextToken } = paged(reverseOrder ? history.toReversed() : history, wanted);
          return { events: items.map(event), nextToken };
        },
      ),
      StopExecution: jsonOperation(
        executionReference.extend({ error: z.string().optional(), cause: z.string().optional() }),
        ({ executionArn, error, cause }, call) => {
          call.allow('states:StopExecution', executionArn);
          const stopped = machines.stopExecution({
            executionArn,
            ...(error !== undefined && { error }),
            ...(cause !== undefined && { cause }),
          });
          return { stopDate: epochSeconds(stopped.stopDate ?? new Date()) };
        },
      ),
      ListStateMachines: jsonOperation(z.object(page), (_, call) => {
        call.allow('states:ListStateMachines', '*');
        return {
          stateMachines: machines.list().map((machine) => ({
            stateMachineArn: machine.arn,
            name: machine.name,
            type: 'STANDARD',
            creationDate: epochSeconds(machine.creationDate),
          })),
        };
      }),
    },
    '1.0',
  );
