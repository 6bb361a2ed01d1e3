import type { Target } from '../../platform/target/target.ts';
import { UsageError } from '../../platform/terminal/operator-error.ts';

export interface ApiAddresses {
  readonly base: string;
  readonly b2b: string;
  readonly profile: string;
}

/** The addresses of the stage's APIs: those that its file names, or API Gateway's own. */
export const apiAddresses = (
  target: Pick<Target, 'isLocal' | 'output'>,
  { isOwn }: { readonly isOwn: boolean },
): ApiAddresses => {
  if (isOwn && target.isLocal) {
    throw new UsageError({ message: 'The local system has no API Gateway with addresses of its own.' });
  }
  const prefix = isOwn ? 'Own' : '';
  return {
    base: target.output(`${prefix}BaseUrl`),
    b2b: target.output(`${prefix}ApiUrlB2b`),
    profile: target.output(`${prefix}ApiUrlProfile`),
  };
};
