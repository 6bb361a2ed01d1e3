import type { StageConfig } from '../../config/stage.ts';

/** Where a stage's own metrics are; stages that share an account do not mix. */
export function metricsNamespace({ name }: StageConfig): string {
  return `Marquee/${name}`;
}
