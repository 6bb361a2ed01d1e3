import { deploy } from 'template-runtime/assembly/deployment.ts';
import { openStackRecords } from 'template-runtime/assembly/stack-records.ts';
import { parseTemplate } from 'template-runtime/assembly/template.ts';
import type { Engines } from 'template-runtime/engines/engines.ts';
import { type ResourceType, resourceType } from 'template-runtime/resources/resource-type.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { stageNames } from '../../../../config/stages.ts';
import { remedy } from '../../../support/platform/remedy.ts';
import { templateOf } from '../../../support/platform/stack.ts';

/** A resource type that creates nothing, since a rollback looks only at the properties of a resource. */
const madeOfNothing = (type: string): ResourceType =>
  resourceType({
    type,
    properties: z.record(z.string(), z.unknown()),
    deploy: async (_, { logicalId }) => ({
      ref: logicalId,
      attributes: new Proxy({}, { get: (__, name) => `${logicalId}.${String(name)}` }),
    }),
  });

describe.each(stageNames)('the first deployment of %s', (stage) => {
  const json = templateOf(stage);
  const template = parseTemplate(json, stage);
  const ids = Object.keys(json.Resources);
  const some = ids.filter((_, index) => index % 100 === 0 || index === ids.length - 1);
  const deploying = (records: ReturnType<typeof openStackRecords>, failAt?: string) =>
    deploy({
      assembly: {
        directory: '/assembly',
        stackName: `Marquee-${stage}`,
        terminationProtection: false,
        template,
      },
      engines: {} as Engines,
      resourceTypes: new Map(Object.values(json.Resources).map(({ Type }) => [Type, madeOfNothing(Type)])),
      parameters: Object.fromEntries(
        // A page's origin has no path, unlike the other addresses.
        Object.keys(json.Parameters ?? {}).map((name) => [
          name,
          name === 'PageOrigins' ? 'https://example.com' : 'https://example.com/path',
        ]),
      ),
      region: 'us-east-1',
      accountId: '000000000000',
      records,
      ...(failAt !== undefined && { failAt }),
    });

  it('succeeds after any number of failures at any resource', async () => {
    const records = openStackRecords();

    for (const id of some) {
      await expect(deploying(records, id), id).rejects.toThrow('ROLLBACK_COMPLETE');
    }
    remedy('a-first-deployment-fails');

    const { resources } = await deploying(records);
    expect(resources).toHaveLength(ids.length);
  });
});
