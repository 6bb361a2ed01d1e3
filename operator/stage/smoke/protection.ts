import type { CheckResult } from './check-result.ts';

/** Checks that a stage with `retainData` has deletion protection, which must be on from the first deployment. */
export const protectionOf = (
  { stage, isProtected }: { readonly stage: string; readonly isProtected: boolean },
  { retainData }: { readonly retainData: boolean },
): CheckResult => ({
  check: { name: 'removal by mistake', method: '', url: `Marquee-${stage}` },
  milliseconds: 0,
  faults:
    retainData && !isProtected
      ? [`the stack has no deletion protection: set protected: true in config/${stage}.ts and deploy again`]
      : [],
});
