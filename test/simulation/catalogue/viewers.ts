/** Viewers in open and blocked countries, who ask for events, lists and streams. */

import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import type { FunctionSurroundings, SimulatedFunction } from '../functions.ts';
import type { Streaming } from '../ott/service.ts';
import type { Process } from '../process.ts';
import type { Answers, Asked, Listed } from './answers.ts';
import { countries, type Question } from './workload.ts';

/** What the service says that no rule decides. */
const isFailure = (code: string | undefined): boolean => code === undefined || code === 'SERVICE_UNAVAILABLE';

export const countryOf = (address: string): (typeof countries)[number] =>
  countries[Number(address.split('.').at(-1))];
const addressOf = (country: (typeof countries)[number]): string => `192.0.2.${countries.indexOf(country)}`;

export const entitlementOf = (userSub: string) => {
  switch (userSub) {
    case 'VIP':
      return { outcome: 'success', vip: true } as const;
    case 'bought':
      return { outcome: 'success', vip: false } as const;
    case 'denied':
      return { outcome: 'denied', reason: 'denied', vip: false } as const;
    default:
      return { outcome: 'denied', reason: 'no_purchase', vip: false } as const;
  }
};

const requestOf = ({ kind, client, country, event, status }: Question, query: object) => {
  const headers: Readonly<Record<string, string>> =
    kind === 'anonymous'
      ? { 'x-client-id': client }
      : { authorization: `${kind.replace(' ', '-')} ${client}` };
  return {
    path: { event_id: event },
    query: { ...query, ...(status !== undefined && { status }) },
    method: 'GET',
    sourceIp: addressOf(country),
    header: (name: string) => headers[name],
    isRepeated: () => false,
  } as unknown as HttpRequest<never, never, never>;
};

type Handler = (request: ReturnType<typeof requestOf>) => Promise<HttpResponse>;

interface ViewersOptions extends FunctionSurroundings {
  readonly service: Streaming;
  readonly answers: Answers;
}

export const createViewers = ({ scheduler, history, service, answers }: ViewersOptions) => {
  const ask = async (question: Question, task: string): Promise<void> => {
    const from = scheduler.now();
    let by: Process | undefined;
    const asked = (): Asked => ({
      question,
      span: { from, to: scheduler.now() },
      offset: by === undefined ? 0 : by.clock() - scheduler.now(),
    });
    const request = requestOf(question, question.call === 'list' ? { limit: 100 } : {});
    try {
      const called = service[question.call] as SimulatedFunction<Handler>;
      const { body } = await called.invoke(task, (handler, process) => {
        by = process;
        return handler(request);
      });
      history.say(task, () => `gets ${JSON.stringify(body).slice(0, 300)}`);
      if (question.call === 'list') answers.onListed(asked(), body as readonly Listed[]);
      else if (question.call === 'show') answers.onShown(asked(), body as Listed);
      else answers.onPlayed(asked(), Date.parse((body as { readonly expires_at: string }).expires_at));
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: string };
      history.say(task, () => `gets ${code ?? String(error)}`);
      if (code === undefined || isFailure(code)) return;
      if (question.call === 'show') answers.onShown(asked(), { code });
      if (question.call === 'stream')
        answers.onRefused(asked(), { code, isOfPath: message.includes('was not signed') });
    }
  };
  return { ask };
};
