/** One thing that a deployment needs. */
export interface Finding {
  readonly check: string;
  /** `unknown` where AWS did not say what there is. */
  readonly ok: boolean | 'unknown';
  readonly found: string;
  readonly wanted: string;
}
