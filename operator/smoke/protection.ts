import type { CheckResult } from './check-result.ts';

/** A stage that keeps its data must be protected after its first deployment. */
export const protectionOf = (
  { stage, isProtected }: { readonly stage: string; readonly isProtected: boolean },
  { retainData }: { readonly retainData: boolean },
): CheckResult => ({
  check: { name: 'removal by mistake', method: '', url: `Marquee-${stage}` },
  milliseconds: 0,
  faults:
    retainData && !isProtected
      ? [`is not refused: set protected: true in config/${stage}.ts and deploy again`]
      : [],
});
