import type { CheckResult } from './check-result.ts';

/** Checks that a stage that keeps its data has deletion protection, which it needs from its first deployment on. */
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
