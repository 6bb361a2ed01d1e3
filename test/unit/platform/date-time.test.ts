import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeTime, dateTimeSchema } from '../../../shared/platform/time/date-time.ts';

const milliseconds = Date.parse('2026-11-20T09:15:02.123Z');

describe('the time of a change', () => {
  it('is the present time in UTC, with microseconds and without a zone', () => {
    expect(changeTime({ milliseconds })).toBe('2026-11-20T09:15:02.123000');
  });

  it('includes fractions of a millisecond', () => {
    expect(changeTime({ milliseconds: milliseconds + 0.4567 })).toBe('2026-11-20T09:15:02.123456');
  });

  it('is a microsecond after the previous change when the clock stood still or ran backwards', () => {
    const previous = '2026-11-20T09:15:02.123999';

    expect(changeTime({ milliseconds, previous })).toBe('2026-11-20T09:15:02.124000');
    expect(changeTime({ milliseconds: milliseconds - 60_000, previous })).toBe('2026-11-20T09:15:02.124000');
  });

  it('is the present time when the previous change was earlier', () => {
    const previous = '2026-11-20T09:15:02.122999';

    expect(changeTime({ milliseconds, previous })).toBe('2026-11-20T09:15:02.123000');
  });

  it('moves into the next year when it follows the last microsecond of a year', () => {
    const previous = '2026-12-31T23:59:59.999999';

    expect(changeTime({ milliseconds, previous })).toBe('2027-01-01T00:00:00.000000');
  });

  it('rises with every change, whatever the clock does', () => {
    const clock = fc.integer({ min: 0, max: 4_102_444_800_000 });
    fc.assert(
      fc.property(fc.array(clock, { minLength: 2 }), (readings) => {
        const times: string[] = [];
        for (const reading of readings) {
          times.push(changeTime({ milliseconds: reading, previous: times.at(-1) }));
        }
        expect(times).toEqual([...new Set(times)].sort());
        for (const time of times) expect(dateTimeSchema.safeParse(time).success).toBe(true);
      }),
    );
  });
});
