import type { Target } from '../../../operator/platform/target/target.ts';

/** A deployed stage on AWS. The value of each output is its name. */
export const aTarget = (changes: Partial<Target> = {}): Target => ({
  stage: 'prod',
  isLocal: false,
  aws: {},
  isProtected: true,
  localIssuer: undefined,
  command: (words) => words,
  output: (name) => name,
  ...changes,
});
