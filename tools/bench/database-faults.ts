import { startFaultyWorld } from '../../test/support/nft/mints-under-faults.ts';
import { synthesizeTemplate } from '../../test/support/platform/local-assembly.ts';
import type { Measurement } from './measurement.ts';

const mints = 500;
const clients = 16;
const faults = { throttled: 0.1, conflicting: 0.1, delayMilliseconds: 50 };
const leastAtFirstTry = 95;
const mostRecordingWrites = 6;

/**
 * Mints while the database delays every call by 50 ms and refuses one call in five: half of these are throttled, half
 * are conflicts.
 */
export const measureDatabaseFaults = async (): Promise<Measurement[]> => {
  await synthesizeTemplate();
  await using faulty = await startFaultyWorld();
  const made = await faulty.mint({ mints, clients, faults });

  const atFirstTry = (made.firstAnswers.filter(({ status }) => status === 201).length / mints) * 100;
  const otherRefusals = made.refusals.filter(
    ({ status, retryAfter }) => (status !== 503 && status !== 409) || retryAfter === undefined,
  ).length;
  const confirmed = new Set(made.confirmed);
  const lost = made.tokenIds.filter((id) => !confirmed.has(id) || !made.minted.includes(id)).length;
  const doubled = made.minted.length + made.tokenIds.length - 2 * mints + (mints - confirmed.size);
  const writes = made.recordingWrites.reduce((sum, each) => sum + each, 0);
  const most = Math.max(...made.recordingWrites);
  return [
    {
      name: `201 at the first try, of ${mints} mints by ${clients} (at least ${leastAtFirstTry})`,
      value: atFirstTry,
      unit: '%',
      holds: atFirstTry >= leastAtFirstTry,
    },
    {
      name: 'refusals other than 503 or 409 with Retry-After (none)',
      value: otherRefusals,
      unit: '',
      holds: otherRefusals === 0,
    },
    { name: 'mints lost, or not confirmed in the end (none)', value: lost, unit: '', holds: lost === 0 },
    { name: 'tokens made twice (none)', value: doubled, unit: '', holds: doubled === 0 },
    { name: 'recording writes for a mint', value: writes / mints, unit: '' },
    {
      name: `  the most for one request (at most ${mostRecordingWrites})`,
      value: most,
      unit: '',
      holds: most <= mostRecordingWrites,
    },
  ];
};
