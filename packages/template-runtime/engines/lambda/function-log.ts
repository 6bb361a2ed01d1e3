import { writeSync } from 'node:fs';

/**
 * Writes lines in the format that CloudWatch Logs shows for a Node.js function with text logs. Each write goes directly
 * to a file that is open for appending, so nothing is lost when the environment is terminated.
 */
export interface FunctionLog {
  start(requestId: string): void;
  end(report: {
    readonly requestId: string;
    readonly durationMilliseconds: number;
    readonly memoryMegabytes: number;
    readonly usedMegabytes: number;
    readonly status?: 'timeout' | 'error';
  }): void;
  write(text: string): void;
}

export const functionLog = (descriptor: number): FunctionLog => {
  const write = (text: string): void => {
    writeSync(descriptor, text);
  };
  return {
    write,
    start: (requestId) => write(`START RequestId: ${requestId} Version: $LATEST\n`),
    end: ({ requestId, durationMilliseconds, memoryMegabytes, usedMegabytes, status }) => {
      const report = [
        `REPORT RequestId: ${requestId}`,
        `Duration: ${durationMilliseconds.toFixed(2)} ms`,
        `Billed Duration: ${Math.ceil(durationMilliseconds)} ms`,
        `Memory Size: ${memoryMegabytes} MB`,
        `Max Memory Used: ${usedMegabytes} MB`,
        ...(status === undefined ? [] : [`Status: ${status}`]),
      ].join('\t');
      write(`END RequestId: ${requestId}\n${report}\n`);
    },
  };
};
