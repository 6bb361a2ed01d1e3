/** Whether one requirement of a deployment is met. */
export interface Finding {
  readonly check: string;
  /** `unknown` when AWS did not answer. `warning` when the requirement is not met, and the deployment is possible. */
  readonly ok: boolean | 'unknown' | 'warning';
  readonly found: string;
  readonly wanted: string;
}
