import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileDurably } from '../durable-file.ts';
import { arn } from './account.ts';
import { ServiceFault } from './service-fault.ts';

export interface Parameter {
  readonly name: string;
  readonly arn: string;
  readonly type: 'String' | 'StringList';
  readonly value: string;
  readonly version: number;
  readonly lastModifiedDate: Date;
}

/** What stands in for the Parameter Store of Systems Manager. */
export interface ParameterEngine {
  get(name: string): Parameter;
  put(parameter: Pick<Parameter, 'name' | 'type' | 'value'>): Parameter;
}

const storedParameters = z.record(
  z.string(),
  z.object({
    type: z.enum(['String', 'StringList']),
    value: z.string(),
    version: z.int(),
    lastModifiedDate: z.iso.datetime(),
  }),
);

export const parameterArn = (name: string): string =>
  arn('ssm', `parameter${name.startsWith('/') ? '' : '/'}${name}`);

/** Values are kept in `parameters.json` of the state directory. */
export const createParameterEngine = ({
  stateDirectory,
}: {
  readonly stateDirectory: string;
}): ParameterEngine => {
  const path = join(stateDirectory, 'parameters.json');
  const values = existsSync(path) ? storedParameters.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};

  const get = (name: string): Parameter => {
    const stored = values[name];
    if (!stored)
      throw new ServiceFault({ code: 'ParameterNotFound', message: `Parameter ${name} not found.` });
    return { ...stored, name, arn: parameterArn(name), lastModifiedDate: new Date(stored.lastModifiedDate) };
  };

  return {
    get,
    put({ name, type, value }) {
      const before = values[name];
      if (before?.value !== value || before.type !== type) {
        values[name] = {
          type,
          value,
          version: (before?.version ?? 0) + 1,
          lastModifiedDate: new Date().toISOString(),
        };
        writeFileDurably(path, JSON.stringify(values));
      }
      return get(name);
    },
  };
};
