import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deploy } from '../../assembly/deployment.ts';
import { openStackRecords, type StackRecords } from '../../assembly/stack-records.ts';
import { parseTemplate } from '../../assembly/template.ts';
import type { Engines } from '../../engines/engines.ts';
import { type ResourceType, resourceType } from '../../resources/resource-type.ts';

let there: string[];
let records: StackRecords;

beforeEach(() => {
  there = [];
  records = openStackRecords();
});

const typeNamed = (type: string) =>
  resourceType({
    type,
    properties: z.record(z.string(), z.unknown()),
    deploy: async (_, { logicalId }) => {
      there.push(logicalId);
      return { ref: logicalId };
    },
    remove: async ({ ref }) => {
      there = there.filter((each) => each !== ref);
    },
  });
const resourceTypes = new Map<string, ResourceType>(
  ['AWS::Logs::LogGroup', 'AWS::DynamoDB::Table'].map((type) => [type, typeNamed(type)]),
);

const deploying = (
  resources: Readonly<Record<string, object>>,
  { failAt, terminationProtection = false }: { failAt?: string; terminationProtection?: boolean } = {},
) =>
  deploy({
    assembly: {
      directory: '/assembly',
      stackName: 'Stack',
      terminationProtection,
      template: parseTemplate({ Resources: resources }, 'a template'),
    },
    engines: {} as Engines,
    resourceTypes,
    parameters: {},
    region: 'us-east-1',
    accountId: '000000000000',
    records,
    ...(failAt !== undefined && { failAt }),
  });

const logs = (DeletionPolicy?: string, LogGroupName: string | undefined = 'logs') => ({
  Type: 'AWS::Logs::LogGroup',
  Properties: { LogGroupName },
  ...(DeletionPolicy && { DeletionPolicy }),
});
const table = (DeletionProtectionEnabled: boolean) => ({
  Type: 'AWS::DynamoDB::Table',
  Properties: { DeletionProtectionEnabled },
  DeletionPolicy: 'RetainExceptOnCreate',
  DependsOn: 'Logs',
});
const last = { Type: 'AWS::Logs::LogGroup', DependsOn: 'Table' };

describe('the failed creation of a stack', () => {
  it.each(['Logs', 'Table', 'Last'])('at %s is rolled back and can be repeated', async (failAt) => {
    const template = { Logs: logs('RetainExceptOnCreate'), Table: table(false), Last: last };

    await expect(deploying(template, { failAt })).rejects.toThrow(
      `failed on purpose, as requested\nStack: ROLLBACK_COMPLETE`,
    );
    expect(there).toEqual([]);

    await deploying(template);
    expect(there).toEqual(['Logs', 'Table', 'Last']);
  });

  it('keeps retained resources, whose names then make the next creation fail', async () => {
    const template = { Logs: logs('Retain'), Table: table(false) };

    await expect(deploying(template, { failAt: 'Table' })).rejects.toThrow('ROLLBACK_COMPLETE');
    expect(there).toEqual(['Logs']);

    await expect(deploying(template)).rejects.toThrow('AWS::Logs::LogGroup logs already exists');
  });

  it('cannot be rolled back or repeated if a table has deletion protection', async () => {
    const template = { Logs: logs(), Table: table(true), Last: last };

    await expect(deploying(template, { failAt: 'Last' })).rejects.toThrow(
      /ROLLBACK_FAILED\nTable \(AWS::DynamoDB::Table\) can't be deleted/,
    );
    expect(there).toEqual(['Table']);

    await expect(deploying(template)).rejects.toThrow('ROLLBACK_FAILED state and can not be updated');
  });

  it('cannot be repeated if the stack has termination protection', async () => {
    const template = { Logs: logs(), Table: table(false) };
    const options = { terminationProtection: true };

    await expect(deploying(template, { ...options, failAt: 'Table' })).rejects.toThrow('ROLLBACK_COMPLETE');

    await expect(deploying(template, options)).rejects.toThrow(
      'cannot be deleted while TerminationProtection is enabled',
    );
  });
});

describe('the failed update of a stack', () => {
  it('deletes nothing that existed before the update', async () => {
    const template = { Logs: logs(), Table: table(false) };
    await deploying(template);

    await expect(deploying(template, { failAt: 'Table' })).rejects.toThrow('failed on purpose, as requested');

    expect(there).toEqual(expect.arrayContaining(['Logs', 'Table']));
    await deploying(template);
  });
});

it('a deployment with a test fault for a resource that does not exist is rejected and creates nothing', async () => {
  await expect(deploying({ Logs: logs() }, { failAt: 'Log' })).rejects.toThrow(
    'the template has no resource Log',
  );
  expect(there).toEqual([]);
});
