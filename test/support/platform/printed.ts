import { createOutput } from '../../../operator/platform/terminal/output.ts';

/** Collects what is printed on a terminal of this width or, without `columns`, into a pipe. */
export const printed = ({
  columns,
  json = false,
  colours = false,
}: {
  readonly columns?: number;
  readonly json?: boolean;
  readonly colours?: boolean;
}) => {
  const texts: string[] = [];
  const remarks: string[] = [];
  const stdout = {
    write: (written: string) => texts.push(written),
    ...(columns !== undefined && { columns }),
    hasColors: () => colours,
  };
  const stderr = {
    write: (written: string) => remarks.push(written),
    ...(columns !== undefined && { columns }),
  };
  return {
    output: createOutput({ json, streams: { stdout, stderr } }),
    text: () => texts.join(''),
    remarks: () => remarks.join(''),
  };
};
