/** Viewers in open and blocked countries, who ask for events, lists and streams. */

import type { HttpResponse } from '../../../shared/platform/http/http-function.ts';
import type { HttpRequest } from '../../../shared/platform/http/request.ts';
import { nextQuery } from '../../support/platform/next-page.ts';
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
    addresses: { base: 'https://api.example.com' },
    header: (name: string) => headers[name],
    isRepeated: () => false,
  } as unknown as HttpRequest<never, never, never>;
};

/** One in four who asks for a list gets it in pages. */
const pagesOf = ({ id }: Question) =>
  id % 4 === 2 ? { limit: 2, isPaged: true } : { limit: 100, isPaged: false };

type Handler = (request: ReturnType<typeof requestOf>) => Promise<HttpResponse>;

interface ViewersOptions extends FunctionSurroundings {
  readonly service: Streaming;
  readonly answers: Answers;
}

export const createViewers = ({ scheduler, history, service, answers }: ViewersOptions) => {
  const ask = async (question: Question, task: string): Promise<void> => {
    const from = scheduler.now();
    let by: Process | undefined;
    const { limit, isPaged } = pagesOf(question);
    const asked = (): Asked => ({
      question,
      isPaged,
      span: { from, to: scheduler.now() },
      offset: by === undefined ? 0 : by.clock() - scheduler.now(),
    });
    const called = service[question.call] as SimulatedFunction<Handler>;
    const call = async (name: string, query: object): Promise<HttpResponse> => {
      const request = requestOf(question, query);
      const answer = await called.invoke(name, (handler, process) => {
        by = process;
        return handler(request);
      });
      history.say(name, () => `gets ${JSON.stringify(answer.body).slice(0, 300)}`);
      return answer;
    };
    const list = async (): Promise<readonly Listed[]> => {
      let page = await call(task, { limit });
      const listed = [...(page.body as readonly Listed[])];
      for (let count = 2; ; count += 1) {
        const next = nextQuery({ headers: page.headers ?? {} });
        if (next === undefined) return listed;
        page = await call(`${task}, page ${count}`, { limit, cursor: next.cursor });
        listed.push(...(page.body as readonly Listed[]));
      }
    };
    try {
      if (question.call === 'list') {
        const listed = await list();
        answers.onListed(asked(), listed);
        return;
      }
      const { body } = await call(task, {});
      if (question.call === 'show') answers.onShown(asked(), body as Listed);
      else {
        const { expires_at: endsAt } = body as { readonly expires_at: string | null };
        answers.onPlayed(asked(), endsAt === null ? undefined : Date.parse(endsAt));
      }
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
