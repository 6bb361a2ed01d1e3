import { describe, expect, it } from 'vitest';
import {
  namesOf,
  pastedLines,
  unpastedLines,
  writtenLines,
} from '../../../tools/scripts/second-engine/aws-lines.ts';

describe('the `aws` lines of the operator guide and the runbook', () => {
  it('are each pasted into the AWS command line by a check, or listed with the reason why not', () => {
    const known = [...pastedLines.flatMap(namesOf), ...Object.keys(unpastedLines)];

    expect([...new Set(writtenLines())].toSorted()).toEqual(known.toSorted());
  });
});
