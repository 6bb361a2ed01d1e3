/** One thing that a deployment needs. */
export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly wanted: string;
}
