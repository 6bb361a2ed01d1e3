import { afterEach, describe, expect, it, vi } from 'vitest';
import { idleShareFromNow } from '../../engines/lambda/idle-share.ts';

const cores = vi.hoisted(() => ({ idle: [5_000, 7_000] }));
vi.mock('node:os', async (importActual) => ({
  ...(await importActual<typeof import('node:os')>()),
  cpus: () => cores.idle.map((idle) => ({ times: { idle } })),
}));

afterEach(() => vi.restoreAllMocks());

describe('the share of a machine that is idle', () => {
  it('takes what a hypervisor gave to others for used', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const share = idleShareFromNow();

    // Of 300 ms each core worked 90 and was idle for 60; 150 were the hypervisor's.
    now.mockReturnValue(1_300);
    cores.idle = cores.idle.map((idle) => idle + 60);

    expect(share()).toBeCloseTo(0.2);
  });
});
