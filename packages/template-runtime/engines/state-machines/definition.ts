import type { StateMachineDefinition } from 'aws-local-stepfunctions';
import * as z from 'zod';

/** Checks only what the interpreter does not check itself. */
const state: z.ZodType<State> = z.lazy(() =>
  z.looseObject({
    Type: z.string(),
    Resource: z.string().optional(),
    TimeoutSeconds: z.number().optional(),
    TimeoutSecondsPath: z.string().optional(),
    QueryLanguage: z.literal('JSONPath').optional(),
    Branches: z.array(stateGroup).optional(),
    Iterator: stateGroup.optional(),
    ItemProcessor: stateGroup.optional(),
  }),
);
const stateGroup = z.looseObject({ States: z.record(z.string(), state) });
const definition = z.looseObject({
  QueryLanguage: z.literal('JSONPath').optional(),
  States: z.record(z.string(), state),
});

interface State {
  Type: string;
  Resource?: string | undefined;
  TimeoutSeconds?: number | undefined;
  TimeoutSecondsPath?: string | undefined;
  Branches?: { States: Record<string, State> }[] | undefined;
  Iterator?: { States: Record<string, State> } | undefined;
  ItemProcessor?: { States: Record<string, State> } | undefined;
}

export interface TaskState {
  readonly name: string;
  readonly resource: string;
}

/**
 * The timeout for a task that sets none. Otherwise the interpreter would end the task after 60 s; Step Functions would
 * not.
 */
const longestTaskSeconds = 86_400;

const tasksOf = (states: Readonly<Record<string, State>>): readonly TaskState[] =>
  Object.entries(states).flatMap(([name, each]) => {
    const nested = [...(each.Branches ?? []), each.Iterator, each.ItemProcessor]
      .filter((group) => group !== undefined)
      .flatMap((group) => tasksOf(group.States));
    if (each.Type !== 'Task') return nested;
    if (each.TimeoutSeconds === undefined && each.TimeoutSecondsPath === undefined) {
      each.TimeoutSeconds = longestTaskSeconds;
    }
    return [{ name, resource: each.Resource ?? '' }, ...nested];
  });

/** Throws on a definition that does not use JSONPath. */
export const parseDefinition = (
  text: string,
): { readonly definition: StateMachineDefinition; readonly tasks: readonly TaskState[] } => {
  const parsed = definition.parse(JSON.parse(text));
  const tasks = tasksOf(parsed.States);
  return { definition: parsed as unknown as StateMachineDefinition, tasks };
};
