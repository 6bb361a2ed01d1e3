import { afterEach, describe, expect, it, vi } from 'vitest';
import { deadlineSignal, withDeadline } from '../../../shared/platform/time/deadline.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('the deadline of a request', () => {
  it('ends the calls at once when a suspended process resumes after the deadline, even if the timer has not gone off yet', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });

    await withDeadline(60_000, async () => {
      const before = deadlineSignal();
      expect(before?.aborted).toBe(false);

      vi.setSystemTime(Date.now() + 60_000);

      expect(deadlineSignal()?.aborted).toBe(true);
      expect(before?.aborted).toBe(true);
    });
  });

  it('is never later than the deadline of the call that contains it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });

    await withDeadline(1_000, () =>
      withDeadline(60_000, async () => {
        vi.setSystemTime(Date.now() + 1_000);

        expect(deadlineSignal()?.reason).toMatchObject({ name: 'TimeoutError' });
      }),
    );
  });
});
