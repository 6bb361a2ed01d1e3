import type { StageConfig } from '../../config/stage.ts';

/** The namespace of a stage's own metrics; stages that share an account do not mix. */
export function metricsNamespace({ name }: StageConfig): string {
  return `Marquee/${name}`;
}
