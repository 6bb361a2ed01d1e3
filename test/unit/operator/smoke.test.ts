import { describe, expect, it } from 'vitest';
import { protectionOf } from '../../../operator/smoke/protection.ts';

describe('protection', () => {
  it.each([
    { retainData: true, isProtected: false, count: 1 },
    { retainData: true, isProtected: true, count: 0 },
    { retainData: false, isProtected: false, count: 0 },
  ])('of a stage: $retainData, $isProtected, $count faults', ({ retainData, isProtected, count }) => {
    const { faults: found } = protectionOf({ stage: 'prod', isProtected }, { retainData });

    expect(found).toHaveLength(count);
  });
});
