import * as z from 'zod';

const schema = z.object({
  /** Where this server listens. */
  PORT: z.coerce.number().pipe(z.int().min(0).max(65_535)).default(8080),
  /** The topic that the operator subscribed you to; messages of any other are refused. */
  TOPIC_ARN: z.string().regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/),
  /** How the operator has subscribed you: `enveloped` is `subscriptions add --enveloped`. */
  FORM: z.enum(['raw', 'enveloped']).default('raw'),
  /** `<api_url_b2b>` and your key, from the operator. */
  API_URL_B2B: z.url(),
  API_KEY: z.string().min(1),
  /**
   * Host, and port if any, of addresses that may be fetched: SNS's own in the topic's region. Only a system on your
   * own machine needs another, e.g. `127.0.0.1:4566`.
   */
  SNS_HOST: z.string().min(1).optional(),
});

export interface Settings {
  readonly port: number;
  readonly topicArn: string;
  readonly form: 'raw' | 'enveloped';
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly snsHost: string;
}

/** Throws with the name of every variable that is wrong. */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const { PORT, TOPIC_ARN, FORM, API_URL_B2B, API_KEY, SNS_HOST } = parsed.data;
  const region = TOPIC_ARN.split(':')[3];
  return {
    port: PORT,
    topicArn: TOPIC_ARN,
    form: FORM,
    apiUrl: API_URL_B2B.replace(/\/$/, ''),
    apiKey: API_KEY,
    snsHost: SNS_HOST ?? `sns.${region}.amazonaws.com`,
  };
};
