import { describe, expect, it } from 'vitest';
import type { Application } from '../../../shared/platform/applications/application.ts';
import {
  callingApplication,
  callingEditor,
} from '../../../shared/platform/applications/calling-application.ts';
import { ForbiddenError } from '../../../shared/platform/errors.ts';
import { anApplication } from '../../support/platform/applications.ts';

const kinds: [name: string, kind: Application['kind'], accepting: string][] = [
  ['a customer', undefined, 'callingApplication'],
  ['an editor', 'editor', 'callingEditor'],
  ['a kind that a later release has introduced', 'later', 'nothing'],
];

describe('the key of an application', () => {
  it.each(kinds)('of %s is accepted only by the calls for this kind', async (_, kind, accepting) => {
    const application = anApplication({ kind });
    const applications = { findByApiKeyId: async () => application };

    for (const calling of [callingApplication, callingEditor]) {
      const call = calling(applications, 'key-one');
      if (calling.name === accepting) expect(await call).toBe(application);
      else await expect(call).rejects.toThrow(ForbiddenError);
    }
  });
});
