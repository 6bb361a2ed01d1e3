/** Whether one requirement of a deployment is met. */
export interface Finding {
  readonly check: string;
  /** `unknown` when AWS did not answer. */
  readonly ok: boolean | 'unknown';
  readonly found: string;
  readonly wanted: string;
}
