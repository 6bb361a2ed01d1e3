import { describe, expect, it } from 'vitest';
import { idleShareFromNow } from '../../engines/lambda/idle-share.ts';

describe('the share of a machine that is idle', () => {
  it('takes what a hypervisor gave to others for used', () => {
    let at = 1_000;
    let idle = [5_000, 7_000];
    const share = idleShareFromNow(
      () => idle,
      () => at,
    );

    // Of 300 ms each core worked 90 and was idle for 60; 150 were the hypervisor's.
    at += 300;
    idle = idle.map((one) => one + 60);

    expect(share()).toBeCloseTo(0.2);
  });
});
