import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Outputs } from '../../../local/outputs.ts';
import { startSystem } from '../../support/platform/system.ts';

describe('npm start -- --empty --fresh', () => {
  it('starts without events, and without anything that was created before', async () => {
    const system = await startSystem({ arguments: ['--empty', '--fresh'] });
    try {
      const keysBefore = system.outputs.applications.map(({ api_key }) => api_key);
      const events = await fetch(`${system.outputs.base_url}/api/v3/ott/events/`);
      expect(await events.json()).toEqual([]);

      await system.stop();
      await system.start();

      const outputs: Outputs = JSON.parse(readFileSync(join(system.stateDirectory, 'outputs.json'), 'utf8'));
      const keysAfter = outputs.applications.map(({ api_key }) => api_key);
      expect(keysAfter).toHaveLength(3);
      expect(keysAfter.filter((key) => keysBefore.includes(key))).toEqual([]);
    } finally {
      await system.dispose();
    }
  });
});
