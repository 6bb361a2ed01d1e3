import * as z from 'zod';
import { type AskNode, type RpcRelay, startRpcRelay } from './rpc-relay.ts';

const requestSchema = z.looseObject({ id: z.unknown(), method: z.string(), params: z.unknown() });
const answerSchema = z.looseObject({ result: z.unknown().optional() });
type Request = z.infer<typeof requestSchema>;

const asksWhatIsFinal = ({ params }: Request): boolean =>
  Array.isArray(params) && params.includes('finalized');

export interface HeldFinality extends RpcRelay {
  /** From now on until told otherwise, what is final is what it said last: blocks and counts of transactions. */
  hold(isHeld: boolean): void;
}

/** Stands before a node whose chain goes on while nothing more becomes final. */
export const startHeldFinality = async (target: string): Promise<HeldFinality> => {
  const said = new Map<string, unknown>();
  let isHeld = false;

  const answerOne = async (request: Request, askNode: AskNode): Promise<unknown> => {
    const { id, method, params } = request;
    const question = JSON.stringify([method, params]);
    if (isHeld && said.has(question)) return { jsonrpc: '2.0', id, result: said.get(question) };
    const answer = answerSchema.parse(JSON.parse(await askNode(JSON.stringify(request))));
    if ('result' in answer) said.set(question, answer.result);
    return answer;
  };

  const relay = await startRpcRelay({
    target,
    answer: async (body, askNode) => {
      const asked: unknown = JSON.parse(body);
      const requests = z.array(requestSchema).parse(Array.isArray(asked) ? asked : [asked]);
      if (!requests.some(asksWhatIsFinal)) return askNode(body);
      const answers = await Promise.all(
        requests.map(async (request) =>
          asksWhatIsFinal(request)
            ? answerOne(request, askNode)
            : JSON.parse(await askNode(JSON.stringify(request))),
        ),
      );
      return JSON.stringify(Array.isArray(asked) ? answers : answers[0]);
    },
  });
  return {
    ...relay,
    hold: (next) => {
      isHeld = next;
    },
  };
};
