import * as z from 'zod';

const schema = z.object({
  /** The address on which this server listens. Without a proxy in front of it, set 0.0.0.0. */
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().pipe(z.int().min(0).max(65_535)).default(8080),
  /** The topic that the operator subscribed you to. Messages of any other topic are refused. */
  TOPIC_ARN: z.string().regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/),
  /** The form of your subscription: `enveloped` if the operator used `subscriptions add --enveloped`. */
  FORM: z.enum(['raw', 'enveloped']).default('raw'),
  /** The largest age of an enveloped message, by the time of its signature. Older messages are refused. */
  MAX_AGE_SECONDS: z.coerce.number().positive().optional(),
  /** `<api_url_b2b>` and your key, from the operator. */
  API_URL_B2B: z.url(),
  API_KEY: z.string().min(1),
  /**
   * The host, and port if any, of the addresses that may be fetched. The default is SNS's host in the topic's Region.
   * Set it only for a system on your own machine, e.g. `127.0.0.1:4566`.
   */
  SNS_HOST: z.string().min(1).optional(),
  /** The file that keeps the users who are still to be read, so that none is lost in a crash. */
  PENDING_FILE: z.string().min(1).default('receiver-pending.log'),
});

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly topicArn: string;
  readonly form: 'raw' | 'enveloped';
  readonly maxAgeSeconds: number | undefined;
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly snsHost: string | undefined;
  readonly pendingFile: string;
}

/** Throws with the name of every variable that is wrong. */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { HOST, PORT, TOPIC_ARN, FORM, MAX_AGE_SECONDS, API_URL_B2B, API_KEY, SNS_HOST, PENDING_FILE } =
    parsed.data;
  return {
    host: HOST,
    port: PORT,
    topicArn: TOPIC_ARN,
    form: FORM,
    maxAgeSeconds: MAX_AGE_SECONDS,
    apiUrl: API_URL_B2B.replace(/\/$/, ''),
    apiKey: API_KEY,
    snsHost: SNS_HOST,
    pendingFile: PENDING_FILE,
  };
};
